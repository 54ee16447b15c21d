import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@kinora/testing';
import { findFreePorts } from '../../deploy/local/free-ports';
import { nodeArguments } from '../../deploy/local/service-process';
import type { Stack } from '../../deploy/local/stack-file';
import { ThrowawayCopy } from '../mutations/throwaway-copy';

const STARTED_WITHIN = { timeoutMs: 120_000 };
const ROUTE = 'apps/gateway/src/ping/ping.controller.ts';

/** `npm run dev -- gateway` in a copy of the tree, so that a save changes nothing here. */
describe('npm run dev', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kinora-dev-'));
  let copy: ThrowawayCopy;
  let launcher: ChildProcess;
  let inspectFrom: number;
  let printed = '';

  const stack = (): Stack => JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')) as Stack;
  const change = (file: string, from: string, to: string): void => {
    const source = readFileSync(path.join(copy.folder, file), 'utf8');
    expect(source).toContain(from);
    writeFileSync(path.join(copy.folder, file), source.replace(from, to));
  };
  /** The version in the response of `GET /v1/ping`; null while the gateway is down. */
  const version = async (): Promise<string | null> => {
    const answer = await fetch(`${stack().base_url}/ping`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    return answer?.ok === true ? ((await answer.json()) as { version: string }).version : null;
  };

  beforeAll(async () => {
    copy = await ThrowawayCopy.make();
    await promisify(execFile)(process.execPath, ['deploy/build/build.mjs'], { cwd: copy.folder });
    const [port, consolePort, inspect] = (await findFreePorts(10)) as [number, number, number];
    inspectFrom = inspect;
    const programs = path.join(copy.folder, 'dist');
    const program = path.join(programs, 'deploy/local/dev/dev.js');
    launcher = spawn(
      process.execPath,
      [...nodeArguments(programs), program, 'gateway', '--inspect-from', String(inspect)],
      {
        cwd: copy.folder,
        env: {
          ...process.env,
          KINORA_PORT: String(port),
          KINORA_CONSOLE_PORT: String(consolePort),
          KINORA_DATA_DIR: dataDir,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [launcher.stdout, launcher.stderr]) stream?.on('data', (text) => (printed += String(text)));
    await waitFor(() => printed.includes('Each save restarts') || launcher.exitCode !== null, STARTED_WITHIN);
    if (launcher.exitCode !== null) throw new Error(`The stack did not start: ${printed}`);
  }, 240_000);

  afterAll(async () => {
    if (launcher.exitCode === null) {
      launcher.kill('SIGINT');
      await once(launcher, 'exit');
    }
    await copy.remove();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 50 });
  });

  it('runs the saved code in a new process of that service only, and shows its log', async () => {
    const { processes } = stack();
    expect(await version()).toBe('1.0.0');
    change(ROUTE, "VERSION = '1.0.0'", "VERSION = '1.0.1'");
    await waitFor(async () => (await version()) === '1.0.1');
    await waitFor(() => /gateway restarted, \d+ ms after the save\./.test(printed));
    const { gateway, ...others } = stack().processes;
    expect(gateway?.pid).not.toBe(processes['gateway']?.pid);
    expect(others).toEqual(Object.fromEntries(Object.entries(processes).filter(([name]) => name !== 'gateway')));
    await waitFor(() => /gateway \| \{.*"service_started"/.test(printed));
  });

  it('keeps the process when a file does not compile, and prints the error', async () => {
    const { processes } = stack();
    change(ROUTE, 'export class', 'export clas');
    await waitFor(() => printed.includes('The processes keep running with the previous code.'));
    expect(printed).toMatch(/ping\.controller\.ts/);
    expect(stack().processes).toEqual(processes);
    change(ROUTE, 'export clas', 'export class');
    await waitFor(() => stack().processes['gateway']?.pid !== processes['gateway']?.pid);
  });

  it('lets a debugger attach to the service on the printed port', async () => {
    await waitFor(async () => {
      const answer = await fetch(`http://127.0.0.1:${inspectFrom}/json/version`).catch(() => null);
      return answer?.ok === true;
    });
    expect(printed).toContain(`debugger on 127.0.0.1:${inspectFrom}`);
  });

  it('stops everything on Ctrl-C', async () => {
    const pids = Object.values(stack().processes).map(({ pid }) => pid);
    const exited = once(launcher, 'exit');
    launcher.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
