import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { errorCode } from './error-code';

/**
 * Below the range from which Linux and macOS take the local ends of outgoing connections: a port that is free while its
 * owner restarts can't be taken in the meantime by one of our own many loopback connections.
 */
const FIRST_PORT = 20_000;
const BLOCKS = 187;
/** The ports of a block and, before them, the one that says whose block it is. */
const BLOCK_PORTS = 64;
const ATTEMPTS = 2_000;

/** What is left of the blocks that this process has. */
const spare: number[] = [];

/**
 * Distinct loopback ports on which nobody listens, without the one that is reserved. They are listened on some seconds
 * later, when a server has come up so far, and two stacks or test runs that start together would now and then pick the
 * same. So each process has blocks of ports of its own.
 *
 * Not get-port (7.2.0), which remembers the ports that it has given away for one process only.
 */
export async function findFreePorts(count: number, reserved?: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = spare.shift();
    if (port === undefined) await claimBlock(reserved);
    else if (port !== reserved && (await whyNotFree(port)) === null) ports.push(port);
  }
  return ports;
}

/** The error code that listening on the port would end in, or null when it would work. */
export async function whyNotFree(port: number): Promise<string | null> {
  try {
    const probe = await listen(port);
    await new Promise((resolve) => probe.close(resolve));
    return null;
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

/** A block is had by listening on its first port, which ends with this process however that ends. */
async function claimBlock(reserved: number | undefined): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = FIRST_PORT + randomInt(BLOCKS) * BLOCK_PORTS;
    const claim = first === reserved ? null : await listen(first).catch(() => null);
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
