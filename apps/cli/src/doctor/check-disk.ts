import { statfs } from 'node:fs/promises';
import { type CheckResult, notTried, runCheck } from './check';
import type { Examination } from './examination';

const NAME = 'disk';
const MB = 1_000_000;
/**
 * PostgreSQL alone writes its write-ahead log in files of 16 MB; with less than this it stops in the middle of a job.
 */
const LEAST_FREE_BYTES = 256 * MB;

/** Whether the disk has space for what the local stack writes. */
export async function* checkDisk({ stack: { data_dir: dataDir } }: Examination): AsyncGenerator<CheckResult> {
  if (dataDir === undefined) {
    yield notTried(
      NAME,
      'only a local stack has its disk here; watch the volumes of PostgreSQL, NATS and the object store',
    );
    return;
  }
  yield await runCheck(NAME, { next: `df -h ${dataDir}` }, async () => {
    const { bavail, bsize, ffree, files } = await statfs(dataDir);
    const freeMb = Math.floor((bavail * bsize) / MB);
    if (bavail * bsize < LEAST_FREE_BYTES)
      throw new Error(
        `Only ${freeMb} MB are free on the disk of ${dataDir}. While it is full, jobs are refused with 503; free some space.`,
      );
    // Some file systems have no fixed number of files, and report 0 of 0.
    if (files > 0 && ffree === 0)
      throw new Error(
        `The disk of ${dataDir} has no free inode, so no further file can be created. Delete some files.`,
      );
    return `${freeMb} MB are free on the disk of ${dataDir}`;
  });
}
