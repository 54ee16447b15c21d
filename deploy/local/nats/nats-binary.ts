import { constants } from 'node:fs';
import { access, chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeCacheFolder } from '../data-folder';
import { StartProblem } from '../start-problem';
import { fetchDebianProgram } from './debian-package';
import { fetchReleaseArchive } from './release-archive';

const PROGRAM = 'nats-server';
/** Debian's folder for the program, which is not on an ordinary user's PATH. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/** Puts the program into a folder and returns its path; rejects if this source does not work here. */
export type NatsSource = (folder: string, signal?: AbortSignal) => Promise<string>;

const fetchFromDebian: NatsSource = (folder, signal) =>
  fetchDebianProgram({ packageName: PROGRAM, program: `usr/sbin/${PROGRAM}` }, folder, signal);

const SOURCES: NatsSource[] = [fetchFromDebian, fetchReleaseArchive];

export interface NatsBinaryOptions {
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  systemFolders?: string[];
  sources?: NatsSource[];
}

/** The `nats-server` of this machine or, if there is none, one that is downloaded once into the cache folder. */
export async function findNatsBinary({
  cacheDir,
  env,
  signal,
  systemFolders = SYSTEM_FOLDERS,
  sources = SOURCES,
}: NatsBinaryOptions): Promise<string> {
  const onPath = (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of [...onPath, ...systemFolders, cacheDir]) {
    const candidate = path.join(folder, PROGRAM);
    if (await isExecutable(candidate)) return candidate;
  }
  return fetchInto(cacheDir, sources, signal);
}

async function fetchInto(cacheDir: string, sources: NatsSource[], signal?: AbortSignal): Promise<string> {
  await makeCacheFolder(cacheDir);
  const draft = await mkdtemp(path.join(cacheDir, `${PROGRAM}.`));
  try {
    const fetched = await firstThatWorks(sources, draft, signal);
    await chmod(fetched, 0o755);
    const binary = path.join(cacheDir, PROGRAM);
    await rename(fetched, binary);
    return binary;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function firstThatWorks(sources: NatsSource[], folder: string, signal?: AbortSignal): Promise<string> {
  for (const source of sources) {
    const fetched = await source(folder, signal).catch(() => null);
    signal?.throwIfAborted();
    if (fetched !== null) return fetched;
  }
  throw new StartProblem(
    `There is no ${PROGRAM} here and none could be fetched (is there a network?): install it ("sudo apt install ${PROGRAM}", "brew install ${PROGRAM}"), or set NATS_URL to a server of your own.`,
  );
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
