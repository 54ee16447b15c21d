import { whyNotFree } from './free-ports';
import { isNatsReady } from './nats/nats-ready';
import { StartProblem } from './start-problem';

const NATS_PORT = 4222;

/** @throws StartProblem when the API could not listen. */
export async function assertPortFree(port: number): Promise<void> {
  const problem = await whyNotFree(port);
  if (problem === null) return;
  const reason = problem === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${problem})`;
  throw new StartProblem(`Port ${port} ${reason}: end that program, or choose another port with KINORA_PORT.`);
}

/** @throws StartProblem when nobody answers at an address that was given; clients would wait for it without end. */
export async function assertNatsReachable(natsUrl: string): Promise<void> {
  // An address may name several servers, and leave the scheme out.
  const [first] = natsUrl.split(',') as [string];
  const url = URL.canParse(first) && first.includes('//') ? new URL(first) : new URL(`nats://${first}`);
  if (await isNatsReady(url.hostname, Number(url.port || NATS_PORT))) return;
  throw new StartProblem(
    `No NATS server answers at NATS_URL (${url.host}): start it, or unset NATS_URL for an own one.`,
  );
}
