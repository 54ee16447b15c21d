import type { CreateAccountRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import { useBilling } from './billing.fixtures';
import { GetAccount, ListAccounts } from '../src/use-cases/get-account.query';
import { GetStatement } from '../src/use-cases/list-statement.query';
import { GetWebhookSecrets } from '../src/use-cases/rotate-webhook-secret.use-case';
import { ListRecords } from '../src/use-cases/list-records.query';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';
import { CreateAccount } from '../src/use-cases/create-account.use-case';
import type { ListAccountsRequest } from '@kinora/contracts/billing/account-list.rpc';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';

const billing = useBilling();

describe('create account', () => {
  let createAccount: CreateAccount;

  beforeAll(async () => {
    createAccount = billing.get(CreateAccount);
  });

  it('creates an account with the default limits, a key and a webhook secret', async () => {
    const { account_id, api_key, api_key_id, webhook_secret } = await createAccount.execute({ name: 'Ada' });
    expect(isWellFormedApiKey(api_key)).toBe(true);
    expect(webhook_secret).toMatch(/^whsec_[0-9A-Za-z]{32,}$/);
    expect(await billing.get(GetWebhookSecrets).execute({ account_id })).toEqual({ secrets: [webhook_secret] });
    expect(await billing.get(GetAccount).execute({ account_id, api_key_id })).toEqual({
      object: 'account',
      id: account_id,
      name: 'Ada',
      status: 'active',
      currency: 'USD',
      balance_micros: 0,
      balance_usd: 0,
      rate_limit_rpm: 60,
      max_concurrent_jobs: 5,
      retention_days: 7,
      auto_recharge: { enabled: false, threshold_usd: null, amount_usd: null },
      webhook_signing_configured: true,
      api_key: { id: api_key_id, name: 'default', prefix: api_key.slice(0, 12) },
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('enters the opening balance into the ledger, to the micro', async () => {
    const { account_id, api_key_id } = await createAccount.execute({ name: 'Ada', balance_micros: 10_000_001 });
    const account = await billing.get(GetAccount).execute({ account_id, api_key_id });
    expect(account).toMatchObject({ balance_micros: 10_000_001, balance_usd: 10.000001 });
    const { data } = await billing.get(GetStatement).execute({ account_id });
    expect(data).toMatchObject([{ kind: 'top_up', amount_micros: 10_000_001, reason: 'opening balance' }]);
    expect(await billing.get(VerifyLedger).execute()).toMatchObject({ ok: true });
  });

  it('opens one account and one credit for one id, however often the request is sent', async () => {
    const account_id = uuidv7();
    const send = () => createAccount.execute({ account_id, name: 'Ada', credit_micros: 7 });
    const answers = await Promise.allSettled([send(), send()]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(send()).rejects.toMatchObject({ code: 'invalid_body', param: 'account_id' });
    const { data } = await billing.get(GetStatement).execute({ account_id });
    expect(data).toMatchObject([{ kind: 'credit', amount_micros: 7, reason: 'opening credit' }]);
    expect((await billing.get(ListRecords).listKeys({ account_id })).data).toHaveLength(1);
  });

  it('accepts any positive limit', async () => {
    const limits = {
      rate_limit_rpm: Number.MAX_SAFE_INTEGER,
      max_concurrent_jobs: 1_000_000_000_000,
      retention_days: 365,
    };
    const { account_id, api_key_id } = await createAccount.execute({ name: 'Ada', ...limits });
    expect(await billing.get(GetAccount).execute({ account_id, api_key_id })).toMatchObject(limits);
  });

  it.each<[string, object]>([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 7 }],
    ['name', { name: 'a\0b' }],
    ['name', { name: '\ud800' }],
    ['name', { name: 'n'.repeat(101) }],
    ['balance_micros', { name: 'Ada', balance_micros: -1 }],
    ['balance_micros', { name: 'Ada', balance_micros: 0.5 }],
    ['credit_micros', { name: 'Ada', credit_micros: -1 }],
    ['account_id', { name: 'Ada', account_id: uuidv4() }],
    ['rate_limit_rpm', { name: 'Ada', rate_limit_rpm: 0 }],
    ['max_concurrent_jobs', { name: 'Ada', max_concurrent_jobs: '5' }],
    ['retention_days', { name: 'Ada', retention_days: 366 }],
    ['retention_days', { name: 'Ada', retention_days: null }],
  ])('names an invalid %s: %j', async (param, request) => {
    const refused = createAccount.execute(request as CreateAccountRequest);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param });
  });
});

describe('list accounts', () => {
  const create = (name: string) => billing.createAccount({ name, balance_micros: 7 });
  const list = (request: ListAccountsRequest) => billing.get(ListAccounts).execute(request);
  const idsOf = async (request: ListAccountsRequest) => (await list(request)).data.map(({ account_id }) => account_id);

  it('finds an account by a part of its name, a prefix of its id, or the shown prefix of a key', async () => {
    const ada = await create('Ada 100% Lovelace_1');
    await create('Bob 100 of them');
    const wanted = [ada.account_id];
    for (const search of ['lovelace', '100% L', 'LACE_', ada.account_id.slice(0, 30), ada.api_key.slice(0, 12)])
      expect({ search, found: await idsOf({ search }) }).toEqual({ search, found: wanted });
    // A search has no wildcards.
    for (const search of ['100_', 'Ada%1', ada.account_id.slice(1), ada.api_key.slice(1, 12)])
      expect({ search, found: await idsOf({ search }) }).toEqual({ search, found: [] });
    expect((await list({ search: 'lovelace' })).data).toEqual([
      {
        account_id: ada.account_id,
        name: 'Ada 100% Lovelace_1',
        status: 'active',
        balance_micros: 7,
        in_flight_jobs: 0,
        created_at: expect.stringMatching(/Z$/) as string,
      },
    ]);
  });

  it('shows each once, newest first, page by page, while others are created', async () => {
    const created: string[] = [];
    for (let index = 0; index < 5; index++) created.push((await create('paged')).account_id);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list({ search: 'paged', limit: 2, ...(cursor && { cursor }) });
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.data.map(({ account_id }) => account_id));
      cursor = page.next_cursor;
      await create('paged');
    }
    expect(seen).toEqual(created.toReversed());
  });

  it('finds the names of accounts by their ids', async () => {
    const { account_id } = await create('named');
    const request = { account_ids: [account_id, uuidv7()] };
    expect(await billing.get(ListAccounts).findNames(request)).toEqual({ names: { [account_id]: 'named' } });
    for (const account_ids of [['x'], Array<string>(101).fill(account_id)])
      await expect(billing.get(ListAccounts).findNames({ account_ids })).rejects.toMatchObject({
        param: 'account_ids',
      });
  });

  it('shows accounts of one status alone', async () => {
    const { account_id } = await create('quiet');
    await create('quiet');
    await billing.setStatus({ account_id, status: 'paused' });
    expect(await idsOf({ search: 'quiet', status: 'paused' })).toEqual([account_id]);
  });

  it.each<[string, object]>([
    ['limit', { limit: 101 }],
    ['limit', { limit: 0 }],
    ['cursor', { cursor: 'x' }],
    ['search', { search: '' }],
    ['status', { status: 'happy' }],
  ])('names an invalid %s: %j', async (param, request) => {
    await expect(list(request)).rejects.toMatchObject({ code: 'invalid_body', param });
  });
});
