import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './error-code';

/**
 * Creates a folder and its missing parents. Node's own recursive mkdir loops for ever below /proc, where mkdir reports a
 * missing parent that exists.
 * @returns whether the folder was missing.
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
