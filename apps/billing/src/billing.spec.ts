import { createHash } from 'node:crypto';
import {
  type TestBus,
  type TestDatabase,
  type TestService,
  TestBroker,
  connectTestBus,
  createTestDatabase,
  startTestService,
} from '@kinora/testing';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { v7 as uuidv7 } from 'uuid';
import { billingKit } from './billing.fixtures';
import { BillingModule } from './billing.module';
import { migrations } from './migrations/migrations';

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
  }, 60_000);
  afterAll(async () => {
    await caller.close();
    await service.close();
    await broker.close();
    await database.close();
  });

  const ask = <Request, Response>(
    contract: RpcContract<Request, Response>,
    request: NoInfer<Request>,
  ): Promise<Response> => caller.bus.request(contract, request);

  it('takes an account from its first key to a charged job', async () => {
    const opened = await ask(billingAdminRpc.createAccount, { name: 'Ada', balance_micros: 100 });
    const { account_id, api_key, api_key_id } = opened;
    const key_sha256 = createHash('sha256').update(api_key).digest('hex');
    expect(await ask(billingRpc.admit, { key_sha256, tokens: 1 })).toMatchObject({ account_id, api_key_id });
    const [charged, given_back] = [{ job_id: uuidv7() }, { job_id: uuidv7() }];
    await ask(billingRpc.reserve, { account_id, ...charged, amount_micros: 40 });
    await ask(billingRpc.reserve, { account_id, ...given_back, amount_micros: 50 });
    expect((await ask(billingAdminRpc.listHolds, { account_id })).data).toHaveLength(2);
    expect(await ask(billingRpc.capture, charged)).toEqual({ state: 'captured' });
    expect(await ask(billingRpc.refund, given_back)).toEqual({ state: 'refunded' });
    expect(await ask(billingRpc.getAccount, { account_id, api_key_id })).toMatchObject({ balance_micros: 60 });
    expect((await ask(billingAdminRpc.getStatement, { account_id })).data).toHaveLength(5);
    await ask(billingAdminRpc.revokeKey, { api_key_id });
    await expect(ask(billingRpc.admit, { key_sha256, tokens: 1 })).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect(await ask(billingAdminRpc.verifyLedger, {})).toMatchObject({ ok: true });
  });

  it('refuses across the bus as it refuses at home', async () => {
    const { account_id } = await ask(billingAdminRpc.createAccount, { name: 'Ada', max_concurrent_jobs: 1 });
    const reserve = (amount_micros: number) => ask(billingRpc.reserve, { account_id, job_id: uuidv7(), amount_micros });
    await expect(reserve(1)).rejects.toMatchObject({ code: 'insufficient_balance', status: 402 });
    await reserve(0);
    await expect(reserve(0)).rejects.toMatchObject({ code: 'concurrency_limit', status: 429, retryAfterSeconds: 1 });
    await ask(billingAdminRpc.setStatus, { account_id, status: 'closed', reason: 'asked for' });
    await expect(reserve(0)).rejects.toMatchObject({ code: 'account_closed', status: 403 });
  });

  describe.each([uuidv7(), 'no-uuid', ''])('for the account %j, which nobody has', (account_id) => {
    const requests: [string, () => Promise<unknown>][] = [
      ['showAccount', () => ask(billingAdminRpc.showAccount, { account_id })],
      ['getStatement', () => ask(billingAdminRpc.getStatement, { account_id })],
      ['topUp', () => ask(billingAdminRpc.topUp, { account_id, amount_micros: 1 })],
      ['setStatus', () => ask(billingAdminRpc.setStatus, { account_id, status: 'paused' })],
      ['setLimits', () => ask(billingAdminRpc.setLimits, { account_id, rate_limit_rpm: 1 })],
      ['rotateWebhookSecret', () => ask(billingAdminRpc.rotateWebhookSecret, { account_id })],
      ['createKey', () => ask(billingAdminRpc.createKey, { account_id, name: 'laptop' })],
      ['listKeys', () => ask(billingAdminRpc.listKeys, { account_id })],
      ['revokeKey', () => ask(billingAdminRpc.revokeKey, { api_key_id: account_id })],
      ['listHolds', () => ask(billingAdminRpc.listHolds, { account_id })],
      ['getWebhookSecrets', () => ask(billingRpc.getWebhookSecrets, { account_id })],
    ];

    it.each(requests)('%s answers not_found', async (_, request) => {
      await expect(request()).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  it('refuses a status that does not exist', async () => {
    const { account_id } = await ask(billingAdminRpc.createAccount, { name: 'Ada' });
    const refused = ask(billingAdminRpc.setStatus, { account_id, status: 'deleted' as 'closed' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'status' });
  });
});
