import type { MonthStatement } from '@kinora/contracts/billing/statement';
import { Database, labelOf, monthAfter, statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { runConcurrently, type TestBilling, useBilling } from './billing.fixtures';
import { rulesOf, tampering } from './ledger-tampering.fixtures';
import { TopUp } from '../src/use-cases/change-balance.use-case';
import { CloseLedgerMonth } from '../src/use-cases/close-ledger-month.use-case';
import { FindHolds } from '../src/use-cases/find-holds.query';
import { GetStatement } from '../src/use-cases/list-statement.query';
import { ReadLedgerMonth } from '../src/use-cases/read-ledger-month.query';
import { RecordLedgerExport, ShowLedgerMonth } from '../src/use-cases/record-ledger-export.use-case';
import { ShowMonth } from '../src/use-cases/show-month.query';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';
import { PaymentRefundRepository } from '../src/payments/payment-refund.repository';
import { LedgerArchive } from '../src/wallet/ledger-archive';
import { LedgerArchiveRepository } from '../src/wallet/ledger-archive.repository';
import { LedgerRanges } from '../src/wallet/ledger-ranges';
import { WalletRepository } from '../src/wallet/wallet.repository';

const FIRST = 'ledger_entry_first';
const FIRST_END = 10_000_000;
const RETENTION_MONTHS = 2;
const DAY_MS = 86_400_000;
/** The month of the test closes three days after its end, and goes two months after it: with the current month. */
const BEGIN = monthAfter(new Date(), -1 - RETENTION_MONTHS);
const MONTH = BEGIN.toISOString().slice(0, 7);
const closesAt = (month: Date) => new Date(monthAfter(month, 1).getTime() + 3 * DAY_MS);
const GOES = monthAfter(new Date(), 0);
const EARLIER = `interval '${Date.now() - BEGIN.getTime() - DAY_MS} milliseconds'`;
/** Whole cents, also by halves. */
const PAID_MICROS = 40_000;
const SHA256 = 'a'.repeat(64);
const EXISTS = statement('spec_exists', `SELECT to_regclass($1)::text AS name`);
const COUNT = statement(
  'spec_count',
  `SELECT count(*) AS accounts, sum(entries)::bigint AS entries FROM ledger_closing WHERE month = $1`,
);

const settings = { ledgerRetentionMonths: RETENTION_MONTHS };
const run = (billing: TestBilling, sql: string) => billing.database.execute(statement('', sql));
const maintain = (billing: TestBilling, now = GOES) => billing.get(LedgerRanges).maintain(now);
const verify = async (billing: TestBilling) => (await billing.get(VerifyLedger).execute({ full: true })).violations;
const isDropped = async (billing: TestBilling) =>
  (await billing.database.findOne<{ name: string | null }>(EXISTS, [FIRST]))?.name === null;

async function closeMonths(billing: TestBilling, now = closesAt(BEGIN)): Promise<void> {
  while (await billing.get(CloseLedgerMonth).execute(now));
}

async function recordExport(billing: TestBilling, sha256 = SHA256): Promise<void> {
  const counts = await billing.database.findOne<{ accounts: number; entries: number }>(COUNT, [MONTH]);
  await billing.get(RecordLedgerExport).execute({ month: MONTH, sha256, accounts: 0, entries: 0, ...counts });
}

/** An account whose first entries are in the first range, and later ones of the same month in the second. */
class UsedAccount {
  readonly captured = uuidv7();
  readonly refunded = uuidv7();
  readonly open = uuidv7();
  readonly checkout = uuidv7();
  account_id = '';

  constructor(private readonly billing: TestBilling) {}

  async use(): Promise<void> {
    ({ account_id: this.account_id } = await this.billing.createAccount({ balance_micros: 1_000 }));
    await this.topUp();
    await this.topUp(`checkout ${this.checkout}`, PAID_MICROS);
    await run(
      this.billing,
      `INSERT INTO checkout (id, account_id, provider, amount_micros, saves_card, address, state, charge, next_check_at, ended_at)
       VALUES ('${this.checkout}', '${this.account_id}', 'sandbox', ${PAID_MICROS}, false, '', 'paid', 'charge', now(), now())`,
    );
    for (const job_id of [this.captured, this.refunded, this.open]) await this.reserve(job_id);
    await this.billing.capture(this.captured);
    await this.billing.get(LedgerRanges).maintain(new Date());
    await run(this.billing, `SELECT setval('ledger_entry_id_seq', ${FIRST_END})`);
    await this.billing.refund(this.refunded);
    const backdate = [
      'GRANT UPDATE ON ledger_entry TO CURRENT_USER',
      'ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_is_append_only',
      `UPDATE ledger_entry SET created_at = created_at - ${EARLIER}`,
      'ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_is_append_only',
      'REVOKE UPDATE ON ledger_entry FROM CURRENT_USER',
      `UPDATE hold SET created_at = created_at - ${EARLIER}, ended_at = ended_at - ${EARLIER}`,
    ];
    for (const sql of backdate) await run(this.billing, sql);
    await run(this.billing, `INSERT INTO ledger_hour VALUES ('9999-01-01', 'top_up', 0, 0)`);
  }

  reserve(job_id: string) {
    return this.billing.reserve({ account_id: this.account_id, job_id, amount_micros: 30 });
  }

  topUp(reference = 'once', amount_micros = 1) {
    const change = { kind: 'top_up', account_id: this.account_id, amount_micros, reason: null, reference } as const;
    return new WalletRepository().changeBalance(this.billing.database, change);
  }

  /** Gives the payment back, and more of it than the balance has, as a provider may. */
  async refundPayment(): Promise<void> {
    const { database } = this.billing;
    const refunds = this.billing.get(PaymentRefundRepository);
    const paid = await refunds.findPaid(database, this.account_id, this.checkout);
    if (!paid) throw new Error('The checkout is not paid.');
    await refunds.begin(database, uuidv7(), paid, PAID_MICROS / 2, 'asked for');
    await refunds.follow(database, uuidv7(), paid, 'refund');
  }

  showMonth(): Promise<MonthStatement> {
    return this.billing.get(ShowMonth).execute(this.account_id, MONTH);
  }

  /** What receipts state of its entries, and what its reference has moved. */
  async read(): Promise<string> {
    const { billing, account_id } = this;
    const wallets = new WalletRepository();
    const jobs = [this.captured, this.refunded, this.open];
    return JSON.stringify({
      entries: await Promise.all(jobs.map((job_id) => billing.get(FindHolds).entriesOf({ job_id }))),
      reference: await wallets.findReference(billing.database, account_id, 'once'),
    });
  }
}

/** A repeated top-up that has read its reference, and reads the entry when it is released. */
async function holdRepeat(billing: TestBilling, { account_id }: UsedAccount): Promise<() => Promise<unknown>> {
  const database = billing.get(Database);
  const findOne = database.findOne.bind(database);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let repeat: Promise<unknown> = Promise.resolve();
  await new Promise<void>((isReached, isNot) => {
    jest.spyOn(database, 'findOne').mockImplementation(async (query, values) => {
      if (labelOf(query) === 'wallet_find_entry') {
        isReached();
        await released;
      }
      return findOne(query, values);
    });
    repeat = billing.get(TopUp).execute({ account_id, amount_micros: 1, reference: 'once' });
    repeat.then(() => isNot(new Error('The repeat reads no entry.')), isNot);
  });
  return () => {
    release();
    return repeat;
  };
}

describe('a range of the ledger', () => {
  const billing = useBilling(settings);
  const used = new UsedAccount(billing);
  const plan = { name: FIRST, from: null, until: monthAfter(BEGIN, 1).toISOString(), drops_at: GOES.toISOString() };
  let before: string;
  let month: MonthStatement;
  let releaseRepeat: () => Promise<unknown>;

  beforeAll(async () => {
    await used.use();
    releaseRepeat = await holdRepeat(billing, used);
  });

  it('stays while its month is open, or not exported', async () => {
    await maintain(billing);
    await closeMonths(billing);
    expect(await verify(billing)).toEqual([]);
    const [waiting] = (await billing.get(LedgerRanges).plan()).parts;
    expect(waiting).toMatchObject({ ...plan, waits_for: `ledger export --month ${MONTH}` });
    await maintain(billing);
    expect(await isDropped(billing)).toBe(false);
  });

  it('stays while its month is not verified, or too young', async () => {
    await recordExport(billing);
    const { parts, ...kept } = await billing.get(LedgerRanges).plan();
    expect(kept).toMatchObject({ table: 'ledger_entry', retention_days: null, retention_months: RETENTION_MONTHS });
    expect(parts[0]).toEqual({ ...plan, rows: expect.any(Number) as number, bytes: expect.any(Number) as number });
    expect(parts[1]).toMatchObject({ from: null, until: null, drops_at: null });
    await run(billing, 'DELETE FROM ledger_checkpoint');
    await maintain(billing);
    expect(await billing.get(ShowLedgerMonth).execute({ month: MONTH })).toMatchObject({ archived_at: null });
    expect(await verify(billing)).toEqual([]);
    await maintain(billing, new Date(GOES.getTime() - 1));
    expect(await isDropped(billing)).toBe(false);
  });

  it.each([{ entries: 1 }, { accounts: 7 }, { sha256: 'b'.repeat(64) }, { sha256: 'x' }, { month: '2020-01' }])(
    'has an export with what its month has, and the hash of the first: not %j',
    async (wrong) => {
      const counts = await billing.database.findOne<{ accounts: number; entries: number }>(COUNT, [MONTH]);
      const right = { month: MONTH, sha256: SHA256, accounts: 0, entries: 0, ...counts };
      await expect(billing.get(RecordLedgerExport).execute({ ...right, ...wrong })).rejects.toMatchObject({
        code: 'invalid_body',
      });
    },
  );

  it('is kept whole by a crash before its month is archived', async () => {
    [before, month] = [await used.read(), await used.showMonth()];
    jest.spyOn(LedgerArchiveRepository.prototype, 'archive').mockRejectedValueOnce(new Error('crash'));
    await expect(maintain(billing)).rejects.toThrow('crash');
    expect(await isDropped(billing)).toBe(false);
    expect(await used.read()).toEqual(before);
    expect(await verify(billing)).toEqual([]);
  });

  it('is dropped while money moves, also after a crash between detach and drop, and leaves what is read of it', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => billing.createAccount({ balance_micros: 100 })));
    const moved = runConcurrently(200, async (index) => {
      const job_id = uuidv7();
      await billing.reserve({ account_id: others[index % 8]?.account_id ?? '', job_id, amount_micros: 1 });
      await (index % 2 === 0 ? billing.capture(job_id) : billing.refund(job_id));
    });
    expect(await billing.get(LedgerArchive).archiveBefore(FIRST_END, GOES)).toBe(true);
    expect(await used.read()).toEqual(before);
    await run(billing, `COMMENT ON TABLE ${FIRST} IS 'expired partition of ledger_entry'`);
    await run(billing, `ALTER TABLE ledger_entry DETACH PARTITION ${FIRST} CONCURRENTLY`);
    expect(await verify(billing)).toEqual([]);
    await maintain(billing);
    await moved;
    expect(await isDropped(billing)).toBe(true);
    expect(await releaseRepeat()).toMatchObject({ entry_repeated: true });
    expect(await used.read()).toEqual(before);
    expect(await verify(billing)).toEqual([]);
    await expect(billing.get(ReadLedgerMonth).execute({ month: MONTH })).rejects.toThrow(SHA256);
  });

  it('leaves the sums of its month in statements, which say that its entries are archived', async () => {
    const { entries, closing_micros } = month;
    expect(entries).toHaveLength(3);
    expect(await used.showMonth()).toEqual({ ...month, entries: [], archived: true });
    expect(await billing.get(GetStatement).execute({ account_id: used.account_id })).toEqual({
      ...{ data: [], next_before_entry_id: null },
      archived: { through: MONTH, closing_micros },
    });
  });

  it('counts its jobs and references once after it is dropped, its open hold ends, and its payment goes back', async () => {
    await expect(used.topUp()).rejects.toThrow('ledger_reference_pkey');
    await expect(used.reserve(used.captured)).rejects.toThrow('already ended');
    await used.topUp('another');
    expect(await billing.refund(used.open)).toEqual({ state: 'refunded' });
    expect(await billing.refund(used.open)).toEqual({ state: 'refunded' });
    expect(await billing.show(used.account_id)).toMatchObject({ balance_micros: 972 + PAID_MICROS, held_micros: 0 });
    await used.refundPayment();
    const owed_micros = PAID_MICROS / 2 - 972;
    expect(await billing.show(used.account_id)).toMatchObject({ balance_micros: 0, owed_micros });
    expect((await billing.get(FindHolds).entriesOf({ job_id: used.open })).entries).toMatchObject([
      ...[{ kind: 'reserve' }, { kind: 'refund' }],
    ]);
    for (const request of [{}, { open_months: true }, { full: true }])
      expect((await billing.get(VerifyLedger).execute(request)).violations).toEqual([]);
  });

  it('is counted by its closing when a checkpoint is made again, and the next month closes beside refunds', async () => {
    const { account_id } = await billing.createAccount({ balance_micros: 100 });
    await billing.setLimits({ account_id, max_concurrent_jobs: 100 });
    const jobs = Array.from({ length: 100 }, () => uuidv7());
    for (const job_id of jobs) await billing.reserve({ account_id, job_id, amount_micros: 1 });
    await run(billing, 'DELETE FROM ledger_checkpoint');
    expect(await verify(billing)).toEqual([]);
    await Promise.all([closeMonths(billing, closesAt(new Date())), ...jobs.map((job_id) => billing.refund(job_id))]);
    for (const request of [{ open_months: true }, { full: true }])
      expect((await billing.get(VerifyLedger).execute(request)).violations).toEqual([]);
  });
});

describe('a range of the ledger whose entries are not those of the closing', () => {
  const billing = useBilling(settings, { damagesLedger: true });

  it('stays', async () => {
    const used = new UsedAccount(billing);
    await used.use();
    await closeMonths(billing);
    await recordExport(billing);
    expect(await verify(billing)).toEqual([]);
    for (const sql of tampering(`UPDATE ledger_entry SET amount_micros = 2 WHERE reference = 'once'`))
      await run(billing, sql);
    await maintain(billing);
    expect(await isDropped(billing)).toBe(false);
    expect(rulesOf(await billing.get(VerifyLedger).execute({ full: true }))).toContain('closing_equals_entries');
  });
});
