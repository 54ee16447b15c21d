import { Client } from 'pg';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, TestBroker, waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import { LocalStack } from '../support/local-stack';
import { liftStrike, listStrikes, openAccount, showStatus, verifyLedger } from '../support/operator';

const CLIENTS = 4;
const CREATES_PER_CLIENT = 15;
/** The number of strikes that suspends an account. */
const STRIKES = 5;

describe('a broker whose whole store is deleted under load', () => {
  let broker: TestBroker;
  let receiver: HttpsReceiver;
  let stack: LocalStack;

  beforeAll(async () => {
    [broker, receiver] = await Promise.all([TestBroker.start(), HttpsReceiver.start()]);
    stack = await LocalStack.start({
      smallImages: true,
      env: {
        NATS_URL: broker.url,
        KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
      },
    });
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await Promise.all([broker.close(), receiver.close()]);
  });

  it('loses no accepted job, no money and no webhook', async () => {
    const { client } = await openAccount(stack);
    const before = await client.balanceMicros();
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    const accepted: string[] = [];
    // Retries with the same key until the service responds, as a client should.
    const create = (key: string): Promise<string> =>
      waitFor(
        async () => {
          // Fails fast: this test covers the end of jobs, not the drawing of images.
          const body = { prompt: `[[delay:300ms]] [[fail:error]] ${key}`, webhook_url };
          const answer = await client.post<Job>('/images/generations', body, { 'Idempotency-Key': key });
          if (answer.status === 503) return null;
          if (answer.status !== 202 && answer.status !== 200) throw new Error(`A create answered ${answer.status}.`);
          return answer.body.id;
        },
        { timeoutMs: 60_000 },
      );
    const clientNumber = async (number: number): Promise<void> => {
      for (let index = 0; index < CREATES_PER_CLIENT; index++) accepted.push(await create(`${number}-${index}`));
    };
    const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => clientNumber(number)));
    await waitFor(() => accepted.length >= 10);
    await broker.stop();
    await broker.wipe();
    await broker.startAgain();
    await load;

    for (const id of accepted) expect(await client.ended(id, 60_000)).toMatchObject({ status: 'failed' });
    expect(new Set(accepted).size).toBe(CLIENTS * CREATES_PER_CLIENT);
    await waitFor(async () => (await client.balanceMicros()) === before, { timeoutMs: 60_000 });
    await waitFor(() => accepted.every((id) => eventIdsOf(receiver, id).size === 1), { timeoutMs: 60_000 });
    await waitFor(async () => (await verifyLedger(stack)).ok);
  }, 240_000);

  it('suspends for strikes, and reverts that for a lifted strike, although billing receives neither event', async () => {
    const { client, accountId } = await openAccount(stack);
    const accepted = await Promise.all(
      Array.from({ length: STRIKES }, (_, index) =>
        client.generate({ prompt: `[[delay:2s]] [[output:blocked]] ${index}` }),
      ),
    );
    await whileBillingIsDown(async () => {
      await waitFor(async () => (await listStrikes(stack, accountId)).length === STRIKES, { timeoutMs: 60_000 });
    });
    await waitFor(async () => (await showStatus(stack, accountId)) === 'suspended', { timeoutMs: 30_000 });
    for (const { id } of accepted) expect(await client.ended(id, 60_000)).toMatchObject({ status: 'failed' });

    await whileBillingIsDown(async () => {
      const [strike] = await listStrikes(stack, accountId);
      await liftStrike(stack, strike?.strike_id ?? '');
    });
    await waitFor(async () => (await showStatus(stack, accountId)) === 'active', { timeoutMs: 30_000 });
  }, 240_000);

  /** Events of moderation that are lost with the broker's store before billing is back. */
  async function whileBillingIsDown(work: () => Promise<void>): Promise<void> {
    const { processes, database_url } = await stack.describe();
    const { pid } = processes['billing'] ?? { pid: 0 };
    // Stopped, not killed: the launcher would restart it at once.
    process.kill(pid, 'SIGSTOP');
    await work();
    await waitFor(async () => (await countUnpublished(database_url)) === 0, { timeoutMs: 30_000 });
    await broker.stop();
    await broker.wipe();
    await broker.startAgain();
    process.kill(pid, 'SIGKILL');
    await waitFor(async () => (await stack.describe()).processes['billing']?.pid !== pid, { timeoutMs: 30_000 });
  }
});

/** Events of moderation that the broker has not stored yet. */
async function countUnpublished(databaseUrl: string): Promise<number> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ events: number }>(
      'SELECT count(*)::integer AS events FROM moderation.outbox',
    );
    return rows[0]?.events ?? 0;
  } finally {
    await database.end();
  }
}

function eventIdsOf(receiver: HttpsReceiver, jobId: string): Set<string> {
  const events = receiver.requests.map(({ body }) => JSON.parse(body.toString()) as WebhookEvent);
  return new Set(events.filter(({ data }) => data.object.id === jobId).map(({ id }) => id));
}
