import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, chmodSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installPostgresBinaries, findBlockingFolder } from './postgres-binaries';

const folderOf = (name: string) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), `kinora-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
};

describe('PostgreSQL programs', () => {
  const cacheDir = folderOf('programs');

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

describe('blocking folder', () => {
  const root = folderOf('blocking');

  it('is the outermost one without access for others, also on the path to a folder that does not exist yet', () => {
    const inner = path.join(root, 'a/b');
    mkdirSync(inner, { recursive: true });
    for (const folder of [root, path.join(root, 'a'), inner]) chmodSync(folder, 0o755);
    expect(findBlockingFolder(path.join(inner, 'new'))).toBeNull();
    chmodSync(inner, 0o700);
    expect(findBlockingFolder(path.join(inner, 'new'))).toBe(inner);
    chmodSync(root, 0o750);
    expect(findBlockingFolder(path.join(inner, 'new'))).toBe(root);
  });
});
