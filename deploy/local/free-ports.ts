import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which Linux and macOS take the local ends of outgoing connections: a port that is free while its
 * owner restarts can't be taken in the meantime by one of our own many loopback connections.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const ATTEMPTS = 200;

/** Distinct loopback ports on which nobody listens right now. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count && attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if ((await whyNotFree(port)) === null) ports.add(port);
  }
  if (ports.size < count) throw new Error(`No ${count} free ports between ${FIRST_PORT} and ${LAST_PORT}`);
  return [...ports];
}

/** The error code that listening on the port would end in, or null when it would work. */
export function whyNotFree(port: number, host = '127.0.0.1'): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}
