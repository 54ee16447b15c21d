import { waitFor } from '@kinora/testing';
import { TcpProxy } from '../../nemesis/tcp-proxy';
import type { ApiClient } from '../../support/api-client';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import { SteadyClient } from '../../support/steady-client';
import { endedThroughFaults } from '../../support/through-faults';
import { ReplicatedPostgres } from './replicated-postgres';

const SERVICES = ['jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher'];
const CLIENTS = 4;
/** Accepted jobs before the fault and after it, so that both are under load. */
const JOBS = 40;
const FAILOVER_WITHIN_MS = 20_000;
const READ_ONLY_MS = 8_000;
const BACK_WITHIN_MS = 5_000;

interface Health {
  status: string;
  error: { database?: object };
}

describe('a stack whose PostgreSQL fails over', () => {
  let postgres: ReplicatedPostgres;
  let address: TcpProxy;
  let stack: LocalStack;
  let account: ApiClient;
  let clients: SteadyClient[];

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start();
    address = await TcpProxy.start(postgres.primary.port);
    stack = await LocalStack.start({ env: { DATABASE_URL: postgres.primary.urlAt(address.port) } });
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await address.close();
    await postgres.stop();
  }, 60_000);

  beforeEach(async () => {
    const { client, apiKey } = await openAccount(stack);
    account = client;
    clients = Array.from(
      { length: CLIENTS },
      (_, index) =>
        new SteadyClient({
          baseUrl: client.baseUrl,
          apiKey,
          name: `client-${index}`,
          bodyOf: (job) => ({ prompt: `a lake, number ${job}`, size: '512x512' }),
        }),
    );
  });

  const accepted = (): string[] => clients.flatMap((client) => client.accepted);

  /** The services that take no work because of their database. */
  async function notReady(): Promise<string[]> {
    const { processes } = await stack.describe();
    const states = SERVICES.map(async (name) => {
      const { status, error } = (await (await fetch(`${processes[name]?.health_url}`)).json()) as Health;
      return status === 'error' && error.database ? [name] : [];
    });
    return (await Promise.all(states)).flat();
  }

  /** @returns how long it took until that many further jobs were accepted. */
  async function untilAccepted(count: number): Promise<number> {
    const [before, startedAt] = [accepted().length, performance.now()];
    await waitFor(() => accepted().length >= before + count);
    return Math.round(performance.now() - startedAt);
  }

  /** Stops the load: every request was answered, by its job or by a 503 with `Retry-After`, and every accepted job succeeds. */
  async function expectNothingLost(): Promise<void> {
    await Promise.all(clients.map((client) => client.stop()));
    expect(clients.flatMap(({ losses }) => losses)).toEqual([]);
    const ended = await Promise.all(accepted().map((id) => endedThroughFaults(account, id)));
    expect(ended.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  }

  it('answers 503 while its address leads to a read-only server, and creates within 5 s of its end', async () => {
    await untilAccepted(JOBS);
    address.targetPort = postgres.standby.port;
    address.cut();
    const readOnlySince = performance.now();
    await waitFor(async () => (await notReady()).length === SERVICES.length);
    const before = accepted().length;
    await waitFor(() => performance.now() > readOnlySince + READ_ONLY_MS);
    expect(accepted()).toHaveLength(before);
    // The connections to the read-only server stay open, as when a DNS record is corrected.
    address.targetPort = postgres.primary.port;
    const backAfterMs = await untilAccepted(1);
    process.stdout.write(`Read-only for 8 s: creates again after ${backAfterMs} ms\n`);
    await untilAccepted(JOBS);
    await expectNothingLost();
    expect(await notReady()).toEqual([]);
    expect(backAfterMs).toBeLessThan(BACK_WITHIN_MS);
  }, 180_000);

  it('loses nothing when the primary is killed and its synchronous standby is promoted', async () => {
    await untilAccepted(JOBS);
    const killedAt = performance.now();
    await postgres.primary.kill();
    await postgres.standby.promote();
    address.targetPort = postgres.standby.port;
    await untilAccepted(1);
    const backAfterMs = Math.round(performance.now() - killedAt);
    process.stdout.write(`Failover: creates again after ${backAfterMs} ms\n`);
    await untilAccepted(JOBS);
    await expectNothingLost();
    expect(backAfterMs).toBeLessThan(FAILOVER_WITHIN_MS);
  }, 180_000);
});
