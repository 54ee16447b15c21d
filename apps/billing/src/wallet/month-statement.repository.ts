import { Injectable } from '@nestjs/common';
import type { AdjustmentCause, MonthStatement, StatementEntry } from '@kinora/contracts/billing/statement';
import { columnsOf, Database, monthAfter, type RowOf, statement } from '@kinora/database';
import { NEWEST_ID, withIds } from './ledger-bounds';
import { LedgerClosingEntity } from './ledger-closing.entity';
import { BALANCE_DELTA, CAUSE, encodePlace, KIND } from './ledger.repository';

/** Where the entries of a month are, and the last closing before it, which may be in the making. */
const FIND_BOUNDS = statement(
  'ledger_find_month_bounds',
  `SELECT (SELECT end_id FROM ledger_month WHERE month = $3) AS begin_id,
          EXISTS (SELECT FROM ledger_month WHERE month = $2) AS has_end,
          coalesce((SELECT end_id FROM ledger_month WHERE month >= $2 ORDER BY month LIMIT 1), ${NEWEST_ID} + 1) AS before_id,
          coalesce((SELECT end_id FROM ledger_month WHERE month < $2 AND closed_at IS NOT NULL ORDER BY month DESC LIMIT 1), 0)
            AS closed_id,
          coalesce(last_entry_id, 0) AS start_id, coalesce((books->'available'->>'closing_micros')::bigint, 0) AS start_micros
   FROM (VALUES ($1::uuid)) AS account (id) LEFT JOIN LATERAL (
     SELECT last_entry_id, books FROM ledger_closing WHERE account_id = account.id AND month < $2 ORDER BY month DESC LIMIT 1
   ) AS closing ON true`,
);

/**
 * Entries belong to a month that closes by their ids, as in its closing, and to a later one by their times. Entries are read from the
 * last closing before the month to its end: the length of the history does not count.
 */
const SHOW = statement(
  'ledger_show_month',
  `WITH near AS (
     SELECT *, ${BALANCE_DELTA} AS delta_micros FROM ledger_entry WHERE account_id = $1 AND id >= $7 AND id < $8
   ), entry AS (
     SELECT *, CASE WHEN $4::bigint IS NULL THEN created_at >= $2 ELSE id >= $4 END AS is_shown,
            $6::bigint + sum(delta_micros) OVER (ORDER BY id) AS balance_after_micros
     FROM near WHERE $5 OR created_at < $3
   )
   SELECT max(id) AS last_id,
          coalesce(sum(delta_micros) FILTER (WHERE NOT is_shown), 0)::bigint AS before_micros,
          coalesce(sum(delta_micros), 0)::bigint AS moved_micros,
          count(*) FILTER (WHERE is_shown AND kind = 'capture') AS charged_jobs,
          coalesce(sum(amount_micros) FILTER (WHERE is_shown AND kind = 'capture'), 0)::bigint AS charged_micros,
          coalesce(sum(CASE kind WHEN 'reserve' THEN amount_micros ELSE -amount_micros END)
                   FILTER (WHERE is_shown AND job_id IS NOT NULL), 0)::bigint AS reserved_micros,
          coalesce(json_agg(json_build_object(
            'id', id::text, 'kind', ${KIND}, 'cause', ${CAUSE}, 'amount_micros', amount_micros,
            'balance_delta_micros', delta_micros, 'balance_after_micros', balance_after_micros, 'created_at', created_at
          ) ORDER BY id) FILTER (WHERE is_shown AND job_id IS NULL), '[]') AS entries
   FROM entry`,
);

/** The closing of an archived month, or the last one before it. No row for any other month. */
const FIND_ARCHIVED = statement(
  'ledger_show_archived_month',
  `SELECT closing.* FROM (
     SELECT month FROM ledger_month WHERE archived_at IS NOT NULL ORDER BY month DESC LIMIT 1
   ) AS archived LEFT JOIN LATERAL (
     SELECT month, last_entry_id, books, charged_jobs FROM ledger_closing
     WHERE account_id = $1 AND month <= $2 ORDER BY month DESC LIMIT 1
   ) AS closing ON true
   WHERE archived.month >= $2`,
);

const CLOSING = columnsOf(LedgerClosingEntity, 'month', 'last_entry_id', 'books', 'charged_jobs');
/** All null for an account without a closing. */
type ArchivedRow = { [Column in keyof RowOf<typeof CLOSING>]: RowOf<typeof CLOSING>[Column] | null };

interface BoundsRow {
  begin_id: number | null;
  has_end: boolean;
  before_id: number;
  closed_id: number;
  start_id: number;
  start_micros: number;
}

interface MonthRow extends Pick<MonthStatement, 'charged_jobs' | 'charged_micros' | 'reserved_micros'> {
  last_id: number | null;
  before_micros: number;
  moved_micros: number;
  entries: (Omit<StatementEntry, 'object' | 'job_id' | 'cause'> & { cause: AdjustmentCause | null })[];
}

/** The statements of months in UTC. */
@Injectable()
export class MonthStatementRepository {
  constructor(private readonly database: Database) {}

  /** @param month such as 2026-11 */
  async show(accountId: string, month: string): Promise<Omit<MonthStatement, 'billing_details'>> {
    const archived = await this.database.findOne<ArchivedRow>(FIND_ARCHIVED, [accountId, month]);
    if (archived) return toArchivedMonth(month, archived);
    const before = monthAfter(new Date(month), -1).toISOString().slice(0, 7);
    const bounds = await this.database.findOne<BoundsRow & Record<string, unknown>>(FIND_BOUNDS, [
      ...[accountId, month, before],
    ]);
    const row = bounds && (await this.sumUp(accountId, month, bounds));
    if (!row) throw new Error('The sums of the month returned no row.');
    const { start_id, start_micros } = bounds;
    const { last_id, before_micros, moved_micros, entries, ...sums } = row;
    const closing_micros = start_micros + moved_micros;
    const cursor = encodePlace({ entryId: String((last_id ?? start_id) + 1), balanceBeforeMicros: closing_micros });
    const opening_micros = start_micros + before_micros;
    return { month, opening_micros, closing_micros, ...sums, entries: entries.map(toEntry), cursor };
  }

  private sumUp(accountId: string, month: string, bounds: BoundsRow): Promise<MonthRow | null> {
    const { begin_id, has_end, before_id, closed_id, start_id, start_micros } = bounds;
    const start = new Date(month);
    const show = withIds(SHOW, { $7: Math.max(start_id + 1, closed_id), $8: before_id });
    const values = [accountId, start, monthAfter(start, 1), begin_id, has_end, start_micros];
    return this.database.findOne<MonthRow & Record<string, unknown>>(show, values);
  }
}

/** A month without entries is complete: it has those before it in its balance only. */
function toArchivedMonth(month: string, closing: ArchivedRow): Omit<MonthStatement, 'billing_details'> {
  const { available, held, revenue } = closing.books ?? {};
  const closing_micros = available?.closing_micros ?? 0;
  const cursor = encodePlace({
    entryId: String((closing.last_entry_id ?? 0) + 1),
    balanceBeforeMicros: closing_micros,
  });
  const balances = { month, opening_micros: closing_micros, closing_micros };
  const none = { charged_jobs: 0, charged_micros: 0, reserved_micros: 0, entries: [], cursor };
  if (closing.month !== month || !available || !held || !revenue) return { ...balances, ...none };
  return {
    ...{ ...balances, ...none, opening_micros: available.opening_micros, archived: true },
    charged_jobs: closing.charged_jobs ?? 0,
    charged_micros: revenue.micros_by_kind['capture'] ?? 0,
    reserved_micros: held.closing_micros - held.opening_micros,
  };
}

function toEntry({ created_at, cause, ...entry }: MonthRow['entries'][number]): StatementEntry {
  const at = new Date(created_at).toISOString();
  return { object: 'statement_entry', ...entry, ...(cause !== null && { cause }), job_id: null, created_at: at };
}
