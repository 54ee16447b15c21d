import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ProcessSpec } from './processes/process-spec';
import { Supervisor } from './processes/supervisor';
import { stopStack } from './run-record';

const NAMES = ['gateway', 'jobs', 'billing', 'postgres', 'nats'];

describe('stop of the stack', () => {
  afterEach(() => jest.restoreAllMocks());

  it('ends the gateway, then the services, then the stores', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-stop-'));
    const ended = path.join(folder, 'ended');
    const supervisor = new Supervisor({
      started: () => undefined,
      exited: () => undefined,
      startFailed: () => undefined,
    });
    try {
      await Promise.all(NAMES.map((name) => supervisor.run(processThatEnds(name, folder, ended))));
      await stopStack(supervisor, 600_000);
    } finally {
      await supervisor.stop(supervisor.names, 0);
    }

    const order = readFileSync(ended, 'utf8').trim().split('\n');
    expect(order[0]).toBe('gateway');
    expect(order.slice(1, 3).toSorted()).toEqual(['billing', 'jobs']);
    expect(order.slice(3).toSorted()).toEqual(['nats', 'postgres']);
    rmSync(folder, { recursive: true });
  });

  it('leaves the stores all the time that the services do not use', async () => {
    const stack = new FakeStack({ gateway: 100, jobs: 200, postgres: 8_700 });
    await stopStack(stack);
    expect(stack.ended).toEqual({ gateway: 'in order', jobs: 'in order', postgres: 'in order' });
  });

  it('leaves the stores a third of the time when no service ends', async () => {
    const stack = new FakeStack({ gateway: Infinity, jobs: Infinity, postgres: 3_100, nats: Infinity });
    await stopStack(stack);
    expect(stack.ended).toEqual({ gateway: 'killed', jobs: 'killed', postgres: 'in order', nats: 'killed' });
    // A second before the caller gives up.
    expect(stack.nowMs).toBe(9_000);
  });
});

/** Simulated processes with given stop times, on a clock that only their end advances. */
class FakeStack {
  readonly ended: Record<string, 'in order' | 'killed'> = {};
  nowMs = 0;

  constructor(private readonly takesMs: Record<string, number>) {
    jest.spyOn(performance, 'now').mockImplementation(() => this.nowMs);
  }

  get names(): string[] {
    return Object.keys(this.takesMs);
  }

  stop(names: string[], graceMs: number): Promise<void> {
    const requested = names.filter((name) => !this.ended[name]).map((name) => ({ name, ms: this.takesMs[name] ?? 0 }));
    for (const { name, ms } of requested) this.ended[name] = ms <= graceMs ? 'in order' : 'killed';
    this.nowMs += Math.max(0, ...requested.map(({ ms }) => Math.min(ms, graceMs)));
    return Promise.resolve();
  }
}

function processThatEnds(name: string, folder: string, ended: string): ProcessSpec {
  const logFile = path.join(folder, `${name}.log`);
  const code = `
    process.on('SIGTERM', () => { require('fs').appendFileSync(${JSON.stringify(ended)}, '${name}\\n'); process.exit(); });
    console.log('ready'); setInterval(() => {}, 1000);`;
  const isReady = (): Promise<boolean> => Promise.resolve(readFileSync(logFile, 'utf8').includes('ready'));
  return { name, command: process.execPath, args: ['-e', code], env: {}, logFile, stopSignal: 'SIGTERM', isReady };
}
