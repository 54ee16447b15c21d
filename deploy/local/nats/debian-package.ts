import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const OPTIONS = [
  '-q',
  '-oAcquire::Retries=1',
  '-oAcquire::http::Timeout=10',
  '-oAcquire::https::Timeout=10',
  // As root, apt downloads as a user without write access to this folder.
  '-oAPT::Sandbox::User=root',
];

/** A program of one of Debian's signed packages. */
export interface DebianProgram {
  packageName: string;
  /** In the package: `usr/bin/promtool`. */
  program: string;
}

/** Extracts a program from its package into a folder. The package is unpacked and not installed, so root is not needed. */
export async function fetchDebianProgram(
  { packageName, program }: DebianProgram,
  folder: string,
  signal?: AbortSignal,
): Promise<string> {
  await download(packageName, folder, signal);
  const archive = (await readdir(folder)).find((file) => file.endsWith('.deb'));
  if (archive === undefined) throw new Error(`apt-get downloaded no ${packageName}`);
  await run('dpkg', ['-x', archive, '.'], { cwd: folder, timeout: TIMEOUT_MS, signal });
  return path.join(folder, program);
}

async function download(packageName: string, folder: string, signal?: AbortSignal): Promise<void> {
  try {
    await aptGet(folder, ['download', packageName], signal);
  } catch {
    // A slim image has no package lists. Separate lists need no root, and leave those of the machine unchanged.
    const ownLists = await useOwnLists(folder);
    await aptGet(folder, [...ownLists, 'update'], signal);
    await aptGet(folder, [...ownLists, 'download', packageName], signal);
  }
}

async function useOwnLists(folder: string): Promise<string[]> {
  const state = path.join(folder, 'apt-state');
  const cache = path.join(folder, 'apt-cache');
  await Promise.all([state, cache].map((created) => mkdir(created)));
  const options = [`Dir::State=${state}`, `Dir::Cache=${cache}`, 'Dir::State::status=/var/lib/dpkg/status'];
  return options.flatMap((option) => ['-o', option]);
}

async function aptGet(folder: string, args: string[], signal?: AbortSignal): Promise<void> {
  await run('apt-get', [...OPTIONS, ...args], { cwd: folder, timeout: TIMEOUT_MS, signal });
}
