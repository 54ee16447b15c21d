import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const { platform, arch } = process;
const BUN_ARCH = { arm64: 'aarch64' }[arch as string] ?? arch;
const DENO_LIBRARY = platform === 'linux' ? '-glibc' : '';

export interface Runtime {
  name: string;
  /** The npm package that holds nothing but its program for this platform. */
  package: string;
  program: string;
  args: string[];
}

export const RUNTIMES: Runtime[] = [
  { name: 'node-20', package: `node-${platform}-${arch}@20`, program: 'bin/node', args: [] },
  { name: 'node-22', package: `node-${platform}-${arch}@22`, program: 'bin/node', args: [] },
  {
    name: 'deno',
    package: `@deno/${platform}-${arch}${DENO_LIBRARY}@2`,
    program: 'deno',
    args: ['run', '--allow-net', '--allow-env', '--allow-read', '--allow-write'],
  },
  { name: 'bun', package: `@oven/bun-${platform}-${BUN_ARCH}@1`, program: 'bin/bun', args: [] },
];

/** The runtime cannot be downloaded here; the message names it and the reason. */
export class NotAvailable extends Error {}

/** Downloads a runtime. @returns the path of its program */
export async function install(runtime: Runtime, folder: string): Promise<string> {
  const target = path.join(folder, runtime.name);
  await mkdir(target, { recursive: true });
  await writeFile(path.join(target, 'package.json'), '{ "private": true }\n');
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', ...options, runtime.package], { cwd: target }).catch(
    (failure: Error & { stderr?: string }) => {
      const reason = failure.stderr?.split('\n').find((line) => line.includes('error')) ?? failure.message;
      throw new NotAvailable(
        `${runtime.name} is not tested, because npm does not install ${runtime.package}: ${reason}`,
      );
    },
  );
  const name = runtime.package.slice(0, runtime.package.lastIndexOf('@'));
  const program = path.join(target, 'node_modules', name, runtime.program);
  await chmod(program, 0o755);
  return program;
}
