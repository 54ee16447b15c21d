import { useBilling, runConcurrently, countByOutcome } from './billing.fixtures';
import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { AdjustBalance, GrantCredit, TopUp } from '../src/use-cases/change-balance.use-case';
import { GetStatement } from '../src/use-cases/list-statement.query';

const billing = useBilling();

describe('a balance that an operator changes', () => {
  let account_id: string;

  beforeEach(async () => {
    ({ account_id } = await billing.createAccount({ balance_micros: 100 }));
  });

  const adjust = (amount_micros: number) =>
    billing.get(AdjustBalance).execute({ account_id, amount_micros, reason: 'a mistake' });
  const balance = async () => (await billing.show(account_id)).balance_micros;

  it('goes up and down, with a reason in the statement', async () => {
    await billing.get(GrantCredit).execute({ account_id, amount_micros: 7, reason: 'welcome' });
    await adjust(5);
    expect(await adjust(-12)).toMatchObject({ balance_micros: 100 });
    const { data } = await billing.get(GetStatement).execute({ account_id });
    const lines = data.map((line) => [line.kind, line.balance_delta_micros, line.balance_after_micros, line.reason]);
    expect(lines).toEqual([
      ['top_up', 100, 100, 'opening balance'],
      ['credit', 7, 107, 'welcome'],
      ['adjustment', 5, 112, 'a mistake'],
      ['adjustment', -12, 100, 'a mistake'],
    ]);
  });

  it('never goes below zero in concurrent changes, and held money is not taken', async () => {
    await billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 40 });
    const outcomes = await runConcurrently(30, async () => {
      await adjust(-7);
      return 'taken';
    });
    expect(countByOutcome(outcomes)).toEqual({ taken: 8, invalid_body: 22 });
    expect(await billing.show(account_id)).toMatchObject({
      balance_micros: 4,
      held_micros: 40,
    });
  });

  it.each([0, 0.5, Number.MAX_SAFE_INTEGER, -101])('is unchanged by a refused amount of %d', async (amount) => {
    await expect(adjust(amount)).rejects.toMatchObject({ code: 'invalid_body', param: 'amount_micros' });
    expect(await balance()).toBe(100);
    expect(await billing.actionsOf(account_id)).toHaveLength(1);
  });

  it('is not adjusted without a reason', async () => {
    const refused = billing.get(AdjustBalance).execute({ account_id, amount_micros: 1 } as never);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'reason' });
  });

  it('is taken from once for a reference, also where it is empty afterwards', async () => {
    const take = (amount_micros: number) =>
      billing.get(AdjustBalance).execute({ account_id, amount_micros, reason: 'a mistake', reference: 'form 1' });
    const first = await take(-100);
    expect(first).toMatchObject({ balance_micros: 0, entry_repeated: false });
    expect(await take(-100)).toMatchObject({ balance_micros: 0, entry_repeated: true, entry_id: first.entry_id });
    const refused = {
      code: 'invalid_body',
      param: 'reference',
      message: expect.stringContaining('an adjustment of -100 '),
    };
    for (const other of [100, -99, -101]) await expect(take(other)).rejects.toMatchObject(refused);
    expect(await balance()).toBe(0);
  });

  it('is taken from once by concurrent requests with one reference', async () => {
    const take = () =>
      billing.get(AdjustBalance).execute({ account_id, amount_micros: -60, reason: 'a mistake', reference: 'form 2' });
    const entries = await runConcurrently(30, async () => (await take()).entry_id ?? '');
    expect(new Set(entries).size).toBe(1);
    expect(await balance()).toBe(40);
  });

  it('is recorded with actor, change and reason, newest first', async () => {
    await billing.get(TopUp).execute({ account_id, amount_micros: 3, actor: 'ada', reason: 'invoice 7' });
    await billing.setStatus({ account_id, status: 'paused' });
    const data = await billing.actionsOf(account_id);
    expect(data).toMatchObject([
      { action: 'set_status', actor: null, reason: null, details: { status: 'paused' } },
      { action: 'top_up', actor: 'ada', reason: 'invoice 7', details: { amount_micros: 3 } },
      { action: 'create_account', details: { name: 'test', balance_micros: 100 } },
    ]);
  });

  it.each(['UPDATE operator_action SET actor = NULL', 'DELETE FROM operator_action', 'TRUNCATE operator_action'])(
    'leaves an audit trail that the database protects from: %s',
    async (sql) => {
      await expect(billing.database.execute(statement('', sql))).rejects.toThrow(/permission denied|append-only/);
      await billing.database.execute(statement('', 'GRANT ALL ON operator_action TO CURRENT_USER'));
      await expect(billing.database.execute(statement('', sql))).rejects.toThrow('append-only');
    },
  );
});
