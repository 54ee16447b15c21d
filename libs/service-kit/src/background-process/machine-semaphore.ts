import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Permits only order the work of processes. A process that never releases its permit must not stop the others. */
const LONGEST_WAIT_MS = 5_000;
/** Without this pause, a process with much work would take its permit again before those that wait for it notice its release. */
const PAUSE_MS = 20;

/**
 * A semaphore of all processes of this machine, or of this network namespace. A permit is the address of an abstract Unix
 * socket: the kernel gives it to one process, and takes it back when that process ends. Only Linux has these sockets.
 */
export class MachineSemaphore {
  private pause: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly permits: number,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  /** Runs the work with a permit; after a long wait without one. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const permit = process.platform === 'linux' ? await this.acquire() : null;
    try {
      return await work();
    } finally {
      if (permit?.release()) this.pause = delay(PAUSE_MS);
    }
  }

  private async acquire(): Promise<Permit | null> {
    await this.pause;
    const tooLate = AbortSignal.timeout(this.longestWaitMs);
    const addresses = Array.from({ length: this.permits }, (_, place) => `\0${this.name}-${place}`);
    while (!tooLate.aborted) {
      for (const address of addresses) {
        const permit = await Permit.take(address);
        if (permit) return permit;
      }
      await untilOneIsReleased(addresses, tooLate);
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
