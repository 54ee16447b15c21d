import { randomUUID } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { errorCode } from './error-code';
import { PrivateJsonFile } from './private-json-file';
import { isAlive, type ProcessIdentity } from './processes/process-identity';

/** Another process that lives has the lock. */
export class LockedError extends Error {
  constructor(readonly holder: ProcessIdentity) {
    super(`Process ${holder.pid} has the lock`);
  }
}

/**
 * Works while no other process does under the same file, which names its holder: the lock of a process that was killed is
 * free at once.
 *
 * Not proper-lockfile (4.1.2, of 2021), which knows a holder by the file's age alone: a launcher that was killed would keep
 * the next one out for 10 s, and one on a laptop that was asleep for as long would lose its lock.
 * @throws LockedError at once, when another one does.
 */
export async function withExclusiveLock<T>(path: string, self: ProcessIdentity, work: () => Promise<T>): Promise<T> {
  while (!(await create(path, self))) await clear(path, self);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** False when the file is there already. It appears with its content, so that nobody reads a holder half written. */
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
  // Whoever looked a moment ago may meanwhile see the lock of another one here: only under a lock of its own is it safe
  // to look and remove.
  await withExclusiveLock(`${path}.lock`, self, async () => {
    if (await isLeft(file)) await file.remove();
  });
}

/** Whether its holder is gone. */
async function isLeft(file: PrivateJsonFile<ProcessIdentity>): Promise<boolean> {
  const holder = await file.read();
  if (holder && isAlive(holder)) throw new LockedError(holder);
  return holder !== null;
}
