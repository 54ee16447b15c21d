import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { type TestBilling, openBilling } from '../../billing.fixtures';
import { LedgerHourRepository } from '../../wallet/ledger-hour.repository';
import { AdjustBalance } from '../adjust-balance/adjust-balance.use-case';
import { CreateAccount } from '../create-account/create-account.use-case';
import { GrantCredit } from '../grant-credit/grant-credit.use-case';
import { ListLedgerDays } from './list-ledger-days.query';

const INSERT = statement(
  'spec_insert_entry',
  `INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

describe('the ledger by day', () => {
  let billing: TestBilling;

  beforeAll(async () => {
    billing = await openBilling();
  });
  afterAll(() => billing.close());

  const open = async () => (await billing.get(CreateAccount).execute({ name: 'a' })).account_id;
  const today = () => new Date().toISOString().slice(0, 10);

  it('shows captures and refunds apart, so that no refund is counted as spend, whether its hour was summed up or not', async () => {
    const account = await open();
    const insert = (kind: string, debit: string, credit: string, micros: number) => {
      const values = [account, kind, debit, credit, micros, uuidv7(), new Date('2026-03-04T10:59:59Z')];
      return billing.database.execute(INSERT, values);
    };
    await insert('reserve', 'available', 'held', 70);
    await insert('capture', 'held', 'revenue', 40);
    await insert('refund', 'held', 'available', 30);
    const hours = billing.get(LedgerHourRepository);
    while (await hours.sumUpNext());
    const change = { account_id: account, reason: 'late answer' };
    await billing.get(GrantCredit).execute({ ...change, amount_micros: 100 });
    await billing.get(AdjustBalance).execute({ ...change, amount_micros: 9 });
    await billing.get(AdjustBalance).execute({ ...change, amount_micros: -4 });

    const { data } = await billing.get(ListLedgerDays).execute({ days: 366 });
    const none = { top_ups_micros: 0, credits_micros: 0, adjustments_micros: 0, reserved_micros: 0 };
    const noJobs = { captures: 0, captured_micros: 0, refunds: 0, refunded_micros: 0 };
    expect(data.find(({ day }) => day === '2026-03-04')).toEqual({
      ...{ ...none, day: '2026-03-04', reserved_micros: 70 },
      ...{ captures: 1, captured_micros: 40, refunds: 1, refunded_micros: 30 },
    });
    expect(data[0]).toEqual({ ...none, ...noJobs, day: today(), credits_micros: 100, adjustments_micros: 5 });
  });

  it('refuses a number of days that it does not keep', async () => {
    await expect(billing.get(ListLedgerDays).execute({ days: 367 })).rejects.toMatchObject({ param: 'days' });
  });
});

describe('an adjustment with a reference', () => {
  let billing: TestBilling;

  beforeAll(async () => {
    billing = await openBilling();
  });
  afterAll(() => billing.close());

  it('adjusts once, however often it is sent', async () => {
    const { account_id } = await billing.get(CreateAccount).execute({ name: 'a' });
    const request = { account_id, amount_micros: 50, reason: 'goodwill', reference: 'ticket 9' };
    const answers = await Promise.all([1, 2, 3].map(() => billing.get(AdjustBalance).execute(request)));
    expect(answers.map(({ entry_repeated }) => entry_repeated).sort()).toEqual([false, true, true]);
    expect((await billing.get(AdjustBalance).execute(request)).balance_micros).toBe(50);
  });
});
