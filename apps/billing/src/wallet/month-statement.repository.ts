import { Injectable } from '@nestjs/common';
import type { AdjustmentCause, MonthStatement, StatementEntry } from '@kinora/contracts/billing/statement';
import { Database, monthAfter, statement } from '@kinora/database';
import { NEWEST_ID } from './ledger-bounds';
import { BALANCE_DELTA, CAUSE, encodePlace, KIND } from './ledger.repository';

/**
 * Entries belong to a month that closes by their ids, as in its closing, and to a later one by their times. Entries are read from the
 * last closing before the month, which may be in the making, to its end: the length of the history does not count.
 */
const SHOW = statement(
  'ledger_show_month',
  `WITH bounds AS (
     SELECT (SELECT end_id FROM ledger_month WHERE month = $4) AS begin_id,
            EXISTS (SELECT FROM ledger_month WHERE month = $5) AS has_end,
            (SELECT end_id FROM ledger_month WHERE month >= $5 ORDER BY month LIMIT 1) AS end_id
   ), closing AS (
     SELECT last_entry_id, (books->'available'->>'closing_micros')::bigint AS available_micros
     FROM ledger_closing WHERE account_id = $1 AND month < $5 ORDER BY month DESC LIMIT 1
   ), start AS (
     SELECT coalesce((SELECT last_entry_id FROM closing), 0) AS id,
            coalesce((SELECT available_micros FROM closing), 0) AS balance_micros
   ), near AS (
     SELECT *, ${BALANCE_DELTA} AS delta_micros FROM ledger_entry
     WHERE account_id = $1 AND id > (SELECT id FROM start) AND id < coalesce((SELECT end_id FROM bounds), ${NEWEST_ID} + 1)
   ), entry AS (
     SELECT *, CASE WHEN begin_id IS NULL THEN created_at >= $2 ELSE id >= begin_id END AS is_shown,
            (SELECT balance_micros FROM start) + sum(delta_micros) OVER (ORDER BY id) AS balance_after_micros
     FROM near, bounds WHERE has_end OR created_at < $3
   )
   SELECT (SELECT id FROM start) AS start_id, (SELECT balance_micros FROM start) AS start_micros, max(id) AS last_id,
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

interface MonthRow extends Pick<MonthStatement, 'charged_jobs' | 'charged_micros' | 'reserved_micros'> {
  start_id: number;
  start_micros: number;
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
    const start = new Date(`${month}-01T00:00:00Z`);
    const before = monthAfter(start, -1).toISOString().slice(0, 7);
    const row = await this.database.findOne<MonthRow>(SHOW, [accountId, start, monthAfter(start, 1), before, month]);
    if (!row) throw new Error('The sums of the month returned no row.');
    const { start_id, start_micros, last_id, before_micros, moved_micros, entries, ...sums } = row;
    const closing_micros = start_micros + moved_micros;
    const cursor = encodePlace({ entryId: String((last_id ?? start_id) + 1), balanceBeforeMicros: closing_micros });
    const opening_micros = start_micros + before_micros;
    return { month, opening_micros, closing_micros, ...sums, entries: entries.map(toEntry), cursor };
  }
}

function toEntry({ created_at, cause, ...entry }: MonthRow['entries'][number]): StatementEntry {
  const at = new Date(created_at).toISOString();
  return { object: 'statement_entry', ...entry, ...(cause !== null && { cause }), job_id: null, created_at: at };
}
