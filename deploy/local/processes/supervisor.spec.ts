import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { waitFor } from '@kinora/testing';
import { StartProblem } from '../start-problem';
import { isAlive, type ProcessIdentity, identify } from './process-identity';
import type { ProcessSpec } from './process-spec';
import { Supervisor, countEarlyCrashes, restartDelayMs } from './supervisor';

const STAYS = 'console.log("ready"); setInterval(() => {}, 1000);';
const IGNORES_SIGTERM = `process.on("SIGTERM", () => {}); ${STAYS}`;

describe('supervisor', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-supervisor-'));
  const exits: string[] = [];
  let supervisor: Supervisor;

  beforeEach(() => {
    exits.length = 0;
    supervisor = new Supervisor({
      started: () => undefined,
      exited: ({ name }, { signal }) => exits.push(`${name} ${signal}`),
      startFailed: () => undefined,
    });
  });

  afterEach(() => supervisor.stop(supervisor.names, 0));
  afterAll(() => rmSync(folder, { recursive: true }));

  function script(name: string, code: string): ProcessSpec {
    const logFile = path.join(folder, `${name}.log`);
    return {
      name,
      command: process.execPath,
      args: ['-e', code],
      env: process.env,
      logFile,
      stopSignal: 'SIGTERM',
      isReady: async () => readFileSync(logFile, 'utf8').includes('ready'),
    };
  }

  function living(name: string): ProcessIdentity {
    return identify(supervisor.pidOf(name)) as ProcessIdentity;
  }

  it('restarts a killed process', async () => {
    await supervisor.run(script('killed', STAYS));
    const first = living('killed');
    process.kill(first.pid, 'SIGKILL');
    await waitFor(() => supervisor.pidOf('killed') !== first.pid);
    expect(isAlive(living('killed'))).toBe(true);
    expect(exits).toEqual(['killed SIGKILL']);
  });

  it('leaves a paused process alone', async () => {
    await supervisor.run(script('paused', STAYS));
    await supervisor.run(script('neighbour', STAYS));
    const paused = living('paused');
    process.kill(paused.pid, 'SIGSTOP');
    const { pid } = living('neighbour');
    process.kill(pid, 'SIGKILL');
    await waitFor(() => supervisor.pidOf('neighbour') !== pid);
    expect(supervisor.pidOf('paused')).toBe(paused.pid);
    expect(isAlive(paused)).toBe(true);
  });

  it('replaces a process on request, also one that waits for its next start, and reports no exit', async () => {
    await supervisor.run(script('replaced', STAYS));
    const first = living('replaced');
    await supervisor.replace('replaced', 200);
    await waitFor(() => supervisor.pidOf('replaced') !== first.pid);
    expect(isAlive(first)).toBe(false);
    expect(exits).toEqual([]);
    await supervisor.run(script('unstable', STAYS));
    for (let death = 1; death <= 4; death += 1) {
      const { pid } = living('unstable');
      process.kill(pid, 'SIGKILL');
      await waitFor(() => exits.length === death);
      await supervisor.replace('unstable', 200);
      await waitFor(() => supervisor.pidOf('unstable') !== pid);
    }
  });

  it('ends every process, also a paused one and one that ignores the signal, and restarts none', async () => {
    await supervisor.run(script('paused for good', STAYS));
    await supervisor.run(script('deaf', IGNORES_SIGTERM));
    const identities = supervisor.names.map(living);
    process.kill(supervisor.pidOf('paused for good'), 'SIGSTOP');
    await supervisor.stop(supervisor.names, 200);
    expect(identities.filter(isAlive)).toEqual([]);
    expect(exits).toEqual([]);
  });

  it('starts nothing once it is stopping', async () => {
    await supervisor.stop([], 0);
    await expect(supervisor.run(script('late', STAYS))).rejects.toThrow('late is no longer wanted');
  });

  it('reports the crash reason of a process that ends before it is ready', async () => {
    const run = supervisor.run(script('unable', 'console.error("PORT: must be a number"); process.exit(1);'));
    await expect(run).rejects.toThrow(StartProblem);
    await expect(run).rejects.toThrow(/^unable did not start: PORT: must be a number \(its log is .*unable\.log\)$/);
  });
});

describe('restart delay', () => {
  it('is zero for a process that ran well', () => {
    expect(restartDelayMs(countEarlyCrashes(4, 60_000))).toBe(0);
  });

  it('grows while a process fails early, up to a limit', () => {
    const crashes = [1, 2, 3, 4, 5, 6, 60];
    expect(crashes.map(restartDelayMs)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(countEarlyCrashes(2, 100)).toBe(3);
  });
});
