import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installPostgresBinaries } from './postgres-binaries';

describe('PostgreSQL programs', () => {
  const cacheDir = mkdtempSync(path.join(os.tmpdir(), 'kinora-programs-'));
  afterAll(() => rmSync(cacheDir, { recursive: true }));

  it('run from the cache once unpacked, also if several processes unpack them at once', async () => {
    const [first, second] = await Promise.all([
      installPostgresBinaries(cacheDir, null),
      installPostgresBinaries(cacheDir, null),
    ]);
    expect(second).toBe(first);
    expect(readdirSync(cacheDir)).toHaveLength(1);
    // The libraries are found only through the symbolic links.
    expect(execFileSync(path.join(first, 'initdb'), ['--version'], { encoding: 'utf8' })).toMatch(/PostgreSQL/);
  });

  it('can be run by others even if the umask makes new files private', async () => {
    const umask = process.umask(0o077);
    try {
      const folder = await installPostgresBinaries(path.join(cacheDir, 'private'), null);
      for (const file of [folder, path.join(folder, 'postgres'), path.join(cacheDir, 'private')]) {
        expect(statSync(file).mode & 0o005).toBe(0o005);
      }
    } finally {
      process.umask(umask);
    }
  });
});
