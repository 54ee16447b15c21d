import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { waitUntil } from '../../../deploy/local/wait-until';
import { BenchStack } from '../bench-stack';
import { createBusyAccounts } from '../busy-accounts';
import { KinoraClient } from '../kinora-client';
import { runLoad } from '../load';
import { type CpuProfile, type Frame, framesOf } from './cpu-profile';

const CLIENTS = 32;
const WARM_UP_MS = 4_000;
const PROFILED_MS = 8_000;
const WRITTEN_WITHIN_MS = 20_000;
/** The services that a create passes. jobs also runs the work that follows it. */
const ON_THE_WAY = ['gateway', 'jobs', 'moderation', 'billing'];

/** Profiles the processes that handle creates under load, on a stack of its own. */
export async function profileCreates(): Promise<Frame[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-profiles-'));
  const preload = path.join(__dirname, 'profile-on-signal.js');
  const stack = await BenchStack.start({ NODE_OPTIONS: `--require ${preload}`, BENCH_PROFILE_DIR: folder });
  try {
    const { base_url, nats_url, processes } = await stack.describe();
    const watched = Object.entries(processes).filter(([name]) => ON_THE_WAY.includes(name));
    const apiKeys = await createBusyAccounts(nats_url, 64);
    const client = new KinoraClient(base_url, apiKeys, CLIENTS);
    const load = { clients: CLIENTS, work: () => client.create() };
    const toggle = (): void => watched.forEach(([, { pid }]) => process.kill(pid, 'SIGUSR2'));
    await runLoad({ ...load, durationMs: WARM_UP_MS });
    toggle();
    await runLoad({ ...load, durationMs: PROFILED_MS });
    toggle();
    await client.close();
    return await Promise.all(
      watched.map(async ([name, { pid }]) => processFrame(name, path.join(folder, `${pid}.cpuprofile`))),
    );
  } finally {
    await stack.end();
    await rm(folder, { recursive: true });
  }
}

async function processFrame(name: string, file: string): Promise<Frame> {
  if (!(await waitUntil(async () => existsSync(file), { timeoutMs: WRITTEN_WITHIN_MS })))
    throw new Error(`${name} wrote no profile.`);
  const children = framesOf(JSON.parse(await readFile(file, 'utf8')) as CpuProfile);
  return { name, ms: children.reduce((sum, { ms }) => sum + ms, 0), children };
}
