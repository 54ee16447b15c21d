import { randomInt } from 'node:crypto';
import { createServer, Server } from 'node:net';
import { errorCode } from './start-problem';

/**
 * Below the range of ephemeral ports on Linux and macOS. A port that is free while its owner restarts thus cannot be taken by
 * one of our own loopback connections.
 */
const FIRST_PORT = 20_000;
const BLOCKS = 187;
/** The size of a block: its usable ports and, before them, the one that reserves the block. */
const BLOCK_PORTS = 64;
const ATTEMPTS = 2_000;

const SPARE = Symbol.for('kinora.spare-ports');
const shared: typeof Server & { [SPARE]?: number[] } = Server;
/**
 * Unused ports of the blocks that this process has reserved, kept at a class of Node because jest loads this file anew for
 * each spec. A block for each spec would leave no ports to a second test run on the machine.
 */
const spare = (shared[SPARE] ??= []);

/**
 * Distinct free loopback ports, without the reserved ones. A server listens on its port only seconds later. Two stacks or test
 * runs that start together could choose the same port meanwhile, so each process reserves blocks of ports.
 *
 * Not get-port (7.2.0), which remembers the ports that it has returned for one process only.
 */
export async function findFreePorts(count: number, reserved: readonly number[] = []): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = spare.shift();
    if (port === undefined) await claimBlock(reserved);
    else if (!reserved.includes(port) && (await whyNotFree(port)) === null) ports.push(port);
  }
  return ports;
}

/** The error code of listening on the port, or null if it succeeds. */
export async function whyNotFree(port: number): Promise<string | null> {
  try {
    const probe = await listen(port);
    await new Promise((resolve) => probe.close(resolve));
    return null;
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

/** A process reserves a block by listening on its first port. The system frees that port when the process ends in any way. */
async function claimBlock(reserved: readonly number[]): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = FIRST_PORT + randomInt(BLOCKS) * BLOCK_PORTS;
    const claim = reserved.includes(first) ? null : await listen(first).catch(() => null);
    if (claim === null) continue;
    claim.unref();
    for (let port = first + 1; port < first + BLOCK_PORTS; port += 1) spare.push(port);
    return;
  }
  throw new Error(`No ports are free between ${FIRST_PORT} and ${FIRST_PORT + BLOCKS * BLOCK_PORTS}`);
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}
