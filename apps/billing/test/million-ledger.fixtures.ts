import { statement } from '@kinora/database';
import { fillTable, MeasuredDatabase, numberedId, numberedIdSql, type TestDatabase } from '@kinora/testing';
import { NIL } from 'uuid';
import { migrations } from '../src/migrations/migrations';
import { rereadEntries } from '../src/wallet/full-audit';
import { HoldRepository } from '../src/wallet/hold.repository';
import { readClosedSums } from '../src/wallet/ledger-archive.repository';
import { LedgerHourRepository } from '../src/wallet/ledger-hour.repository';
import { decodeStatementPlace, encodeStatementPlace, LedgerRepository } from '../src/wallet/ledger.repository';
import { MonthStatementRepository } from '../src/wallet/month-statement.repository';
import { auditWallets } from '../src/wallet/wallet-audit';
import { WalletRepository } from '../src/wallet/wallet.repository';
import { rangesOf } from './million-holds.fixtures';

/** Ids of a range, of which a month has as many. */
const IDS = 10_000_000;
/** Months begin within ranges, after the entries of the first payments. */
const SHIFT = 3_000_000;
/** By each account, before its first job. */
const PAID_MICROS = 1_000_000_000;
export const JOBS_OF_OPEN_MONTH = 5_000;
const PRICE_MICROS = 10;

const DAY_MS = 86_400_000;

/** One page of a verification. */
const ACCOUNTS = 400;
/** Has every other job. */
const MANY = numberedId(1);
/** Has one job a month. */
const FEW = numberedId(2);
/** They have jobs in the first month only, if it is not the open one: the others have the rest. */
export const DORMANT = 100;

/** A ledger of so many entries, in a closed month for each range but the last, whose month is open. */
export interface LedgerSize {
  entries: number;
  ranges: number;
}

/** Of `month`, by its number. */
const beginOf = ({ ranges }: LedgerSize): string =>
  `date_trunc('month', now(), 'UTC') - (${ranges - 1} - month) * interval '1 month'`;
const nameOf = (size: LedgerSize): string => `to_char((${beginOf(size)}) AT TIME ZONE 'UTC', 'YYYY-MM')`;
const ID = numberedIdSql('n');
const EACH_ACCOUNT = `generate_series(1, ${ACCOUNTS}) AS n`;

/** Of each closed month. */
const jobsOf = ({ entries, ranges }: LedgerSize): number =>
  Math.floor((entries / 2 - JOBS_OF_OPEN_MONTH) / Math.max(ranges - 1, 1));
const jobNumber = (size: LedgerSize): number => 10 * JOBS_OF_OPEN_MONTH + jobsOf(size);

function selectJobs(size: LedgerSize): string {
  const closedMonths = size.ranges - 1;
  const active = ACCOUNTS - DORMANT;
  const begin = beginOf(size);
  const account = numberedIdSql(
    `CASE WHEN n = 1 THEN 2 WHEN n % 2 = 0 THEN 1 WHEN month = 0 AND month < ${closedMonths} AND n < 4 * ${DORMANT}
          THEN ${active} + 1 + n / 4 ELSE 3 + n / 2 % ${active - 2} END`,
  );
  return `
    SELECT ${numberedIdSql(`month * ${jobNumber(size)}::bigint + n`)} AS job_id, ${account} AS account_id,
           month * ${IDS}::bigint + ${SHIFT} + n * (${IDS} / (monthly + 1)) AS id,
           ${begin} + n * (least(now(), ${begin} + interval '1 month') - (${begin})) / (monthly + 2) AS created_at
      FROM generate_series(0, ${closedMonths}) AS month,
           LATERAL (SELECT CASE WHEN month < ${closedMonths} THEN ${jobsOf(size)} ELSE ${JOBS_OF_OPEN_MONTH} END AS monthly) AS size,
           generate_series(1, monthly) AS n`;
}

/** The tables in the order in which they are filled. */
function contentOf(size: LedgerSize): [table: string, insert: string][] {
  const job = selectJobs(size);
  return [
    ['account', `(id, name, rate_limit_rpm, retention_days) SELECT ${ID}, 'name', 1, 7 FROM ${EACH_ACCOUNT}`],
    [
      'hold',
      `(job_id, account_id, amount_micros, state, created_at, ended_at)
       SELECT job_id, account_id, ${PRICE_MICROS}, 'captured', created_at, created_at + interval '1 second' FROM (${job}) AS job`,
    ],
    [
      'ledger_entry',
      `(id, account_id, kind, debit, credit, amount_micros, job_id, created_at) OVERRIDING SYSTEM VALUE
       SELECT id + place, account_id, kind, debit, credit, ${PRICE_MICROS}, job_id, created_at + place * interval '1 second'
         FROM (${job}) AS job, (VALUES (0, 'reserve', 'available', 'held'), (1, 'capture', 'held', 'revenue')) AS move (place, kind, debit, credit)
       UNION ALL
       SELECT n, ${ID}, 'top_up', 'top_ups', 'available', ${PAID_MICROS}, NULL, ${beginOf(size)}
         FROM ${EACH_ACCOUNT}, (VALUES (0)) AS first (month)`,
    ],
    ['ledger_reference', `SELECT ${ID}, 'paid', n FROM ${EACH_ACCOUNT}`],
    [
      'wallet',
      `(account_id, available_micros, spent_micros, max_concurrent_jobs)
       SELECT account_id, ${PAID_MICROS} - spent, spent, 1000 FROM (
         SELECT account_id, ${PRICE_MICROS} * count(*) FILTER (WHERE kind = 'capture') AS spent FROM ledger_entry GROUP BY 1
       ) AS account`,
    ],
    [
      'ledger_hour',
      `SELECT date_trunc('hour', now()) - n * interval '1 hour', 'capture', 1, 1 FROM generate_series(1, ${size.ranges * 720}) AS n`,
    ],
    ...closedContentOf(size),
  ];
}

/** What the months before the open one leave. */
function closedContentOf(size: LedgerSize): [table: string, insert: string][] {
  const closedMonths = size.ranges - 1;
  const closed = `
    SELECT account_id, (id - ${SHIFT}) / ${IDS} AS month, max(id) AS last_id, count(*) AS entries,
           ${PRICE_MICROS} * count(*) FILTER (WHERE kind = 'capture') AS spent
      FROM ledger_entry WHERE id < ${closedMonths === 0 ? 0 : closedMonths * IDS + SHIFT} GROUP BY 1, 2`;
  const sums = `
    SELECT account_id, month, last_id, entries, sum(entries) OVER until AS all_entries, sum(spent) OVER until AS all_spent
      FROM (${closed}) AS closed WINDOW until AS (PARTITION BY account_id ORDER BY month)`;
  const book = (name: string, closing: string) => `'${name}', json_build_object('closing_micros', ${closing})`;
  const books = [
    book('available', `${PAID_MICROS} - all_spent`),
    book('revenue', 'all_spent'),
    book('top_ups', `-${PAID_MICROS}`),
    ...['held', 'credits', 'debts'].map((name) => book(name, '0')),
  ];
  return [
    [
      'ledger_month',
      `SELECT ${nameOf(size)}, (month + 1) * ${IDS}::bigint + ${SHIFT}, '${NIL}', now() FROM generate_series(0, ${closedMonths - 1}) AS month`,
    ],
    [
      'ledger_closing',
      `(account_id, month, last_entry_id, entries, open_holds, chain, books)
       SELECT account_id, ${nameOf(size)}, last_id, entries, '{}', '', json_build_object(${books.join(', ')}) FROM (${sums}) AS sums`,
    ],
    [
      'ledger_checkpoint',
      `(account_id, entry_id, entries, available_micros, held_micros, revenue_micros, top_ups_micros, credits_micros, chain)
       SELECT DISTINCT ON (account_id) account_id, last_id, all_entries, ${PAID_MICROS} - all_spent, 0, all_spent, -${PAID_MICROS}, 0, ''
         FROM (${sums}) AS sums ORDER BY account_id, month DESC`,
    ],
  ];
}

export async function createLedger(size: LedgerSize): Promise<MeasuredDatabase> {
  return MeasuredDatabase.create('billing', migrations, async ({ adminUrl, database }: TestDatabase) => {
    const newest = size.ranges * IDS + SHIFT;
    await database.execute(statement('', `SELECT setval('ledger_entry_id_seq', ${newest})`));
    await rangesOf(database).maintain(new Date());
    for (const [table, rows] of contentOf(size))
      await fillTable(adminUrl, `billing.${table}`, [`INSERT INTO ${table} ${rows}`]);
  });
}

/** A month of UTC, before the current one. */
const monthAgo = (months: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
};

export interface Read {
  name: string;
  work: () => Promise<unknown>;
}

/** What customers, receipts and verifications read. */
export function readsOf(database: MeasuredDatabase, size: LedgerSize): Read[] {
  const { ranges } = size;
  const ledger = new LedgerRepository(database);
  const months = new MonthStatementRepository(database);
  const holds = new HoldRepository(database);
  const jobOf = (month: number, n: number) => numberedId(month * jobNumber(size) + n);
  const entriesOf = async (jobId: string) => {
    expect(await holds.find([jobId])).toHaveLength(1);
    expect(await ledger.findOfJob(jobId)).toHaveLength(2);
  };
  const secondPage = async () => {
    const [line] = await ledger.listLines(MANY, 101);
    if (!line) throw new Error('The statement is empty.');
    return ledger.listBefore(MANY, 101, decodeStatementPlace(encodeStatementPlace({ id: line.entry_id, ...line })));
  };
  return [
    { name: 'the first page of a statement', work: () => ledger.listLines(MANY, 101) },
    { name: 'its first two pages', work: secondPage },
    { name: 'a statement of one job a month', work: () => ledger.listLines(FEW, 101) },
    { name: 'the statement of this month', work: () => months.show(FEW, monthAgo(0)) },
    { name: 'the statement of an earlier month', work: () => months.show(FEW, monthAgo(Math.floor(ranges / 2))) },
    { name: 'the entries of a new job', work: () => entriesOf(jobOf(ranges - 1, JOBS_OF_OPEN_MONTH)) },
    { name: 'the entries of an old job', work: () => entriesOf(jobOf(0, 7)) },
    { name: 'the entry of a reference', work: () => new WalletRepository().findReference(database, MANY, 'paid') },
    {
      name: 'the ledger by day',
      work: () => new LedgerHourRepository(database).listDays(new Date(Date.now() - 28 * DAY_MS)),
    },
    {
      name: 'a verification of the entries since the last closing',
      work: async () => expect(await auditWallets(database, NIL, () => false)).toMatchObject(SOUND),
    },
    {
      name: 'another one of the open months',
      work: async () =>
        expect(await rereadEntries(database, { after: NIL }, () => false, readClosedSums)).toMatchObject({
          violations: [],
        }),
    },
    {
      name: 'a verification without new entries',
      work: async () => expect(await auditWallets(database, NIL, () => false)).toMatchObject(SOUND),
    },
  ];
}

const SOUND = { found: { accounts: ACCOUNTS, violations: [] } };
