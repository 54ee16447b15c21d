import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, waitFor } from '@kinora/testing';
import type { WebhookEvent } from '@kinora/contracts/webhooks/webhook-event';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import type { ApiClient } from '../../support/api-client';
import { Load } from './load';
import { NatsCluster } from './nats-cluster';

const CLIENTS = 4;
const SERVERS = ['n1', 'n2', 'n3'];

describe('a cluster of three NATS servers under load', () => {
  let cluster: NatsCluster;
  let receiver: HttpsReceiver;
  let stack: LocalStack;
  let client: ApiClient;

  beforeAll(async () => {
    [cluster, receiver] = await Promise.all([NatsCluster.start(3), HttpsReceiver.start()]);
    stack = await LocalStack.start({
      env: {
        NATS_URL: cluster.url,
        KINORA_REPLICAS: 'jobs=2,billing=2',
        KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
      },
    });
    client = (await openAccount(stack, { balance_micros: 1_000_000_000 })).client;
    await waitFor(async () => (await cluster.stream()).replicas === 3);
  }, 180_000);

  afterAll(async () => {
    await stack.stop();
    await Promise.all([cluster.close(), receiver.close()]);
  });

  function startLoad(): Load {
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    return new Load(client, { prompt: '[[delay:300ms]] [[fail:error]] a lake', webhook_url }, CLIENTS);
  }

  async function moreAccepted(load: Load, count: number): Promise<void> {
    const before = load.accepted.length;
    await waitFor(() => load.accepted.length >= before + count, { timeoutMs: 60_000 });
  }

  it('kill', async () => {
    const load = startLoad();
    await moreAccepted(load, 20);
    for (const name of SERVERS) {
      await cluster.kill(name);
      const from = load.outcomes.length;
      await moreAccepted(load, 40);
      const part = load.outcomes.slice(from);
      console.log(
        name,
        part.length,
        Math.max(...part.map((it) => it.tookMs)),
        part.filter((it) => it.status === 503).length,
        await cluster.stream(),
      );
      await cluster.startAgain(name);
      await waitFor(async () => (await cluster.stream()).isCurrent);
    }
    await load.stop();
    console.log(
      load.longestMs,
      load.outcomes.filter((o) => o.tookMs > 1000),
      load.losses,
    );
    for (const id of load.accepted) await client.ended(id, 60_000);
    await waitFor(() => load.accepted.every((id) => deliveredTo(receiver).has(id)), { timeoutMs: 60_000 });
  }, 240_000);
});

function deliveredTo(receiver: HttpsReceiver): Set<string> {
  return new Set(receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as WebhookEvent).data.object.id));
}
