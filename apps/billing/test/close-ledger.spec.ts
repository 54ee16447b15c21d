import { addLines, type LedgerClosing, openMonth } from '@kinora/contracts/billing/ledger-month';
import { monthAfter, statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { runConcurrently, TestBilling, useBilling } from './billing.fixtures';
import { auditAfter, rulesOf, tampering, WRITE_ENTRIES } from './ledger-tampering.fixtures';
import { CloseLedgerMonth } from '../src/use-cases/close-ledger-month.use-case';
import { ReadLedgerMonth } from '../src/use-cases/read-ledger-month.query';
import { VerifyLedger, verifyLedger } from '../src/use-cases/verify-ledger.use-case';
import { CLOSING_RULES, sha256 } from '../src/wallet/closing-audit';
import { LedgerClosingRepository } from '../src/wallet/ledger-closing.repository';
import { WalletRepository } from '../src/wallet/wallet.repository';

const LAST = '9999-12';
/** The id of no entry. */
const GAP = 1;
const ENTRIES = 4_100;
const WAITING = statement(
  'spec_waiting',
  `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() LIMIT 1`,
);
const BEGIN = new Date();
/** When the month of the test, or one after it, is due: three days after its end. */
const dueAt = (months: number): Date => new Date(monthAfter(BEGIN, months + 1).getTime() + 3 * 86_400_000);

async function closeMonths(billing: TestBilling, now: Date): Promise<void> {
  while (await billing.get(CloseLedgerMonth).execute(now));
}

function closingsOf(billing: TestBilling, accountId: string): Promise<LedgerClosing[]> {
  return new LedgerClosingRepository(billing.database).listOfAccounts([accountId], LAST);
}

/** Adds the lines of a month's archive up, as its reader does, and compares them with its closings. @returns how many entries it has */
async function archivedEntries(billing: TestBilling, month: string): Promise<number> {
  const read = billing.get(ReadLedgerMonth);
  const pages = [await read.execute({ month })];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor)
    pages.push(await read.execute({ month, cursor }));
  const accounts: { opening: LedgerClosing | null; closing: LedgerClosing; lines: string[] }[] = [];
  for (const line of pages.flatMap(({ lines }) => lines))
    if (line.startsWith('{"opening"')) accounts.push({ ...(JSON.parse(line) as (typeof accounts)[number]), lines: [] });
    else accounts.at(-1)?.lines.push(line);
  for (const { opening, closing, lines } of accounts)
    expect(addLines(openMonth(closing.account_id, month, opening), lines, sha256)).toEqual(closing);
  return accounts.reduce((sum, { closing }) => sum + closing.entries, 0);
}

describe('a closed month of the ledger', () => {
  const billing = useBilling({}, { createdAt: { hold: BEGIN, ledger_entry: BEGIN } });
  const [ended, open, kept] = [uuidv7(), uuidv7(), uuidv7()];
  let account_id: string;

  beforeAll(async () => {
    await billing.database.query(statement('', `SELECT nextval(pg_get_serial_sequence('ledger_entry', 'id'))`));
    ({ account_id } = await billing.createAccount({ name: 'used', balance_micros: 100 }));
    await billing.createAccount({ name: 'idle' });
    for (const job_id of [ended, open, kept]) await billing.reserve({ account_id, job_id, amount_micros: 30 });
    await billing.capture(ended);
  });

  it('closes three days after its end', async () => {
    await closeMonths(billing, new Date(dueAt(0).getTime() - 1));
    expect(await closingsOf(billing, account_id)).toEqual([]);
    await closeMonths(billing, dueAt(0));
    expect(await closingsOf(billing, account_id)).toHaveLength(1);
  });

  it('has opening, sums and closing of each book, and carries open holds into the next one', async () => {
    await billing.capture(open);
    await closeMonths(billing, dueAt(1));
    const [first, second] = await closingsOf(billing, account_id);
    const none = { opening_micros: 0, micros_by_kind: {}, closing_micros: 0 };
    expect(first).toMatchObject({
      ...{ month: BEGIN.toISOString().slice(0, 7), entries: 5, open_holds: { [open]: 30, [kept]: 30 } },
      books: {
        available: { opening_micros: 0, micros_by_kind: { top_up: 100, reserve: -90 }, closing_micros: 10 },
        held: { opening_micros: 0, micros_by_kind: { reserve: 90, capture: -30 }, closing_micros: 60 },
        revenue: { opening_micros: 0, micros_by_kind: { capture: 30 }, closing_micros: 30 },
        top_ups: { opening_micros: 0, micros_by_kind: { top_up: -100 }, closing_micros: -100 },
        ...{ credits: none, debts: none },
      },
    });
    expect(second).toMatchObject({
      ...{ month: dueAt(0).toISOString().slice(0, 7), entries: 1, open_holds: { [kept]: 30 } },
      books: {
        available: { opening_micros: 10, micros_by_kind: {}, closing_micros: 10 },
        held: { opening_micros: 60, micros_by_kind: { capture: -30 }, closing_micros: 30 },
        revenue: { opening_micros: 30, micros_by_kind: { capture: 30 }, closing_micros: 60 },
      },
    });
    const [openMonths, full] = [{ open_months: true }, { full: true }];
    for (const request of [openMonths, full])
      expect((await billing.get(VerifyLedger).execute(request)).violations).toEqual([]);
  });

  it.each([{ month: '2020-01' }, { month: 'x' }, { month: BEGIN.toISOString().slice(0, 7), cursor: 'x' }])(
    'is read by its name, not by %j',
    async (request) => {
      const param = 'cursor' in request ? 'cursor' : 'month';
      await expect(billing.get(ReadLedgerMonth).execute(request)).rejects.toMatchObject({
        code: 'invalid_body',
        param,
      });
    },
  );

  it.each([
    { act: 'changed', sql: tampering(`UPDATE ledger_entry SET reference = 'another' WHERE kind = 'top_up'`) },
    { act: 'removed', sql: tampering(`DELETE FROM ledger_entry WHERE job_id = '${ended}'`) },
    {
      act: 'added',
      sql: [
        `INSERT INTO ledger_entry (id, account_id, kind, debit, credit, amount_micros) OVERRIDING SYSTEM VALUE
         SELECT ${GAP}, account_id, 'credit', 'credits', 'available', 1 FROM ledger_entry LIMIT 1`,
      ],
    },
    {
      act: 'reordered',
      sql: tampering(
        'ALTER TABLE ledger_entry ALTER COLUMN id SET GENERATED BY DEFAULT',
        `UPDATE ledger_entry SET id = -id WHERE job_id IN ('${open}', '${kept}') AND kind = 'reserve'`,
        'UPDATE ledger_entry SET id = id - (SELECT sum(id) FROM ledger_entry WHERE id < 0) WHERE id < 0',
      ),
    },
    { act: 'forgotten by its closing', sql: [`UPDATE ledger_closing SET entries = entries + 1`] },
  ])('is not what it was when an entry is $act: a full run finds that', async ({ sql }) => {
    const report = await auditAfter(billing.database, ['DELETE FROM ledger_checkpoint', ...sql], { full: true });
    expect(rulesOf(report)).toContain(CLOSING_RULES[1]);
  });

  it.each([
    { act: 'a book', sql: `books = jsonb_set(books, '{available,closing_micros}', '41')` },
    { act: 'the open holds', sql: `open_holds = '{"${ended}": 1}'` },
  ])('does not add up when $act of a closing is changed: a run of the open months finds that', async ({ sql }) => {
    const report = await auditAfter(billing.database, [`UPDATE ledger_closing SET ${sql}`], { open_months: true });
    expect(rulesOf(report)).toContain(CLOSING_RULES[0]);
  });

  it('is the beginning of the open months, whose entries are read again', async () => {
    await billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 3 });
    await billing.get(VerifyLedger).execute();
    const act = tampering('UPDATE ledger_entry SET amount_micros = 4 WHERE amount_micros = 3');
    expect(rulesOf(await auditAfter(billing.database, act))).toEqual([]);
    expect(rulesOf(await auditAfter(billing.database, act, { open_months: true }))).toEqual([
      'entries_are_as_verified',
      'job_is_reserved_and_ended_once',
    ]);
    const before = tampering(`UPDATE ledger_entry SET amount_micros = 99 WHERE kind = 'top_up'`);
    expect(rulesOf(await auditAfter(billing.database, before, { open_months: true }))).toEqual([]);
  });
});

describe('a month that closes while money moves', () => {
  const billing = useBilling({}, { createdAt: { hold: BEGIN, ledger_entry: BEGIN } });
  const change = (account_id: string) => ({ kind: 'top_up', account_id, amount_micros: 1, reason: null }) as const;

  it('has an entry whose transaction is still open when the month begins to close', async () => {
    const [slow, quick] = [await billing.createAccount(), await billing.createAccount()];
    const wallets = new WalletRepository();
    let closing: Promise<void> | undefined;
    await billing.database.transaction(async (transaction) => {
      await wallets.changeBalance(transaction, change(slow.account_id));
      await wallets.changeBalance(billing.database, change(quick.account_id));
      closing = closeMonths(billing, dueAt(0));
      await Promise.race([closing, waitFor(() => billing.database.findOne(WAITING))]);
    });
    await closing;
    expect(await closingsOf(billing, slow.account_id)).toMatchObject([{ entries: 1 }]);
  });

  it('is closed once, by several replicas, of which one has stopped in the middle', async () => {
    const accounts = await Promise.all(Array.from({ length: 25 }, () => billing.createAccount({ balance_micros: 5 })));
    const long = accounts[12]?.account_id ?? '';
    await billing.database.execute(WRITE_ENTRIES, [long, ENTRIES]);
    const replicas = [await TestBilling.beside(billing, () => ({})), await TestBilling.beside(billing, () => ({}))];
    for (let part = 0; part < 5; part++) await replicas[0]?.get(CloseLedgerMonth).execute(dueAt(1));
    const moved = runConcurrently(100, (index) =>
      new WalletRepository().changeBalance(billing.database, change(accounts[index % 25]?.account_id ?? '')),
    );
    await Promise.all([...replicas, billing].map((replica) => closeMonths(replica, dueAt(1))));
    await moved;
    await closeMonths(billing, dueAt(1));

    expect(await new LedgerClosingRepository(billing.database).findLastMonth()).toMatchObject({
      closed_at: expect.any(Date) as Date,
    });
    expect(await closingsOf(billing, long)).toMatchObject([{ entries: ENTRIES + 1 }]);
    const reports = [await verifyLedger(billing.database, { full: true }, 0)];
    for (let cursor = reports[0]?.next_cursor; cursor; cursor = reports.at(-1)?.next_cursor)
      reports.push(await verifyLedger(billing.database, { full: true, cursor }, 0));
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    expect(await archivedEntries(billing, dueAt(0).toISOString().slice(0, 7))).toBe(ENTRIES + 25);
    await Promise.all(replicas.map((replica) => replica.close()));
  });
});
