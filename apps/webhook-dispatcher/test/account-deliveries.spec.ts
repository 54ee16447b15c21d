import { randomUUID } from 'node:crypto';
import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import type { ListAccountDeliveriesRequest } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import { REQUESTED_PER_HOUR } from '../src/delivery/requested-delivery.repository';
import { ListAccountDeliveries } from '../src/use-cases/list-account-deliveries.query';
import { ListDeliveries } from '../src/use-cases/list-deliveries.query';
import { RedeliverForAccount } from '../src/use-cases/redeliver-event.use-case';
import { TestAccountWebhook } from '../src/use-cases/send-test-event.use-case';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const dispatcher = useDispatcher();

const KEY = randomUUID();
const LOCK_DELIVERIES = statement('spec_lock_deliveries', 'LOCK TABLE delivery IN EXCLUSIVE MODE');
const WAITING = statement(
  'spec_waiting_requests',
  `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
     AND (query LIKE '%requested deliveries of%' OR query LIKE 'INSERT INTO delivery %FOR KEY SHARE')`,
);

describe('deliveries of an account', () => {
  const list = (request: Omit<ListAccountDeliveriesRequest, 'limit'> & { limit?: number }) =>
    dispatcher.get(ListAccountDeliveries).execute({ limit: 100, ...request });
  const get = (account_id: string, delivery_id: string) =>
    dispatcher.get(ListAccountDeliveries).get({ account_id, delivery_id });
  const test = (account_id: string, url = dispatcher.hookUrl()) =>
    dispatcher.get(TestAccountWebhook).execute({ account_id, api_key_id: KEY, url });
  const redeliver = (account_id: string, delivery_id: string) =>
    dispatcher.get(RedeliverForAccount).execute({ account_id, api_key_id: KEY, delivery_id });
  const delivered = (account_id: string, id: string) =>
    waitFor(async () => {
      const delivery = await get(account_id, id);
      return delivery.status === 'delivered' ? delivery : null;
    });

  async function write(account_id: string, count: number): Promise<void> {
    const events = Array.from({ length: count }, () => ({ ...jobFinished(dispatcher.hookUrl()), account_id }));
    await dispatcher.insert(events);
  }

  it('show what the receiver answered, without a secret or a signature that it sends back', async () => {
    const account = randomUUID();
    dispatcher.receiver.answer = ({ headers }, response) =>
      response.writeHead(200).end(`\u001bgot ${String(headers['x-service-signature'])} whsec_new ${'x'.repeat(9_000)}`);
    const { id, job_id } = await test(account);
    const { attempts, attempt_count, ...delivery } = await delivered(account, id);
    expect(delivery).toMatchObject({
      object: 'webhook_delivery',
      id,
      job_id,
      url: dispatcher.hookUrl(),
      redelivery_of: null,
    });
    expect(attempt_count).toBe(1);
    const [attempt] = attempts;
    expect(attempt).toMatchObject({ number: 1, response_status: 200, error: null });
    expect(attempt?.response_body).toMatch(/^\ufffdgot \[redacted\] \[redacted\] x+$/);
    expect(Buffer.byteLength(attempt?.response_body ?? '')).toBe(1024);
    expect(Object.keys(attempt ?? {}).sort()).toEqual(
      ['number', 'ended_at', 'response_status', 'latency_ms', 'response_body', 'error'].sort(),
    );
  });

  it('are repeated under a new id, in the name of the key, and not for another account', async () => {
    const account = randomUUID();
    dispatcher.answer(200);
    const { id, event_id } = await test(account);
    const fresh = await redeliver(account, id);
    expect(fresh).toMatchObject({ event_id, redelivery_of: id, status: 'pending' });
    await delivered(account, fresh.id);
    expect((await dispatcher.get(ListDeliveries).get(fresh.id)).delivery.requested_by).toBe(KEY);
    const other = randomUUID();
    for (const unknown of [redeliver(other, id), redeliver(account, randomUUID()), get(other, id), get(account, 'x')])
      await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    expect((await list({ account_id: other })).data).toEqual([]);
  });

  it('are listed newest first, by page, and by job, state, host and time', async () => {
    const account = randomUUID();
    dispatcher.answer(200);
    await write(account, 5);
    const { data: all } = await list({ account_id: account });
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    const first = await list({ account_id: account, limit: 2 });
    const second = await list({ account_id: account, limit: 3, cursor: first.next_cursor ?? '' });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    const found = async (filter: Partial<ListAccountDeliveriesRequest>) =>
      (await list({ account_id: account, ...filter })).data.length;
    expect(await found({ job_id: all[0]?.job_id ?? '' })).toBe(1);
    expect(await found({ host: `127.0.0.1:${dispatcher.receiver.port}` })).toBe(5);
    expect(await found({ host: '127.0.0.1' })).toBe(0);
    expect(await found({ since: new Date(Date.now() - 60_000).toISOString() })).toBe(5);
    expect(await found({ since: new Date(Date.now() + 60_000).toISOString() })).toBe(0);
    expect(await found({ status: 'exhausted' })).toBe(0);
  });

  it.each([
    [{ job_id: 'x' }, 'job_id'],
    [{ cursor: 'x' }, 'cursor'],
    [{ host: 'a/b' }, 'host'],
    [{ host: 'user@a' }, 'host'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '1969-01-01' }, 'since'],
  ])('refuse the filter %j', async (filter, param) => {
    await expect(list({ account_id: randomUUID(), ...filter })).rejects.toMatchObject({ code: 'invalid_query', param });
  });

  it.each(['http://example.com/', 'https://10.0.0.1/', 'https://localhost/', 'https://127.0.0.1:1/', 'nonsense'])(
    'are not tested at an address that is not public: %s',
    async (url) => {
      await expect(test(randomUUID(), url)).rejects.toMatchObject({ code: 'invalid_body', param: 'url' });
    },
  );

  it('are requested a bounded number of times an hour, also at once, and those of others are not counted', async () => {
    const account = randomUUID();
    dispatcher.answer(200);
    await write(account, 3);
    const { id } = await test(account);
    for (let requested = 1; requested < REQUESTED_PER_HOUR - 1; requested++) await redeliver(account, id);
    // The table is locked until both wait, so neither has written its delivery when the other one counts.
    const { ends } = await dispatcher.database.transaction(async (transaction) => {
      await transaction.execute(LOCK_DELIVERIES);
      const requests = Promise.allSettled([redeliver(account, id), redeliver(account, id)]);
      await waitFor(async () => (await dispatcher.database.query(WAITING)).length === 2);
      return { ends: requests };
    });
    expect((await ends).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(test(account)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: expect.any(Number) as number,
    });
    await expect(test(randomUUID())).resolves.toBeDefined();
  });
});
