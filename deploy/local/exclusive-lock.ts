import { randomUUID } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { errorCode } from './start-problem';
import { PrivateJsonFile } from './private-json-file';
import { isAlive, type ProcessIdentity } from './processes/process-identity';

/** Another running process holds the lock. */
export class LockedError extends Error {
  constructor(readonly holder: ProcessIdentity) {
    super(`Process ${holder.pid} holds the lock`);
  }
}

/**
 * Runs work while holding a lock file, which names its holder. The lock of a killed process is free at once.
 *
 * Not proper-lockfile (4.1.2, of 2021), which decides by the file's age alone. After a killed launcher the next one would wait
 * for 10 s, and a laptop that sleeps for as long would lose its lock.
 * @throws LockedError at once if another process holds the lock.
 */
export async function withExclusiveLock<T>(path: string, self: ProcessIdentity, work: () => Promise<T>): Promise<T> {
  while (!(await create(path, self))) await clear(path, self);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** False if the file exists already. The file appears together with its content, so that no process reads an incomplete holder. */
async function create(path: string, holder: ProcessIdentity): Promise<boolean> {
  const draft = new PrivateJsonFile<ProcessIdentity>(`${path}.${randomUUID()}`);
  try {
    await draft.write(holder);
    await link(draft.path, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await draft.remove();
  }
}

async function clear(path: string, self: ProcessIdentity): Promise<void> {
  const file = new PrivateJsonFile<ProcessIdentity>(path);
  if (!(await isLeft(file))) return;
  // Another process may have replaced the stale lock since it was read, so it is read again and removed under a second
  // lock.
  await withExclusiveLock(`${path}.lock`, self, async () => {
    if (await isLeft(file)) await file.remove();
  });
}

/** Whether its holder no longer runs. */
async function isLeft(file: PrivateJsonFile<ProcessIdentity>): Promise<boolean> {
  const holder = await file.read();
  if (holder && isAlive(holder)) throw new LockedError(holder);
  return holder !== null;
}
