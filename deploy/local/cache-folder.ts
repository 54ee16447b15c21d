import os from 'node:os';
import path from 'node:path';

/** Where downloads and unpacked programs are kept between runs; nothing durable lies here. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.KINORA_CACHE_DIR) return path.resolve(env.KINORA_CACHE_DIR);
  // The XDG specification says that a relative path is to be ignored.
  const xdgCache = env.XDG_CACHE_HOME;
  return path.join(xdgCache && path.isAbsolute(xdgCache) ? xdgCache : path.join(os.homedir(), '.cache'), 'kinora');
}
