import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Kinora } from './kinora';
import { ScriptedApi } from './scripted-api.fixtures';

const CONTENT = 'the bytes of an image';
const OTHER_SHA256 = '00'.repeat(32);

describe('a download', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-client-'));
  let api: ScriptedApi;
  beforeAll(async () => (api = await ScriptedApi.start()));
  afterAll(() => {
    api.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => readdirSync(folder).forEach((name) => rmSync(path.join(folder, name))));

  const target = path.join(folder, 'image.png');
  const outputOf = (bytes: number) => ({ url: `${api.origin}/files/1`, bytes });
  const client = (maxRetries = 0) => new Kinora({ apiKey: 'knr_test_x', baseURL: api.baseURL, maxRetries });

  it('writes the file under its name once it is complete, and sends no key', async () => {
    api.play({ status: 200, text: CONTENT });
    const { bytes, path: written } = await client().download(outputOf(CONTENT.length), target);
    expect({ bytes, written }).toEqual({ bytes: CONTENT.length, written: target });
    expect(readFileSync(target, 'utf8')).toBe(CONTENT);
    expect(readdirSync(folder)).toEqual(['image.png']);
    expect(api.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    { title: 'a file that is shorter than its output', answer: { status: 200, text: CONTENT.slice(1) } },
    { title: 'a connection that breaks', answer: { status: 200, text: CONTENT.slice(1), end: 'cut' as const } },
  ])('leaves no file of $title', async ({ answer }) => {
    api.play(answer);
    await expect(client().download(outputOf(CONTENT.length), target)).rejects.toMatchObject({ code: 'truncated' });
    api.play(answer);
    await expect(client().download(outputOf(CONTENT.length))).rejects.toMatchObject({ code: 'truncated' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('compares the hash, and is repeated like any other GET', async () => {
    const answer = { status: 200, text: CONTENT };
    api.play(answer);
    const wrong = client().download(outputOf(CONTENT.length), target, { sha256: OTHER_SHA256 });
    await expect(wrong).rejects.toMatchObject({ code: 'truncated' });
    api.play({ status: 200, text: 'cut', end: 'cut' }, answer);
    expect(Buffer.from(await client(1).download(outputOf(CONTENT.length))).toString()).toBe(CONTENT);
    expect(api.requests).toHaveLength(2);
  });
});
