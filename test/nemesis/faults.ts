import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { damageStreams } from '@kinora/testing';
import type { Client } from 'pg';
import { signal } from '../faults/commits/server-processes';
import type { Misbehaviour } from './backend';
import type { Fault } from './fault-plan';
import type { SeenFault } from './history';
import { endMonths } from './month-ends';
import type { NemesisStack } from './stack';
import type { LinkFault } from './tcp-proxy';

/** Makes the faults of a plan happen at their times, undoes each, and writes down what each has changed. */
export class Faults {
  readonly seen: SeenFault[] = [];
  private readonly lastOfTarget = new Map<unknown, Promise<unknown>>();

  constructor(private readonly stack: NemesisStack) {}

  /** Resolves when the fault is over. Those of one place follow each other. */
  async happen(fault: Fault): Promise<void> {
    await delay(fault.atMs);
    const place = placeOf(fault);
    const current = (this.lastOfTarget.get(place) ?? Promise.resolve()).then(() => this.hit(fault));
    this.lastOfTarget.set(place, current);
    await current;
  }

  private async hit(fault: Fault): Promise<void> {
    const { group, kind, target } = fault;
    const atMs = performance.now();
    const effects = await HITS[group](this.stack, fault);
    this.seen.push({ group, kind, target, atMs, endedAtMs: performance.now(), effects });
  }
}

/** A link, a store or a backend. The NATS servers of a cluster are one, which goes on without one of them. */
function placeOf({ id, group, target }: Fault): string {
  if (group === 'process' || group === 'lease') return `${group} ${id}`;
  if (group === 'ledger') return 'postgres';
  if (group === 'link') return `${group} ${target}`;
  return group === 'broker' ? group : target;
}

/** Each resolves when its fault is over, with the number of connections, answers, files or processes that it has changed. */
const HITS: Record<Fault['group'], (stack: NemesisStack, fault: Fault) => Promise<number>> = {
  link: hitLink,
  process: hitProcess,
  lease: outlastLease,
  database: hitDatabase,
  ledger: (stack, { target, forMs }) => endMonths(stack, target, forMs),
  broker: damageServer,
  disk: fillDisk,
  backend: misbehave,
  version: (stack) => stack.upgrade().then(() => 1),
};

async function hitLink({ links }: NemesisStack, { kind, target, forMs, bytes }: Fault): Promise<number> {
  const link = links[target];
  if (!link) throw new Error(`There is no link ${target}.`);
  if (kind === 'cut') return link.cut();
  link.begin(linkFault(kind, forMs, bytes));
  await delay(forMs);
  return link.heal();
}

/** Outputs are fetched seldom: a backend that garbles them goes on until it has garbled one, or this is over. */
const LONGEST_MISBEHAVIOUR_MS = 10_000;

async function misbehave({ backend }: NemesisStack, { kind, forMs }: Fault): Promise<number> {
  const beganAt = performance.now();
  backend.begin(kind as Misbehaviour);
  await delay(forMs);
  while (backend.changed === 0 && performance.now() - beganAt < LONGEST_MISBEHAVIOUR_MS) await delay(100);
  backend.end();
  return backend.changed;
}

async function hitProcess(stack: NemesisStack, { kind, target, forMs }: Fault): Promise<number> {
  const pid = await stack.pidOf(target);
  if (pid === undefined) return 0;
  const [first, second] = SIGNALS[kind as keyof typeof SIGNALS];
  signal(pid, first);
  if (second === null) return 1;
  await delay(forMs);
  signal(pid, second);
  return 1;
}

/** What begins the fault of a process, and what ends it. */
const SIGNALS = {
  kill: ['SIGKILL', null],
  restart: ['SIGTERM', null],
  stop: ['SIGSTOP', 'SIGCONT'],
  clock: ['SIGUSR2', 'SIGUSR2'],
} as const;

/** Longer than the leases of attempts and deliveries. */
const OUTLASTS_LEASE_MS = 35_000;

/** Of an attempt: one of two processes fetches an output, which may be this one. */
async function outlastLease(stack: NemesisStack, fault: Fault): Promise<number> {
  await stack.backend.untilFetched(LONGEST_MISBEHAVIOUR_MS);
  return await hitProcess(stack, { ...fault, kind: 'stop', forMs: OUTLASTS_LEASE_MS });
}

async function hitDatabase(stack: NemesisStack, { kind, forMs }: Fault): Promise<number> {
  if (kind === 'failover') {
    await stack.failOver();
    return 1;
  }
  const { postgres } = stack;
  const monitor = await postgres.connect();
  if (kind === 'read_only') {
    await setReadOnly(monitor, 'on');
    await delay(forMs);
    await setReadOnly(monitor, 'off');
    await monitor.end();
    return 1;
  }
  const crash = kind === 'crash_backend' ? 'backend' : kind === 'crash_power' ? 'power' : 'server';
  await postgres.crash(crash, monitor);
  if (crash !== 'backend') await postgres.start();
  await untilAnswering(() => postgres.connect().then((client) => client.end()));
  return 1;
}

/** As on a standby, or by an operator who protects a full disk. */
async function setReadOnly(monitor: Client, value: 'on' | 'off'): Promise<void> {
  await monitor.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await monitor.query('SELECT pg_reload_conf()');
}

async function damageServer({ dependencies }: NemesisStack, { kind, target, forMs }: Fault): Promise<number> {
  const server = dependencies.servers[target];
  if (!server) throw new Error(`There is no server ${target}.`);
  await server.stop();
  if (kind === 'wipe') await rm(server.storeDir, { recursive: true, force: true });
  const damaged = kind === 'truncate' || kind === 'flip' ? await damageStreams(server.storeDir, kind) : 1;
  await delay(forMs);
  await server.startAgain();
  return damaged;
}

async function fillDisk(stack: NemesisStack, { target, forMs }: Fault): Promise<number> {
  const disk = target === 'postgres' ? stack.databaseDisk : stack.dependencies.disks[target];
  if (!disk) return 0;
  const until = performance.now() + forMs;
  await disk.fillUntil(() => performance.now() > until);
  await disk.makeRoom();
  if (target === 'postgres') {
    // Without room for its log the server has ended.
    await stack.postgres.stop();
    await stack.postgres.start();
  }
  return 1;
}

function linkFault(kind: Fault['kind'], forMs: number, bytes: number): LinkFault {
  if (kind === 'delay') return { kind, ms: forMs / 4 };
  if (kind === 'reset_after') return { kind, bytes };
  if (kind === 'refuse' || kind === 'half_open' || kind === 'lose_answers') return { kind };
  throw new Error(`${kind} is no fault of a link.`);
}

const BACK_WITHIN_MS = 60_000;

async function untilAnswering(ask: () => Promise<void>): Promise<void> {
  for (const deadline = performance.now() + BACK_WITHIN_MS; ; await delay(100)) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}
