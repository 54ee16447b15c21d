import { chmod } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errorCode } from './error-code';
import { makeFolder } from './make-folder';
import { StartProblem } from './start-problem';

/** Folder that keeps downloads and unpacked programs between runs; it holds nothing durable. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.KINORA_CACHE_DIR) return path.resolve(env.KINORA_CACHE_DIR);
  // The XDG specification says that a relative path is ignored.
  const xdgCache = env.XDG_CACHE_HOME;
  return path.join(xdgCache && path.isAbsolute(xdgCache) ? xdgCache : path.join(os.homedir(), '.cache'), 'kinora');
}

/** Creates a cache folder that other users can read: it holds programs, and some run as another user. */
export async function makeCacheFolder(folder: string): Promise<void> {
  try {
    // With a strict umask the other user could not enter the folder.
    if (await makeFolder(folder, 0o755)) await chmod(folder, 0o755);
  } catch (error) {
    throw new StartProblem(
      `Cannot make the cache folder ${folder} (${errorCode(error) ?? String(error)}): set KINORA_CACHE_DIR to one that you may write to.`,
    );
  }
}
