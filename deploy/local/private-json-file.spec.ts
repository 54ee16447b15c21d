import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PrivateJsonFile } from './private-json-file';

describe('private JSON file', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-private-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('can be read by its owner only', async () => {
    const file = new PrivateJsonFile(path.join(folder, 'secret.json'));
    await file.write({ key: 'k' });
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  it('holds the last written content, complete, however many writes are under way', async () => {
    const file = new PrivateJsonFile<{ turn: number }>(path.join(folder, 'turns.json'));
    const workers = Array.from({ length: 20 }, (_, turn) => turn);
    await Promise.all(workers.map((turn) => file.write({ turn })));
    expect(await file.read()).toEqual({ turn: 19 });
    expect(readdirSync(folder).filter((name) => name.startsWith('turns'))).toEqual(['turns.json']);
  });

  it('is null if it is missing, and does not exist after its removal', async () => {
    const file = new PrivateJsonFile(path.join(folder, 'short-lived.json'));
    expect(await file.read()).toBeNull();
    void file.write({ a: 1 });
    await file.remove();
    expect(await file.read()).toBeNull();
  });
});
