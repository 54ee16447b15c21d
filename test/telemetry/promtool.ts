import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, makeCacheFolder } from '../../deploy/local/data-folder';
import { fetchDebianProgram } from '../../deploy/local/nats/debian-package';

const run = promisify(execFile);
const PROGRAM = 'promtool';

/** Runs Prometheus' own command in a folder. @throws the error of the command, with what it has printed */
export async function promtool(args: string[], cwd: string): Promise<string> {
  const program = await findPromtool();
  const { stdout } = await run(program, args, { cwd }).catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`promtool ${args.join(' ')}:\n${error.stdout ?? ''}${error.stderr ?? error.message}`);
  });
  return stdout;
}

/** That of this machine or, if there is none, the one of Debian's package `prometheus`, which is kept in the cache folder. */
async function findPromtool(): Promise<string> {
  const cache = cacheFolder(process.env);
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), cache];
  for (const candidate of folders.map((folder) => path.resolve(folder, PROGRAM)))
    if (await isExecutable(candidate)) return candidate;
  await makeCacheFolder(cache);
  const draft = await mkdtemp(path.join(cache, `${PROGRAM}.`));
  try {
    const fetched = await fetchDebianProgram({ packageName: 'prometheus', program: `usr/bin/${PROGRAM}` }, draft);
    await chmod(fetched, 0o755);
    const program = path.join(cache, PROGRAM);
    await rename(fetched, program);
    return program;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
