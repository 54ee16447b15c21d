import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isPostmasterReady, removeForeignPostmasterFile } from './postmaster-file';

describe("PostgreSQL's lock file", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-postmaster-'));
  const file = path.join(folder, 'postmaster.pid');
  afterAll(() => rmSync(folder, { recursive: true }));

  function writeFile(pid: number): void {
    writeFileSync(file, [pid, folder, 1, 2, '', '127.0.0.1', 3, 'ready   '].join('\n'));
  }

  it('tells that the server is ready only of the server that wrote it', async () => {
    writeFile(4711);
    expect(await isPostmasterReady(folder, 4711)).toBe(true);
    expect(await isPostmasterReady(folder, 4712)).toBe(false);
  });

  it('is removed when another program has the number by now', async () => {
    writeFile(process.pid);
    await removeForeignPostmasterFile(folder);
    expect(existsSync(file)).toBe(false);
  });

  it('is left to PostgreSQL when nobody has the number', async () => {
    writeFile(spawnSync('true').pid);
    await removeForeignPostmasterFile(folder);
    expect(existsSync(file)).toBe(true);
  });
});
