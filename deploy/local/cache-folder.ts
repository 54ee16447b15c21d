import { chmod } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errorCode } from './error-code';
import { makeFolder } from './make-folder';
import { StartProblem } from './start-problem';

/** Where downloads and unpacked programs are kept between runs; nothing durable lies here. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.KINORA_CACHE_DIR) return path.resolve(env.KINORA_CACHE_DIR);
  // The XDG specification says that a relative path is to be ignored.
  const xdgCache = env.XDG_CACHE_HOME;
  return path.join(xdgCache && path.isAbsolute(xdgCache) ? xdgCache : path.join(os.homedir(), '.cache'), 'kinora');
}

/** Makes a cache folder, which other users may look into: it holds programs, and some are run by another user. */
export async function makeCacheFolder(folder: string): Promise<void> {
  try {
    // A strict umask would keep the other user out.
    if (await makeFolder(folder, 0o755)) await chmod(folder, 0o755);
  } catch (error) {
    throw new StartProblem(
      `Cannot make the cache folder ${folder} (${errorCode(error) ?? String(error)}): set KINORA_CACHE_DIR to one that you may write to.`,
    );
  }
}
