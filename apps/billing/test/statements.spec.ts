import { v7 as uuidv7 } from 'uuid';
import { runConcurrently, useBilling } from './billing.fixtures';
import { TopUp } from '../src/use-cases/change-balance.use-case';
import { GetStatement, ListAccountStatement } from '../src/use-cases/list-statement.query';
import type { StatementEntry } from '@kinora/contracts/billing/statement';
import { SelfService } from './self-service.fixtures';

const billing = useBilling();

describe('statement', () => {
  let getStatement: GetStatement;
  let account_id: string;

  beforeAll(async () => {
    getStatement = billing.get(GetStatement);
  });
  beforeEach(async () => {
    const account = { name: 'test', balance_micros: 100, max_concurrent_jobs: 100 };
    ({ account_id } = await billing.createAccount(account));
  });

  it('lists each move of money with the balance after it, oldest first', async () => {
    const [captured, refunded] = [uuidv7(), uuidv7()];
    await billing.reserve({ account_id, job_id: captured, amount_micros: 30 });
    await billing.reserve({ account_id, job_id: refunded, amount_micros: 50 });
    await billing.refund(refunded);
    await billing.capture(captured);
    await billing.get(TopUp).execute({ account_id, amount_micros: 7, reason: 'goodwill' });
    const { data } = await getStatement.execute({ account_id });
    const lines = data.map((line) => [line.kind, line.balance_delta_micros, line.balance_after_micros, line.job_id]);
    expect(lines).toEqual([
      ['top_up', 100, 100, null],
      ['reserve', -30, 70, captured],
      ['reserve', -50, 20, refunded],
      ['refund', 50, 70, refunded],
      ['capture', 0, 70, captured],
      ['top_up', 7, 77, null],
    ]);
    expect(data.at(-1)).toMatchObject({ amount_micros: 7, reason: 'goodwill', entry_id: expect.any(String) });
  });

  it('computes the right balances when only the newest lines are requested', async () => {
    for (const amount_micros of [1, 2, 3]) await billing.get(TopUp).execute({ account_id, amount_micros });
    const { data } = await getStatement.execute({ account_id, limit: 2 });
    expect(data.map(({ balance_after_micros }) => balance_after_micros)).toEqual([103, 106]);
  });

  it('continues page by page until the first entry', async () => {
    for (const amount_micros of [1, 2, 3]) await billing.get(TopUp).execute({ account_id, amount_micros });
    const newest = await getStatement.execute({ account_id, limit: 2 });
    const before_entry_id = newest.next_before_entry_id ?? '';
    const { data, next_before_entry_id } = await getStatement.execute({ account_id, limit: 2, before_entry_id });
    expect(data.map(({ balance_after_micros }) => balance_after_micros)).toEqual([100, 101]);
    expect(next_before_entry_id).toBeNull();
  });

  it('never shows a balance below zero with concurrent jobs', async () => {
    await runConcurrently(300, async () => {
      const job_id = uuidv7();
      await billing.reserve({ account_id, job_id, amount_micros: 40 });
      await billing.refund(job_id);
    });
    const { data } = await getStatement.execute({ account_id, limit: 1_000 });
    expect(data.filter(({ balance_after_micros }) => balance_after_micros < 0)).toEqual([]);
    expect(data.at(-1)?.balance_after_micros).toBe(100);
  });

  it.each([0, 1_001, 1.5])('refuses a limit of %d lines', async (limit) => {
    const refused = getStatement.execute({ account_id, limit });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'limit' });
  });

  it.each([
    ['nothing', 0],
    ['less than nothing', -5],
    ['more than can be counted', Number.MAX_SAFE_INTEGER],
  ])('has no line for a refused top-up of %s', async (_, amount_micros) => {
    const refused = billing.get(TopUp).execute({ account_id, amount_micros });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'amount_micros' });
    expect(await billing.show(account_id)).toMatchObject({ balance_micros: 100 });
    expect((await getStatement.execute({ account_id })).data).toHaveLength(1);
  });
});

const list = (account: SelfService, limit: number, cursor?: string) =>
  billing.get(ListAccountStatement).execute({ ...account.caller, limit, ...(cursor !== undefined && { cursor }) });

/** Every entry by pages of the size; money moves before each of them. */
async function readAll(account: SelfService, limit: number): Promise<StatementEntry[]> {
  const entries: StatementEntry[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(account, limit, cursor ?? undefined);
    entries.push(...page.data);
    cursor = page.next_cursor;
    await billing.get(TopUp).execute({ account_id: account.caller.account_id, amount_micros: 1 });
  } while (cursor !== null);
  return entries;
}

async function openWithHistory(): Promise<SelfService> {
  const account = await SelfService.open(billing, 1_000);
  const [charged, refunded] = [uuidv7(), uuidv7()];
  for (const job of [charged, refunded]) await account.reserve(account.caller.api_key_id, job, 100);
  await billing.capture(charged);
  await billing.refund(refunded);
  const { account_id } = account.caller;
  await billing.get(TopUp).execute({ account_id, amount_micros: 50, reason: 'private words', reference: 'private' });
  return account;
}

describe('the statement of an account', () => {
  it('has every entry with its kind, its job and the balance after it, newest first', async () => {
    const account = await openWithHistory();
    const { data, has_more, next_cursor } = await list(account, 100);
    expect(
      data.map(({ kind, balance_delta_micros, balance_after_micros }) => [
        kind,
        balance_delta_micros,
        balance_after_micros,
      ]),
    ).toEqual([
      ['top_up', 50, 950],
      ['refund', 100, 900],
      ['capture', 0, 800],
      ['reserve', -100, 800],
      ['reserve', -100, 900],
      ['top_up', 1_000, 1_000],
    ]);
    expect([has_more, next_cursor]).toEqual([false, null]);
    expect(data[1]?.job_id).toBe(data[3]?.job_id);
    expect(Object.keys(data[0] ?? {}).sort()).toEqual(
      [
        'object',
        'id',
        'kind',
        'amount_micros',
        'balance_delta_micros',
        'balance_after_micros',
        'job_id',
        'created_at',
      ].sort(),
    );
    expect(JSON.stringify(data)).not.toContain('private');
  });

  it.each([1, 2, 4])('is the same by pages of %d, while money moves', async (limit) => {
    const account = await openWithHistory();
    const whole = (await list(account, 100)).data;
    expect(await readAll(account, limit)).toEqual(whole);
  });

  it.each(['', 'x', '1.5', Buffer.from('1').toString('base64url'), Buffer.from('1.-5').toString('base64url')])(
    'refuses a cursor that is none: %j',
    async (cursor) => {
      const account = await SelfService.open(billing);
      await expect(list(account, 1, cursor)).rejects.toMatchObject({ code: 'invalid_query', param: 'cursor' });
    },
  );

  it('is for keys of the scope account, and of this account only', async () => {
    const account = await openWithHistory();
    const { id } = await account.create();
    await expect(list(account.by(id), 1)).rejects.toMatchObject({ code: 'scope_required' });
    const other = await SelfService.open(billing, 7);
    expect((await list(other, 100, (await list(account, 1)).next_cursor ?? '')).data).toEqual([]);
  });
});
