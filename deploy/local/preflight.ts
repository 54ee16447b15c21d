import { parseNatsUrl } from '@kinora/bus/client';
import { whyNotFree } from './free-ports';
import { type NatsInfo, readNatsInfo } from './nats/nats-info';
import { StartProblem } from './start-problem';

/** The largest page of jobs has more than 5 MB. */
const LEAST_PAYLOAD_BYTES = 8_000_000;

/** @throws StartProblem if a program cannot listen on the port that the variable names. */
export async function assertPortFree(port: number, variable: string): Promise<void> {
  const problem = await whyNotFree(port);
  if (problem === null) return;
  const reason = problem === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${problem})`;
  throw new StartProblem(`Port ${port} ${reason}: end that program, or choose another port with ${variable}.`);
}

/** @throws StartProblem if the configured servers are away, or lack a feature that the stack needs. */
export async function assertNatsUsable(natsUrl: string): Promise<void> {
  const servers = readServers(natsUrl);
  const greetings = await Promise.all(servers.map(readNatsInfo));
  const problem = findNatsProblem(greetings.filter((info) => info !== null));
  if (problem === null) return;
  throw new StartProblem(`NATS_URL (${servers.join(', ')}): ${problem}, or unset NATS_URL for an own server.`);
}

function readServers(natsUrl: string): string[] {
  try {
    return parseNatsUrl(natsUrl).servers;
  } catch (error) {
    throw new StartProblem((error as Error).message);
  }
}

/**
 * Without this check, clients would wait without end for a missing server or JetStream, and requests above the payload limit
 * would fail.
 */
function findNatsProblem(greetings: NatsInfo[]): string | null {
  if (greetings.length === 0) return 'no NATS server answers: start it';
  // In a cluster, any server may provide JetStream for all.
  if (!greetings.some(({ jetstream }) => jetstream)) return 'JetStream is off: start the server with --jetstream';
  const leastBytes = Math.min(...greetings.map(({ max_payload }) => max_payload));
  if (leastBytes >= LEAST_PAYLOAD_BYTES) return null;
  return `a message may have ${leastBytes} bytes only: set "max_payload: 8MB" in the server's configuration`;
}
