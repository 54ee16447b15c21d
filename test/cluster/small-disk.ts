import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@kinora/testing';

const run = promisify(execFile);

const BALLAST = 'ballast-';
const FULL_WITHIN_MS = 60_000;

/** A file system of a fixed size in memory, which another program can fill. It needs the right to mount. */
export class SmallDisk {
  private files = 0;

  private constructor(readonly folder: string) {}

  /** @param folder does not exist yet; the caller deletes it. */
  static async mount(folder: string, size: string): Promise<SmallDisk> {
    await mkdir(folder);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  /** Another program fills the disk, and takes what becomes free, until the effect is there. */
  async fillUntil(isThere: () => boolean | Promise<boolean>): Promise<void> {
    await waitFor(
      async () => {
        const { bavail, bsize } = await statfs(this.folder);
        const file = path.join(this.folder, `${BALLAST}${this.files++}`);
        if (bavail > 0) await writeFile(file, Buffer.alloc(bavail * bsize)).catch(() => undefined);
        return await isThere();
      },
      { timeoutMs: FULL_WITHIN_MS },
    );
  }

  async makeRoom(): Promise<void> {
    for (const name of await readdir(this.folder)) if (name.startsWith(BALLAST)) await rm(path.join(this.folder, name));
  }

  /** Also while a process that failed to end has files open on it. */
  async unmount(): Promise<void> {
    await run('umount', ['--lazy', this.folder]);
  }
}
