import { v7 as uuidv7 } from 'uuid';
import { useBilling, runConcurrently } from './billing.fixtures';
import { TopUp } from '../src/use-cases/change-balance.use-case';
import { GetStatement } from '../src/use-cases/list-statement.query';

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
