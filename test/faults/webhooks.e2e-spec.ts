import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, type ReceivedRequest, waitFor } from '@kinora/testing';
import type { Client } from 'pg';
import Stripe from 'stripe';
import { residentMemoryMb } from '../bench/idle-memory';
import type { ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const JOBS = 12;
/**
 * The leases of dead processes last half a minute. This statement makes their deliveries due, so that the test sees the
 * takeover.
 */
const END_LEASES = `
  UPDATE webhook_dispatcher.delivery SET next_attempt_at = clock_timestamp() WHERE status = 'pending' AND fence > 0`;
const CUT_CONNECTIONS = `
  SELECT count(pg_terminate_backend(pid))::integer AS cut FROM pg_stat_activity WHERE usename LIKE '%webhook_dispatcher'`;
const COUNT_ATTEMPTED = `
  SELECT count(*)::integer AS attempted FROM webhook_dispatcher.delivery WHERE account_id = $1 AND attempts = 1`;
/** The memory growth of a process that the worst receivers may cause, including garbage that is not collected yet. */
const MAX_GROWTH_MB = 50;

describe('webhooks under crashes and with hostile receivers', () => {
  let stack: LocalStack;
  let database: Client;
  let receiver: HttpsReceiver;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start();
    stack = await LocalStack.start({
      smallImages: true,
      env: {
        KINORA_EGRESS_ALLOW: '127.0.0.0/8',
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
        KINORA_REPLICAS: 'webhook-dispatcher=2',
      },
    });
    database = await stack.connect();
  }, 120_000);
  afterAll(async () => {
    await stack.stop();
    await receiver.close();
  });
  beforeEach(() => (receiver.requests.length = 0));

  const hookUrl = (): string => `https://127.0.0.1:${receiver.port}/hook`;
  const fail = (client: ApiClient, webhook_url: string) =>
    client.generate({ prompt: '[[fail:error]] a lake', webhook_url });

  async function dispatchers(): Promise<[name: string, pid: number][]> {
    const { processes } = await stack.describe();
    return Object.entries(processes)
      .filter(([name]) => name.startsWith('webhook-dispatcher'))
      .map(([name, { pid }]) => [name, pid]);
  }

  function requestsByJob(): Map<string, ReceivedRequest[]> {
    const byJob = new Map<string, ReceivedRequest[]>();
    for (const request of receiver.requests) {
      const event = JSON.parse(request.body.toString()) as { data: { object: { id: string } } };
      const { id } = event.data.object;
      byJob.set(id, [...(byJob.get(id) ?? []), request]);
    }
    return byJob;
  }

  const verify = ({ body, headers }: ReceivedRequest, secret: string): string =>
    Stripe.webhooks.constructEvent(body, String(headers['x-service-signature']), secret).id;

  it('are retried with the same ids and the same bytes when every dispatcher is killed in the middle of a request', async () => {
    const { client, webhookSecret } = await openAccount(stack);
    receiver.answer = () => undefined;
    const before = await dispatchers();
    const { id } = await fail(client, hookUrl());
    await waitFor(() => requestsByJob().get(id)?.length === 1);
    for (const [, pid] of before) process.kill(pid, 'SIGKILL');
    receiver.answer = (_request, response) => response.writeHead(200).end();
    await waitFor(async () => (await dispatchers()).every(([, pid]) => before.every(([, dead]) => pid !== dead)), {
      timeoutMs: 30_000,
    });
    await database.query(END_LEASES);
    const requests = await waitFor(() => {
      const all = requestsByJob().get(id) ?? [];
      return all.length > 1 ? all : null;
    });
    const growth = requests.map((request) => ({
      event: verify(request, webhookSecret),
      delivery: request.headers['x-service-delivery'],
      body: request.body.toString(),
    }));
    expect(growth).toHaveLength(2);
    expect(growth[1]).toEqual(growth[0]);
  });

  it('all arrive, each under one id, while dispatchers die and lose their database', async () => {
    const { client, webhookSecret } = await openAccount(stack);
    receiver.answer = (_request, response) => response.writeHead(200).end();
    const jobs: string[] = [];
    for (let round = 0; round < 3; round++) {
      const created = await Promise.all(Array.from({ length: JOBS }, () => fail(client, hookUrl())));
      jobs.push(...created.map(({ id }) => id));
      const [[, pid] = ['', 0]] = await dispatchers();
      process.kill(pid, 'SIGKILL');
      // On a busy machine, the dispatchers of the round before have not connected yet.
      await waitFor(async () => ((await database.query<{ cut: number }>(CUT_CONNECTIONS)).rows[0]?.cut ?? 0) > 0);
      await waitFor(async () => (await dispatchers()).every(([, other]) => other !== pid), { timeoutMs: 30_000 });
    }
    await database.query(END_LEASES);
    await waitFor(() => jobs.every((id) => requestsByJob().has(id)), { timeoutMs: 60_000 });
    const byJob = requestsByJob();
    // The result of the last attempt of the test before may be lost with its dispatcher, which repeats that attempt here.
    for (const requests of jobs.map((id) => byJob.get(id) ?? [])) {
      const ids = requests.map(
        (request) => `${verify(request, webhookSecret)} ${String(request.headers['x-service-delivery'])}`,
      );
      expect(new Set(ids).size).toBe(1);
      expect(new Set(requests.map(({ body }) => body.toString('base64'))).size).toBe(1);
    }
  }, 180_000);

  it('need only bounded memory of a dispatcher, with receivers that flood, drip or do not respond', async () => {
    const { client, accountId } = await openAccount(stack);
    const receivers = await Promise.all(Array.from({ length: 45 }, () => HttpsReceiver.start()));
    receivers.forEach((one, index) => {
      one.answer = (_request, response) => {
        if (index % 3 === 0) return;
        response.writeHead(200);
        const [everyMs, chunk] = index % 3 === 1 ? [50, '.'] : [1, Buffer.alloc(1_048_576)];
        const talk = setInterval(() => !response.destroyed && response.write(chunk), everyMs);
        response.on('close', () => clearInterval(talk));
      };
    });
    const residentMb = async (): Promise<number> =>
      Math.max(
        ...(await Promise.all((await dispatchers()).map(async ([, pid]) => (await residentMemoryMb(pid)) ?? 0))),
      );
    const before = await residentMb();
    let most = 0;
    await Promise.all(receivers.map(({ port }) => fail(client, `https://127.0.0.1:${port}/hook`)));
    await waitFor(
      async () => {
        most = Math.max(most, await residentMb());
        const { rows } = await database.query<{ attempted: number }>(COUNT_ATTEMPTED, [accountId]);
        return rows[0]?.attempted === receivers.length;
      },
      { timeoutMs: 90_000 },
    );
    await Promise.all(receivers.map((one) => one.close()));
    expect(most).toBeGreaterThan(0);
    expect(most - before).toBeLessThan(MAX_GROWTH_MB);
  }, 120_000);
});
