import { type LedgerClosing } from '@kinora/contracts/billing/ledger-month';
import type { LedgerMonthState } from '@kinora/contracts/billing/ledger.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { columnsOf, type Queryable, type RowOf, statement } from '@kinora/database';
import { LedgerClosingEntity, LedgerMonthEntity } from './ledger-closing.entity';
import { boundsOf, withIds } from './ledger-bounds';
import { ENTRIES_OF_STRETCHES } from './ledger-rules';

const MONTH = columnsOf(
  LedgerMonthEntity,
  ...(['month', 'end_id', 'after_account_id', 'closed_at', 'archive_sha256', 'archived_at'] as const),
);
export type LedgerMonth = RowOf<typeof MONTH>;

const CLOSING = columnsOf(
  LedgerClosingEntity,
  ...(['account_id', 'month', 'last_entry_id', 'entries', 'books', 'open_holds', 'chain'] as const),
);

const FIND_LAST = statement(
  'ledger_month_find_last',
  `SELECT ${MONTH.sql} FROM ledger_month ORDER BY month DESC LIMIT 1`,
);
const LIST_CLOSED = statement(
  'ledger_month_list_closed',
  `SELECT ${MONTH.sql} FROM ledger_month WHERE closed_at IS NOT NULL ORDER BY month`,
);
const FIND_NEWEST_ID = statement('ledger_month_find_newest_id', `SELECT last_value AS id FROM ledger_entry_id_seq`);
const FIND_ENTRY_IN = statement(
  'ledger_month_find_entry',
  'SELECT id, created_at FROM ledger_entry WHERE id >= $1 AND id < $2 ORDER BY id LIMIT 1',
);
const BEGIN = statement(
  'ledger_month_begin',
  `INSERT INTO ledger_month (month, end_id, after_account_id) VALUES ($1, $2, '00000000-0000-0000-0000-000000000000')
   ON CONFLICT DO NOTHING`,
);
const CLAIM = statement(
  'ledger_month_claim',
  `SELECT FROM ledger_month WHERE month = $1 AND after_account_id = $2 AND closed_at IS NULL FOR UPDATE SKIP LOCKED`,
);
const ADVANCE = statement('ledger_month_advance', 'UPDATE ledger_month SET after_account_id = $2 WHERE month = $1');
const CLOSE = statement('ledger_month_close', 'UPDATE ledger_month SET closed_at = clock_timestamp() WHERE month = $1');

/** Conflicts with the lock that each move of money holds until its commit. Of one wallet: it would hold others while it waits. */
const AWAIT_MOVES = statement('ledger_closing_await_moves', 'SELECT FROM wallet WHERE account_id = $1 FOR SHARE');
const FIND_BEFORE = statement(
  'ledger_closing_find_before',
  `SELECT closing.* FROM unnest($1::uuid[]) AS account (id) CROSS JOIN LATERAL (
     SELECT ${CLOSING.sql} FROM ledger_closing WHERE account_id = account.id AND month <= $2 ORDER BY month DESC LIMIT 1
   ) AS closing`,
);
const LIST_OF_ACCOUNTS = statement(
  'ledger_closing_list_of_accounts',
  `SELECT ${CLOSING.sql} FROM ledger_closing WHERE account_id = ANY($1::uuid[]) AND month <= $2 ORDER BY account_id, month`,
);
const LIST_OF_MONTH = statement(
  'ledger_closing_list_of_month',
  `SELECT ${CLOSING.sql} FROM ledger_closing WHERE month = $1 AND account_id >= $2 ORDER BY account_id LIMIT $3`,
);
const STORE = statement(
  'ledger_closing_store',
  `INSERT INTO ledger_closing (${CLOSING.sql})
   SELECT ${CLOSING.sql} FROM json_populate_recordset(NULL::ledger_closing, $1::json)
   ON CONFLICT (account_id, month) DO UPDATE SET (last_entry_id, entries, books, open_holds, chain) =
     (excluded.last_entry_id, excluded.entries, excluded.books, excluded.open_holds, excluded.chain)`,
);
/** The text of a line is the same for ever: times have no zone of the session, and `jsonb` orders the fields. */
const READ_LINES = statement(
  'ledger_closing_read_lines',
  `SELECT entry.account_id, after_id, jsonb_build_object(
            'id', id, 'account_id', entry.account_id, 'kind', kind, 'debit', debit, 'credit', credit,
            'amount_micros', amount_micros, 'job_id', job_id, 'payment_id', payment_id, 'reason', reason,
            'reference', reference,
            'created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text AS line
   FROM ${ENTRIES_OF_STRETCHES} ORDER BY id`,
);

/** Entries of an account after one id and before another. */
export interface EntryRange {
  accountId: string;
  afterId: number;
  endId: number;
}

interface EntryTime {
  id: number;
  created_at: Date;
}

/** The months of the ledger, the closings of accounts, and the lines that they hash. */
export class LedgerClosingRepository {
  constructor(private readonly on: Queryable) {}

  /** Closed, or about to close. */
  findLastMonth(): Promise<LedgerMonth | null> {
    return this.on.findOne<LedgerMonth>(FIND_LAST);
  }

  /** Oldest first. */
  listClosedMonths(): Promise<LedgerMonth[]> {
    return this.on.query<LedgerMonth>(LIST_CLOSED);
  }

  /** The end of the last closed month: entries before it are in closings, and there will be no others. 0 before any month closes. */
  async findClosedEnd(): Promise<number> {
    return (await this.listClosedMonths()).at(-1)?.end_id ?? 0;
  }

  /** With the id with which it begins. @throws ApiError invalid_body for a month that is not closed */
  async getClosedMonth(month: string): Promise<LedgerMonth & { begin_id: number }> {
    const closed = await this.listClosedMonths();
    const place = closed.findIndex((row) => row.month === month);
    const found = closed[place];
    if (found) return { ...found, begin_id: closed[place - 1]?.end_id ?? 0 };
    const rule =
      closed.length === 0 ? 'no month is closed yet' : `those are ${closed[0]?.month} to ${closed.at(-1)?.month}`;
    throw new ApiError('invalid_body', `month must be a closed month of the ledger: ${rule}.`, { param: 'month' });
  }

  /** The id that was drawn last, of an entry or for none. */
  async findNewestId(): Promise<number> {
    return (await this.on.findOne<{ id: number }>(FIND_NEWEST_ID))?.id ?? 0;
  }

  /** The first entry from one id on, and before another. */
  findEntry(fromId: number, beforeId: number): Promise<EntryTime | null> {
    return this.on.findOne<EntryTime & Record<string, unknown>>(withIds(FIND_ENTRY_IN, { $1: fromId, $2: beforeId }));
  }

  /** Without effect if another replica has begun the month. */
  async begin(month: string, endId: number): Promise<void> {
    await this.on.execute(BEGIN, [month, endId]);
  }

  /** Until the end of the transaction. @returns false while another replica has it, or if it has been advanced since */
  async claim({ month, after_account_id }: LedgerMonth): Promise<boolean> {
    return (await this.on.query(CLAIM, [month, after_account_id])).length === 1;
  }

  async advance({ month }: LedgerMonth, afterAccountId: string): Promise<void> {
    await this.on.execute(ADVANCE, [month, afterAccountId]);
  }

  async close({ month }: LedgerMonth): Promise<void> {
    await this.on.execute(CLOSE, [month]);
  }

  /** Resolves when the moves of the account that have drawn the ids of their entries by now are committed. */
  async awaitMoves(accountId: string): Promise<void> {
    await this.on.query(AWAIT_MOVES, [accountId]);
  }

  /** Of each account the last closing up to a month. */
  async findBefore(accountIds: string[], month: string): Promise<Map<string, LedgerClosing>> {
    const found = await this.on.query<LedgerClosing & Record<string, unknown>>(FIND_BEFORE, [accountIds, month]);
    return new Map(found.map((closing) => [closing.account_id, closing]));
  }

  /** Up to a month, oldest first. */
  listOfAccounts(accountIds: string[], month: string): Promise<LedgerClosing[]> {
    return this.on.query<LedgerClosing & Record<string, unknown>>(LIST_OF_ACCOUNTS, [accountIds, month]);
  }

  listOfMonth(month: string, fromAccountId: string, limit: number): Promise<LedgerClosing[]> {
    return this.on.query<LedgerClosing & Record<string, unknown>>(LIST_OF_MONTH, [month, fromAccountId, limit]);
  }

  async store(closings: LedgerClosing[]): Promise<void> {
    if (closings.length > 0) await this.on.execute(STORE, [JSON.stringify(closings)]);
  }

  /** At most `limit` lines of each range, in the order of their ids. The ranges of an account begin at different ids. */
  async readLines(ranges: EntryRange[], limit: number): Promise<Map<EntryRange, string[]>> {
    const read = withIds(READ_LINES, boundsOf(ranges.map(({ afterId, endId }) => [afterId, endId - 1])));
    const rows = await this.on.query<{ account_id: string; after_id: number; line: string }>(read, [
      ranges.map(({ accountId }) => accountId),
      ranges.map(({ afterId }) => afterId),
      ranges.map(({ endId }) => endId - 1),
      ranges.map(() => ''),
      limit,
    ]);
    const lines = new Map<string, string[]>(ranges.map(({ accountId, afterId }) => [`${accountId} ${afterId}`, []]));
    for (const { account_id, after_id, line } of rows) lines.get(`${account_id} ${after_id}`)?.push(line);
    return new Map(ranges.map((range) => [range, lines.get(`${range.accountId} ${range.afterId}`) ?? []]));
  }
}

export function toMonthState({ month, closed_at, archive_sha256, archived_at }: LedgerMonth): LedgerMonthState {
  const [closed, archived] = [closed_at, archived_at].map((time) => time?.toISOString() ?? null);
  return { month, closed_at: closed ?? '', archive_sha256, archived_at: archived ?? null };
}
