import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './error-code';

/**
 * Makes a folder and those above it, where they are missing. Node's own recursive mkdir turns for ever where the system
 * says of a folder whose parent is there that it is not, as it does below /proc.
 * @returns whether it was missing.
 */
export async function makeFolder(folder: string, mode: number): Promise<boolean> {
  const parent = path.dirname(folder);
  const isOrphan = await stat(parent).then(
    () => false,
    (error: unknown) => errorCode(error) === 'ENOENT',
  );
  if (isOrphan && parent !== folder) await makeFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
