import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, waitFor } from '@kinora/testing';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import type { Client } from 'pg';
import type { ApiClient } from '../../support/api-client';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import { endedThroughFaults } from '../../support/through-faults';
import { Load } from './load';
import { NatsCluster } from './nats-cluster';

const CLIENTS = 4;
const SERVERS = ['n1', 'n2', 'n3'];
/** Jobs that are accepted before, during and after each fault. */
const JOBS = 30;
/** The longest time limit of a request on the way of a create: the route's own. */
const DEADLINE_MS = 25_000;
/** Requests that were in flight at the loss fail after a second; the rest is for a busy machine. */
const LOSS_NOTICED_WITHIN_MS = 5_000;
const TOO_OLD =
  'Servers before 2.10 do not notice a silent route while they have messages for it. Put a current nats-server on the PATH.';

describe('a cluster of three NATS servers under load', () => {
  let cluster: NatsCluster;
  let receiver: HttpsReceiver;
  let stack: LocalStack;
  let database: Client;
  let client: ApiClient;
  let load: Load;

  beforeAll(async () => {
    [cluster, receiver] = await Promise.all([NatsCluster.start(3), HttpsReceiver.start()]);
    stack = await LocalStack.start({
      env: {
        NATS_URL: cluster.url,
        KINORA_REPLICAS: 'gateway=2,jobs=2,billing=2,moderation=2,catalog=2',
        KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
      },
    });
    database = await stack.connect();
    client = (await openAccount(stack, { balance_micros: 1_000_000_000 })).client;
    await waitFor(async () => (await cluster.stream()).replicas === 3, { timeoutMs: 90_000 });
  }, 240_000);

  afterAll(async () => {
    await stack.stop();
    await Promise.all([cluster.close(), receiver.close()]);
  });

  beforeEach(async () => {
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    load = new Load(client, { prompt: '[[delay:300ms]] [[fail:error]] a lake', webhook_url }, CLIENTS);
    await load.accept(JOBS);
  });

  /** Everything that was accepted has ended, its event was recorded, and its webhook has arrived. */
  afterEach(async () => {
    cluster.separate(null);
    await load.stop();
    expect(load.losses).toEqual([]);
    for (const id of load.accepted) await endedThroughFaults(client, id);
    await waitFor(async () => (await recorded(load.accepted)) === load.accepted.length, { timeoutMs: 60_000 });
    // A failed attempt is repeated after a minute.
    const areDelivered = (): boolean => load.accepted.every((id) => deliveredTo(receiver).has(id));
    await waitFor(areDelivered, { timeoutMs: 200_000 });
  }, 400_000);

  async function recorded(ids: string[]): Promise<number> {
    const { rows } = await database.query<{ count: number }>(DELIVERIES, [ids]);
    return rows[0]?.count ?? 0;
  }

  it('keeps requests short and loses nothing when any one of them is killed', async () => {
    for (const name of SERVERS) {
      const { leader } = await cluster.stream();
      await cluster.kill(name);
      await load.accept(JOBS);
      if (leader === name) await waitFor(async () => ![null, name].includes((await cluster.stream()).leader));
      await cluster.startAgain(name);
      await waitFor(async () => (await cluster.stream()).isCurrent, { timeoutMs: 60_000 });
    }
    report('kill -9 of each', load);
    expect(load.longestMs).toBeLessThan(LOSS_NOTICED_WITHIN_MS);
  }, 240_000);

  it('keeps requests short and loses nothing in a rolling restart', async () => {
    for (const name of SERVERS) {
      await cluster.stop(name);
      await cluster.startAgain(name);
      await waitFor(async () => (await cluster.stream()).isCurrent, { timeoutMs: 60_000 });
      await load.accept(JOBS);
    }
    report('rolling restart', load);
    expect(load.longestMs).toBeLessThan(LOSS_NOTICED_WITHIN_MS);
  }, 240_000);

  it('keeps requests short and loses nothing when the network separates the one with most clients from the others', async () => {
    if (/^2\.[0-9]\./.test(await cluster.version())) throw new Error(TOO_OLD);
    const separated = await mostCrowded();
    cluster.separate(separated);
    await waitFor(async () => (await cluster.stream(separated)).leader !== null, { timeoutMs: 60_000 });
    await load.accept(JOBS);
    cluster.separate(null);
    await waitFor(async () => (await cluster.stream()).isCurrent, { timeoutMs: 60_000 });
    await load.accept(JOBS);
    report('partition', load);
    expect(load.longestMs).toBeLessThan(DEADLINE_MS + LOSS_NOTICED_WITHIN_MS);
  }, 240_000);

  async function mostCrowded(): Promise<string> {
    const counts = await Promise.all(
      SERVERS.map(async (name) => ({ name, clients: (await cluster.clientsOf(name)).length })),
    );
    return counts.toSorted((one, other) => other.clients - one.clients)[0]?.name ?? '';
  }
});

const DELIVERIES =
  'SELECT count(DISTINCT job_id)::integer AS count FROM webhook_dispatcher.delivery WHERE job_id = ANY($1)';

function deliveredTo(receiver: HttpsReceiver): Set<string> {
  return new Set(receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as WebhookEvent).data.object.id));
}

function report(fault: string, { outcomes, longestMs }: Load): void {
  const refused = outcomes.filter(({ status }) => status === 503).length;
  const slow = outcomes.filter(({ tookMs }) => tookMs > 2_000).map(({ tookMs }) => Math.round(tookMs));
  process.stdout.write(
    `${fault}: ${outcomes.length} requests, ${refused} answered 503, the longest took ${Math.round(longestMs)} ms; slow: ${slow.join()}\n`,
  );
}
