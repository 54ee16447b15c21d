import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../deploy/build/source-files';
import { type PlantedBug, applyPatch } from './planted-bug';

/** A copy of the working tree with its uncommitted changes: bugs are planted here, never in the tree itself. */
export class ThrowawayCopy {
  private constructor(readonly folder: string) {}

  static async make(): Promise<ThrowawayCopy> {
    const folder = await mkdtemp(path.join(tmpdir(), 'kinora-mutations-'));
    const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    const { stdout } = await promisify(execFile)('git', listed, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
    for (const file of stdout.split('\0').filter((name) => name !== '')) {
      // git also lists a deleted file whose deletion is not committed.
      await cp(path.join(ROOT, file), path.join(folder, file)).catch(unlessMissing);
    }
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    return new ThrowawayCopy(folder);
  }

  /** Runs a function while the bug is applied. */
  async withBug<Result>(bug: PlantedBug, work: () => Promise<Result>): Promise<Result> {
    await applyPatch(bug, this.folder);
    try {
      return await work();
    } finally {
      for (const file of bug.files) await cp(path.join(ROOT, file), path.join(this.folder, file));
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
