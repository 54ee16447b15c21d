import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { filesAfter } from './files-after';

/** Some of them sort differently as whole names than folder by folder. */
const NAMES = [
  'a-b/1',
  'a/1',
  'a/2',
  'a/more/3',
  'a/z',
  'a.png',
  'b/1',
  ...Array.from({ length: 9 }, (_, n) => `many/${n}`),
];

describe('the files after a name', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'files-after-'));
    await mkdir(path.join(folder, 'empty'));
    for (const name of NAMES) {
      await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
      await writeFile(path.join(folder, name), '');
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  const namesAfter = async (after: string | null, limit: number) =>
    (await filesAfter(folder, after, limit)).map(({ name }) => name);

  it.each([1, 2, 3, 5, 100])('are each found once, %d at a time', async (limit) => {
    const found: string[] = [];
    for (let page = await namesAfter(null, limit); page.length > 0; page = await namesAfter(found.at(-1) ?? '', limit))
      found.push(...page);
    expect(new Set(found).size).toBe(found.length);
    expect(found.sort()).toEqual([...NAMES].sort());
  });

  it('begin at the same place when the name itself is gone', async () => {
    expect(await namesAfter('a/1.5', 2)).toEqual(['a/2', 'a/more/3']);
    expect(await namesAfter('a/gone/9', 1)).toEqual(['a/more/3']);
  });

  it('are none in a folder that does not exist', async () => {
    expect(await filesAfter(path.join(folder, 'nowhere'), null, 5)).toEqual([]);
  });
});
