import { countByOutcome, runConcurrently, useBilling } from './billing.fixtures';
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

describe('a top-up with a reference', () => {
  const open = async () => (await billing.createAccount()).account_id;
  const topUp = (account_id: string, amount_micros: number, reference?: string) =>
    billing.get(TopUp).execute({ account_id, amount_micros, ...(reference !== undefined && { reference }) });
  const linesOf = async (account_id: string) => (await billing.get(GetStatement).execute({ account_id })).data;

  it('adds once, and returns the first entry to a repeated request', async () => {
    const account = await open();
    const first = await topUp(account, 500, 'invoice 17');
    const second = await topUp(account, 500, 'invoice 17');

    expect([first.entry_repeated, second.entry_repeated]).toEqual([false, true]);
    expect(second).toMatchObject({ entry_id: first.entry_id, balance_micros: 500 });
    expect(await linesOf(account)).toMatchObject([
      { entry_id: first.entry_id, kind: 'top_up', amount_micros: 500, reference: 'invoice 17' },
    ]);
    const data = await billing.actionsOf(account);
    expect(data.filter(({ action }) => action === 'top_up')).toHaveLength(1);
  });

  it('adds once for concurrent requests', async () => {
    const account = await open();
    const answers = await runConcurrently(50, async () => (await topUp(account, 500, 'invoice 18')).entry_id ?? '');

    expect(new Set(answers).size).toBe(1);
    expect(await linesOf(account)).toMatchObject([{ entry_id: answers[0], balance_after_micros: 500 }]);
  });

  it('refuses the reference for another amount or kind, and names its first use', async () => {
    const account = await open();
    await topUp(account, 500, 'invoice 19');
    const refused = { code: 'invalid_body', param: 'reference' };

    await expect(topUp(account, 501, 'invoice 19')).rejects.toMatchObject(refused);
    await expect(topUp(account, 501, 'invoice 19')).rejects.toThrow('a top_up of 500 micros');
    const credit = { account_id: account, amount_micros: 500, reference: 'invoice 19' };
    await expect(billing.get(GrantCredit).execute(credit)).rejects.toMatchObject(refused);
    expect(await linesOf(account)).toHaveLength(1);
  });

  it('belongs to one account; two top-ups without one add twice', async () => {
    const [one, other] = [await open(), await open()];
    await topUp(one, 500, 'invoice 20');
    expect(await topUp(other, 700, 'invoice 20')).toMatchObject({ balance_micros: 700, entry_repeated: false });
    await topUp(one, 500);
    expect(await topUp(one, 500)).toMatchObject({ balance_micros: 1_500 });
    await expect(topUp(one, 500, '')).rejects.toMatchObject({ param: 'reference' });
  });
});

describe('a credit for a job', () => {
  /** An account whose job of 20 micros is in flight. */
  async function open() {
    const { account_id } = await billing.createAccount({ balance_micros: 100 });
    const job_id = uuidv7();
    await billing.reserve({ account_id, job_id, amount_micros: 20 });
    const refunded = { account_id, refunded_job_id: job_id };
    return {
      job_id,
      giveBack: (amount_micros = 20, other = {}) =>
        billing.get(GrantCredit).execute({ ...refunded, amount_micros, ...other }),
      balance: async () => (await billing.show(account_id)).balance_micros,
    };
  }
  const refused = (message: string) => ({ code: 'invalid_body', param: 'refunded_job_id', message });

  it('gives its price back once, whatever references the requests have', async () => {
    const account = await open();
    await billing.capture(account.job_id);
    const answers = await runConcurrently(10, async (index) => {
      const { entry_repeated } = await account.giveBack(20, { reference: `form ${index}` });
      return entry_repeated ? 'repeated' : 'granted';
    });
    expect(countByOutcome(answers)).toEqual({ granted: 1, repeated: 9 });
    expect(await account.balance()).toBe(100);
  });

  it('is refused while its price is held, and after it has returned', async () => {
    const account = await open();
    const { job_id } = account;
    const held = refused(`Job ${job_id} is not charged yet: try again when it has ended.`);
    await expect(account.giveBack()).rejects.toMatchObject(held);
    await billing.refund(job_id);
    const returned = refused(`Job ${job_id} has cost nothing: its price is back in the balance already.`);
    await expect(account.giveBack()).rejects.toMatchObject(returned);
    expect(await account.balance()).toBe(100);
  });

  it('is never more than the job has cost, and for jobs of the account only', async () => {
    const [account, other] = [await open(), await open()];
    for (const { job_id } of [account, other]) await billing.capture(job_id);
    await expect(account.giveBack(21)).rejects.toMatchObject(refused(`Job ${account.job_id} has cost 20 micros only.`));
    for (const refunded_job_id of [other.job_id, uuidv7()])
      await expect(account.giveBack(20, { refunded_job_id })).rejects.toMatchObject(
        refused(`Job ${refunded_job_id} is no job of this account.`),
      );
    await expect(account.giveBack(20, { refunded_job_id: 'x' })).rejects.toMatchObject({ param: 'refunded_job_id' });
  });
});
