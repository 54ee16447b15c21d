import { type Database, statement } from '@kinora/database';
import { useBilling } from './billing.fixtures';
import { LedgerHourRepository } from '../src/wallet/ledger-hour.repository';
import { AdjustBalance, GrantCredit } from '../src/use-cases/change-balance.use-case';
import { ListLedgerDays } from '../src/use-cases/list-ledger-days.query';

/** In one statement, because billing itself sums up an hour of the past as soon as it has an entry. */
const INSERT_ENTRIES = statement(
  'spec_insert_entries',
  `INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id, created_at)
   SELECT $1::uuid, kind, debit, credit, amount_micros, gen_random_uuid(), $2::timestamptz
     FROM (VALUES ('reserve', 'available', 'held', 70), ('capture', 'held', 'revenue', 40),
                  ('refund', 'held', 'available', 30)) AS entry (kind, debit, credit, amount_micros)`,
);

const HOUR_MS = 60 * 60_000;

describe('the ledger by day', () => {
  const now = new Date();
  const billing = useBilling({}, { damagesLedger: true, createdAt: { ledger_entry: now } });

  const open = async () => (await billing.createAccount()).account_id;
  const dayBefore = (days: number) => new Date(now.getTime() - days * 24 * HOUR_MS).toISOString().slice(0, 10);

  it('shows captures and refunds apart, so that no refund is counted as spend, whether its hour was summed up or not', async () => {
    const account = await open();
    const past = dayBefore(200);
    await billing.database.execute(INSERT_ENTRIES, [account, new Date(`${past}T23:59:59Z`)]);
    const hours = billing.get(LedgerHourRepository);
    while (await hours.sumUpNext());
    const change = { account_id: account, reason: 'late answer' };
    await billing.get(GrantCredit).execute({ ...change, amount_micros: 100 });
    await billing.get(AdjustBalance).execute({ ...change, amount_micros: 9 });
    await billing.get(AdjustBalance).execute({ ...change, amount_micros: -4 });

    const { data } = await billing.get(ListLedgerDays).execute({ days: 366 });
    const none = {
      top_ups_micros: 0,
      credits_micros: 0,
      adjustments_micros: 0,
      reserved_micros: 0,
      paid_back_micros: 0,
    };
    const noJobs = { captures: 0, captured_micros: 0, refunds: 0, refunded_micros: 0 };
    expect(data.find(({ day }) => day === past)).toEqual({
      ...{ ...none, day: past, reserved_micros: 70 },
      ...{ captures: 1, captured_micros: 40, refunds: 1, refunded_micros: 30 },
    });
    expect(data[0]).toEqual({ ...none, ...noJobs, day: dayBefore(0), credits_micros: 100, adjustments_micros: 5 });
  });

  it('refuses a number of days that it does not keep', async () => {
    await expect(billing.get(ListLedgerDays).execute({ days: 367 })).rejects.toMatchObject({ param: 'days' });
  });
});

describe('an hour that is summed up while the days are read', () => {
  const billing = useBilling({}, { damagesLedger: true });

  it('counts once', async () => {
    const { account_id } = await billing.createAccount();
    // Ended for at least ten minutes, and less than three hours old: in both reads.
    const ended = new Date(Math.floor((Date.now() - 75 * 60_000) / HOUR_MS) * HOUR_MS);
    await billing.database.execute(INSERT_ENTRIES, [account_id, ended]);
    while (await billing.get(LedgerHourRepository).sumUpNext());

    // What the first read answers just before the hour is summed up.
    const readBefore = Object.assign(Object.create(billing.database) as Database, {
      findOne: () => Promise.resolve({ hour: ended }),
    });
    const days = await new LedgerHourRepository(readBefore).listDays(new Date('2026-01-01'));
    expect(days.filter(({ kind }) => kind === 'capture')).toMatchObject([{ entries: 1, amount_micros: 40 }]);
  });
});
