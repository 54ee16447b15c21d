import { readdir, truncate, open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { signal } from '../faults/commits/server-processes';
import type { NemesisStack } from './stack';
import type { Fault } from './swarm';
import type { LinkFault } from './tcp-proxy';

/** Makes the faults of a plan happen at their times, and undoes each. Those of one store follow each other. */
export class Faults {
  private readonly lastOfStore = new Map<string, Promise<void>>();

  constructor(private readonly stack: NemesisStack) {}

  /** Resolves when the fault is over. */
  async happen(fault: Fault): Promise<void> {
    await delay(fault.atMs);
    if (fault.group === 'process') return await this.hitProcess(fault);
    const before = this.lastOfStore.get(fault.target) ?? Promise.resolve();
    const current = before.then(() => this.hit(fault));
    this.lastOfStore.set(fault.target, current);
    await current;
  }

  private async hit(fault: Fault): Promise<void> {
    if (fault.group === 'link') await this.hitLink(fault);
    else if (fault.group === 'database') await this.crashDatabase(fault);
    else await this.damageBroker(fault);
  }

  private async hitLink({ kind, target, forMs, bytes }: Fault): Promise<void> {
    const link = this.stack.links[target];
    if (!link) throw new Error(`There is no link ${target}.`);
    if (kind === 'cut') return link.cut();
    link.begin(linkFault(kind, forMs, bytes));
    await delay(forMs);
    link.heal();
  }

  private async hitProcess({ kind, target, forMs }: Fault): Promise<void> {
    const pid = await this.stack.pidOf(target);
    if (pid === undefined) return;
    if (kind === 'kill') return signal(pid, 'SIGKILL');
    signal(pid, 'SIGSTOP');
    await delay(forMs);
    signal(pid, 'SIGCONT');
  }

  private async crashDatabase({ kind }: Fault): Promise<void> {
    const { postgres } = this.stack;
    const monitor = await postgres.connect();
    const crash = kind === 'crash_backend' ? 'backend' : kind === 'crash_power' ? 'power' : 'server';
    await postgres.crash(crash, monitor);
    if (crash !== 'backend') await postgres.start();
    await untilAnswering(() => postgres.connect().then((client) => client.end()));
  }

  private async damageBroker({ kind }: Fault): Promise<void> {
    const { broker } = this.stack;
    await broker.stop();
    if (kind === 'wipe') await broker.wipe();
    if (kind === 'truncate' || kind === 'flip') await damageStreams(broker.storeDir, kind);
    await broker.startAgain();
  }
}

function linkFault(kind: Fault['kind'], forMs: number, bytes: number): LinkFault {
  if (kind === 'delay') return { kind, ms: forMs / 4 };
  if (kind === 'reset_after') return { kind, bytes };
  if (kind === 'refuse' || kind === 'half_open' || kind === 'lose_answers') return { kind };
  throw new Error(`${kind} is no fault of a link.`);
}

/** Every block of messages loses its second half, or has one byte inverted in its middle. */
async function damageStreams(storeDir: string, kind: 'truncate' | 'flip'): Promise<void> {
  const files = await readdir(storeDir, { recursive: true });
  for (const name of files.filter((file) => file.endsWith('.blk'))) {
    const file = path.join(storeDir, name);
    const handle = await open(file, 'r+');
    try {
      const { size } = await handle.stat();
      const middle = Math.floor(size / 2);
      if (kind === 'truncate') await truncate(file, middle);
      else if (size > 0) {
        const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, middle);
        await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 0xff]), 0, 1, middle);
      }
    } finally {
      await handle.close();
    }
  }
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
