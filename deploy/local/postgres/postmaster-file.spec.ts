import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isPostmasterReady, removeForeignPostmasterFile } from './postgres-process';

describe("PostgreSQL's lock file", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-postmaster-'));
  const file = path.join(folder, 'postmaster.pid');
  afterAll(() => rmSync(folder, { recursive: true }));

  function writeFile(pid: number): void {
    writeFileSync(file, [pid, folder, 1, 2, '', '127.0.0.1', 3, 'ready   '].join('\n'));
  }

  it('reports a server as ready only if that server wrote the file', async () => {
    writeFile(4711);
    expect(await isPostmasterReady(folder, 4711)).toBe(true);
    expect(await isPostmasterReady(folder, 4712)).toBe(false);
  });

  it('is removed if another program has the process id by now', async () => {
    writeFile(process.pid);
    await removeForeignPostmasterFile(folder);
    expect(existsSync(file)).toBe(false);
  });

  it('is left to PostgreSQL if no process has the id', async () => {
    writeFile(spawnSync('true').pid);
    await removeForeignPostmasterFile(folder);
    expect(existsSync(file)).toBe(true);
  });
});
