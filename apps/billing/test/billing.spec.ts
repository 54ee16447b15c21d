import {
  type TestBus,
  type TestDatabase,
  type TestService,
  TestBroker,
  connectTestBus,
  createTestDatabase,
  startTestService,
  closeAll,
} from '@kinora/testing';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import type { PageRequest, PartialList } from '@kinora/contracts/shared/page';
import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { billingKit, sha256 } from './billing.fixtures';
import { BillingModule } from '../src/billing.module';
import { migrations } from '../src/migrations/migrations';

const INSERT_AUTO_RECHARGE = statement(
  'spec_insert_auto_recharge',
  `INSERT INTO auto_recharge (account_id, enabled, threshold_micros, amount_micros, payment_method)
   VALUES ($1, false, 1, 500000, 'card')`,
);
const INSERT_PAYMENTS = statement(
  'spec_insert_payments',
  `INSERT INTO payment (id, account_id, provider, amount_micros, payment_method, state, failure, created_at, ended_at)
   SELECT gen_random_uuid(), $1, 'sandbox', 500000, 'card', 'failed', $2, '2026-11-01T00:00:00Z', '2026-11-01T00:00:01Z'
     FROM generate_series(1, 5)`,
);

describe('billing on the bus', () => {
  let database: TestDatabase;
  let broker: TestBroker;
  let service: TestService;
  let caller: TestBus;

  beforeAll(async () => {
    [database, broker] = await Promise.all([createTestDatabase('billing', migrations), TestBroker.start()]);
    const imports = [billingKit(database.url), BillingModule];
    service = await startTestService({ name: 'billing', natsUrl: broker.url, imports });
    caller = await connectTestBus(broker.url);
  });
  afterAll(async () => {
    await closeAll([caller, service, broker, database].map((part) => () => part.close()));
  });

  const call = <Request, Response>(
    contract: RpcContract<Request, Response>,
    request: NoInfer<Request>,
  ): Promise<Response> => caller.bus.request(contract, request);

  const pagesOf = async <Item>(list: (cursor: PageRequest) => Promise<PartialList<Item>>): Promise<Item[][]> => {
    const pages: Item[][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list(cursor === undefined ? {} : { cursor });
      expect(page.has_more).toBe(page.next_cursor !== null);
      pages.push(page.data);
      cursor = page.next_cursor;
    }
    return pages;
  };
  const WIDE = '\u{1f3ac}';

  it('cuts lists of keys and actions at the size limit of a message, and continues after the cut', async () => {
    const { account_id, api_key_id } = await call(billingAdminRpc.createAccount, { name: 'Ada' });
    const allowed_models = Array.from({ length: 100 }, (_, index) => `${100 + index}${WIDE.repeat(197)}`);
    const created: string[] = [api_key_id];
    // Each request has 80 kB.
    for (let count = 0; count < 25; count++)
      created.unshift((await call(billingAdminRpc.createKey, { account_id, name: 'key', allowed_models })).api_key_id);
    const keys = await pagesOf((cursor) => call(billingAdminRpc.listKeys, { account_id, ...cursor }));
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.flat().map((key) => key.api_key_id)).toEqual(created);
    const actions = await pagesOf((cursor) => call(billingAdminRpc.listActions, { account_id, ...cursor }));
    expect(actions.length).toBeGreaterThan(1);
    expect(actions.flat().map(({ action }) => action)).toEqual([
      ...Array<string>(25).fill('create_key'),
      'create_account',
    ]);
    expect(actions.flat()[0]).not.toHaveProperty('id');
  });

  it('cuts a statement in the same way, newest lines first', async () => {
    const { account_id } = await call(billingAdminRpc.createAccount, { name: 'Ada' });
    const reason = WIDE.repeat(500);
    const deposit = () => call(billingAdminRpc.topUp, { account_id, amount_micros: 1, reason });
    for (let count = 0; count < 500; count += 10) await Promise.all(Array.from({ length: 10 }, deposit));
    const newest = await call(billingAdminRpc.getStatement, { account_id, limit: 1_000 });
    expect(newest.data.at(-1)?.balance_after_micros).toBe(500);
    const before_entry_id = newest.next_before_entry_id ?? '';
    const rest = await call(billingAdminRpc.getStatement, { account_id, limit: 1_000, before_entry_id });
    expect(rest.next_before_entry_id).toBeNull();
    const balances = [...rest.data, ...newest.data].map(({ balance_after_micros }) => balance_after_micros);
    expect(balances).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  });

  it('cuts lists of payments, also if they began at the same time', async () => {
    const { account_id } = await call(billingAdminRpc.createAccount, { name: 'Ada' });
    await database.database.execute(INSERT_AUTO_RECHARGE, [account_id]);
    await database.database.execute(INSERT_PAYMENTS, [account_id, 'x'.repeat(400 * 1024)]);
    const payments = await pagesOf((cursor) => call(billingAdminRpc.listPayments, { account_id, ...cursor }));
    expect(payments.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(new Set(payments.flat().map(({ payment_id }) => payment_id)).size).toBe(5);
  });

  it('lists holds after the cursor', async () => {
    const { account_id } = await call(billingAdminRpc.createAccount, { name: 'Ada', balance_micros: 100 });
    const job_ids = [uuidv7(), uuidv7(), uuidv7()];
    for (const job_id of job_ids) await call(billingRpc.reserve, { account_id, job_id, amount_micros: 1 });
    const holdsAfter = async (cursor: string) =>
      (await call(billingAdminRpc.listHolds, { account_id, cursor })).data.map(({ job_id }) => job_id);
    expect(await holdsAfter(job_ids[0] ?? '')).toEqual(job_ids.slice(1));
    await expect(holdsAfter('nonsense')).rejects.toMatchObject({ code: 'invalid_body', param: 'cursor' });
  });

  it('creates an account with a key and charges a job', async () => {
    const opened = await call(billingAdminRpc.createAccount, { name: 'Ada', balance_micros: 100 });
    const { account_id, api_key, api_key_id } = opened;
    const key_sha256 = sha256(api_key);
    expect(await call(billingRpc.admit, { key_sha256, tokens: 1 })).toMatchObject({ account_id, api_key_id });
    const [charged, given_back] = [{ job_id: uuidv7() }, { job_id: uuidv7() }];
    await call(billingRpc.reserve, { account_id, ...charged, amount_micros: 40 });
    await call(billingRpc.reserve, { account_id, ...given_back, amount_micros: 50 });
    expect((await call(billingAdminRpc.listHolds, { account_id })).data).toHaveLength(2);
    expect(await call(billingRpc.capture, charged)).toEqual({ state: 'captured' });
    expect(await call(billingRpc.refund, given_back)).toEqual({ state: 'refunded' });
    expect(await call(billingRpc.getAccount, { account_id, api_key_id })).toMatchObject({ balance_micros: 60 });
    expect((await call(billingAdminRpc.getStatement, { account_id })).data).toHaveLength(5);
    await expect(call(billingAdminRpc.revokeKey, { api_key_id, account_id: uuidv7() })).rejects.toMatchObject({
      ...{ code: 'not_found', param: 'api_key_id' },
    });
    await call(billingAdminRpc.revokeKey, { api_key_id, account_id });
    await expect(call(billingRpc.admit, { key_sha256, tokens: 1 })).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect(await call(billingAdminRpc.verifyLedger, {})).toMatchObject({ ok: true });
  });

  it('returns the same errors over the bus as in process', async () => {
    const { account_id } = await call(billingAdminRpc.createAccount, { name: 'Ada', max_concurrent_jobs: 1 });
    const reserve = (amount_micros: number) =>
      call(billingRpc.reserve, { account_id, job_id: uuidv7(), amount_micros });
    await expect(reserve(1)).rejects.toMatchObject({ code: 'insufficient_balance', status: 402 });
    await reserve(0);
    await expect(reserve(0)).rejects.toMatchObject({ code: 'concurrency_limit', status: 429, retryAfterSeconds: 1 });
    await call(billingAdminRpc.setStatus, { account_id, status: 'closed', reason: 'requested by the customer' });
    await expect(reserve(0)).rejects.toMatchObject({ code: 'account_closed', status: 403 });
  });

  describe.each([uuidv7(), 'no-uuid', ''])('for the unknown account %j', (account_id) => {
    const requests: [string, () => Promise<unknown>][] = [
      ['showAccount', () => call(billingAdminRpc.showAccount, { account_id })],
      ['getStatement', () => call(billingAdminRpc.getStatement, { account_id })],
      ['topUp', () => call(billingAdminRpc.topUp, { account_id, amount_micros: 1 })],
      ['setStatus', () => call(billingAdminRpc.setStatus, { account_id, status: 'paused' })],
      ['setLimits', () => call(billingAdminRpc.setLimits, { account_id, rate_limit_rpm: 1 })],
      ['setPriceGroup', () => call(billingAdminRpc.setPriceGroup, { account_id, price_group: 'resellers' })],
      ['rotateWebhookSecret', () => call(billingAdminRpc.rotateWebhookSecret, { account_id })],
      ['createKey', () => call(billingAdminRpc.createKey, { account_id, name: 'laptop' })],
      ['listKeys', () => call(billingAdminRpc.listKeys, { account_id })],
      ['revokeKey', () => call(billingAdminRpc.revokeKey, { api_key_id: account_id })],
      ['listHolds', () => call(billingAdminRpc.listHolds, { account_id })],
      ['getWebhookSecrets', () => call(billingRpc.getWebhookSecrets, { account_id })],
    ];

    it.each(requests)('%s answers not_found', async (_, request) => {
      await expect(request()).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  it('refuses a status that does not exist', async () => {
    const { account_id } = await call(billingAdminRpc.createAccount, { name: 'Ada' });
    const refused = call(billingAdminRpc.setStatus, { account_id, status: 'deleted' as 'closed' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'status' });
  });
});
