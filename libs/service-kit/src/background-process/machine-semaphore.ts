import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { type Clock, SYSTEM_CLOCK } from '../clock';

/** Permits only order the work of processes. A process that never releases its permit must not stop the others. */
const LONGEST_WAIT_MS = 5_000;
/** Without this pause, a process with much work would take its permit again before those that wait for it notice its release. */
const PAUSE_MS = 20;
/** How often patient work looks for a permit that nothing else takes. */
const POLL_INTERVAL_MS = 50;
/** Longer than a process needs from the end of one work to the begin of the next. */
const OFFERED_MS = 20;

export interface MachineSemaphoreOptions {
  /** Work that no client waits for. It takes a permit only while none of the other work waits for one. */
  isPatient?: boolean;
  clock?: Clock;
}

/**
 * A semaphore of all processes of this machine, or of this network namespace. A permit is the address of an abstract Unix
 * socket: the kernel gives it to one process, and takes it back when that process ends. Only Linux has these sockets.
 */
export class MachineSemaphore {
  private pause: Promise<unknown> = Promise.resolve();
  /** Patient work of this process looks for a permit one after the other. */
  private lastPatient: Promise<unknown> = Promise.resolve();
  private readonly addresses: string[];
  private readonly clock: Clock;

  constructor(
    name: string,
    permits: number,
    private readonly options: MachineSemaphoreOptions = {},
  ) {
    this.clock = options.clock ?? SYSTEM_CLOCK;
    this.addresses = Array.from({ length: permits }, (_, place) => `\0${name}-${place}`);
  }

  /** Runs the work with a permit; after a long wait without one. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const permit = process.platform === 'linux' ? await this.acquireInOrder() : null;
    try {
      return await work();
    } finally {
      if (permit?.release()) this.pause = this.clock.sleep(PAUSE_MS);
    }
  }

  private acquireInOrder(): Promise<Permit | null> {
    if (!this.options.isPatient) return this.acquire();
    const permit = this.lastPatient.then(() => this.acquire());
    this.lastPatient = permit;
    return permit;
  }

  private async acquire(): Promise<Permit | null> {
    await this.pause;
    const { isPatient } = this.options;
    const tooLate = this.clock.deadline(LONGEST_WAIT_MS);
    while (!tooLate.aborted) {
      for (const address of this.addresses) {
        const permit = await Permit.take(address);
        if (permit && (!isPatient || (await permit.isUnwanted(this.clock.deadline(OFFERED_MS))))) return permit;
      }
      // The holder pauses only for work that waits in line, so patient work is not in it.
      await (isPatient ? this.clock.sleep(POLL_INTERVAL_MS) : untilOneIsReleased(this.addresses, tooLate));
    }
    return null;
  }
}

class Permit {
  private readonly waiting = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.waiting.add(socket);
      socket.on('error', () => undefined).once('close', () => this.waiting.delete(socket));
    });
  }

  /** Null if another process has it. */
  static async take(address: string): Promise<Permit | null> {
    const server = createServer();
    const permit = new Permit(server);
    try {
      await once(server.listen({ path: address }), 'listening');
      return permit;
    } catch {
      return null;
    }
  }

  /** Offers the permit to work that has released it a moment ago and goes on. Releases it as soon as such work waits. */
  async isUnwanted(offered: AbortSignal): Promise<boolean> {
    const isWanted = await once(this.server, 'connection', { signal: offered }).then(
      () => true,
      () => false,
    );
    if (isWanted) this.release();
    return !isWanted;
  }

  /** @returns whether others wait for it. */
  release(): boolean {
    this.server.close();
    const { size } = this.waiting;
    for (const socket of this.waiting) socket.destroy();
    return size > 0;
  }
}

/** The holder of a permit closes the connections of those that wait. */
async function untilOneIsReleased(addresses: string[], signal: AbortSignal): Promise<void> {
  const sockets = addresses.map((path) => connect({ path }).on('error', () => undefined));
  // Nothing arrives, and without a reader the end of the connection would not be seen.
  const ends = sockets.map((socket) => once(socket.resume(), 'close', { signal }));
  await Promise.race(ends).catch(() => undefined);
  for (const socket of sockets) socket.destroy();
  await Promise.allSettled(ends);
}
