import { Injectable } from '@nestjs/common';
import type {
  AdjustmentCause,
  ArchivedStatement,
  StatementEntry,
  StatementLine,
} from '@kinora/contracts/billing/statement';
import type { JobEntry } from '@kinora/contracts/billing/billing.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, statement } from '@kinora/database';
import { invalidCursor } from '../operator/page-place';
import {
  FIRST_KEPT_ID,
  firstIdSince,
  idIn,
  type IdStretch,
  joinNeighbours,
  lastIdUntil,
  NEWEST_ID,
  withIds,
} from './ledger-bounds';

/** The effect of an entry on the available balance. */
export const BALANCE_DELTA = `CASE 'available' WHEN credit THEN amount_micros WHEN debit THEN -amount_micros ELSE 0 END`;

/** Callers know these kinds of moves as adjustments with a cause. */
const isCaused = `kind IN ('payment_refund', 'dispute', 'debt_payment')`;
export const KIND = `CASE WHEN ${isCaused} THEN 'adjustment' ELSE kind END`;
export const CAUSE = `CASE WHEN ${isCaused} THEN kind END`;

/**
 * Balances are computed backwards from the wallet, so that the newest lines of a long history cost no more than those of
 * a short one.
 */
const LIST_LINES = statement(
  'ledger_list_lines',
  `SELECT entry.id::text AS entry_id, ${KIND} AS kind, ${CAUSE} AS cause, entry.amount_micros, entry.balance_delta_micros,
          (wallet.available_micros - newer.balance_delta_micros + entry.balance_delta_micros
            - sum(entry.balance_delta_micros) OVER (ORDER BY entry.id DESC))::bigint AS balance_after_micros,
          entry.job_id, entry.reason, entry.reference, entry.created_at
   FROM wallet JOIN LATERAL (
     SELECT coalesce(sum(${BALANCE_DELTA}), 0) AS balance_delta_micros
     FROM ledger_entry WHERE account_id = wallet.account_id AND id >= $3
   ) AS newer ON true JOIN LATERAL (
     SELECT id, kind, amount_micros, job_id, reason, reference, created_at, ${BALANCE_DELTA} AS balance_delta_micros
     FROM ledger_entry
     WHERE account_id = wallet.account_id AND id >= ${FIRST_KEPT_ID} AND id < least($3, ${NEWEST_ID} + 1) AND $4
     ORDER BY id DESC LIMIT $2
   ) AS entry ON true
   WHERE wallet.account_id = $1
   ORDER BY entry.id`,
  { mayBeStale: true },
);

/**
 * Where the entries of a page can be, oldest first: in the month of its place, or the open ones, and in those months before it that have
 * entries by their closings, until these have enough.
 */
const FIND_STRETCHES = statement(
  'ledger_find_stretches',
  `WITH before AS MATERIALIZED (
     SELECT month, coalesce(lag(end_id) OVER (ORDER BY month), 0) AS from_id, end_id AS before_id, archived_at
     FROM ledger_month WHERE closed_at IS NOT NULL AND end_id <= $3
   ), filled AS (
     SELECT month FROM (
       SELECT month, sum(entries) OVER (ORDER BY month DESC) - entries AS newer
       FROM ledger_closing WHERE account_id = $1 AND month <= (SELECT max(month) FROM before)
     ) AS closing WHERE newer >= $2 ORDER BY month DESC LIMIT 1
   )
   SELECT from_id, before_id FROM ledger_closing JOIN before USING (month)
   WHERE account_id = $1 AND month > coalesce((SELECT month FROM filled), '') AND archived_at IS NULL
   UNION ALL
   SELECT coalesce(max(before_id), 0),
          (SELECT end_id FROM ledger_month WHERE closed_at IS NOT NULL AND end_id > $3 ORDER BY month LIMIT 1)
   FROM before ORDER BY from_id`,
  { mayBeStale: true },
);

/** Continues a statement from the balance before its last entry, so that a deep page costs no more than the first one. */
const LIST_BEFORE = statement(
  'ledger_list_before',
  `SELECT id::text AS entry_id, ${KIND} AS kind, ${CAUSE} AS cause, amount_micros, balance_delta_micros,
          ($4::bigint + balance_delta_micros - sum(balance_delta_micros) OVER (ORDER BY id DESC))::bigint
            AS balance_after_micros,
          job_id, reason, reference, created_at
   FROM (
     SELECT *, ${BALANCE_DELTA} AS balance_delta_micros
     FROM ledger_entry WHERE account_id = $1 AND id >= ${FIRST_KEPT_ID} AND id < $3 AND $5
     ORDER BY id DESC LIMIT $2
   ) AS entry
   ORDER BY id`,
  { mayBeStale: true },
);

type LineRow = Omit<StatementLine, 'created_at' | 'cause'> & { created_at: Date; cause: AdjustmentCause | null };

/** Where the entries of a job can be, and those that are archived. */
const FIND_HOLD = statement(
  'ledger_find_hold',
  `SELECT greatest(${FIRST_KEPT_ID}, ${firstIdSince('created_at')}) AS from_id, ${lastIdUntil('ended_at')} AS until_id,
          (SELECT coalesce(json_agg(archived ORDER BY id), '[]') FROM (VALUES
             (reserve_entry_id, reserve_entry_id::text, 'reserve', amount_micros, reserve_entry_at),
             (end_entry_id, end_entry_id::text, CASE state WHEN 'captured' THEN 'capture' ELSE 'refund' END, amount_micros, end_entry_at)
           ) AS archived (id, entry_id, kind, amount_micros, created_at) WHERE id < ${FIRST_KEPT_ID}) AS archived
   FROM hold WHERE job_id = $1`,
);

const FIND_OF_JOB = statement(
  'ledger_find_of_job',
  `SELECT id::text AS entry_id, kind, amount_micros, created_at FROM ledger_entry
   WHERE job_id = $1 AND id BETWEEN $2 AND $3 ORDER BY id`,
);

type KeptEntry = Omit<JobEntry, 'created_at'> & { created_at: string | Date };

interface HoldRow {
  from_id: number;
  until_id: number;
  archived: (JobEntry & { id: number })[];
}

const FIND_ARCHIVED = statement(
  'ledger_find_archived',
  `SELECT archived.month AS through, (books->'available'->>'closing_micros')::bigint AS closing_micros
   FROM (SELECT month FROM ledger_month WHERE archived_at IS NOT NULL ORDER BY month DESC LIMIT 1) AS archived
   CROSS JOIN LATERAL (
     SELECT books FROM ledger_closing WHERE account_id = $1 AND month <= archived.month ORDER BY month DESC LIMIT 1
   ) AS closing`,
  { mayBeStale: true },
);

/** Greater than every entry id. */
export const NEWEST = '9223372036854775807';

/** The last entry of a page of a statement, and the balance before it. */
interface StatementPlace {
  entryId: string;
  balanceBeforeMicros: Micros;
}

/** The ledger entries of accounts. Entries are only inserted, by the statements that move money. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly database: Database) {}

  /** The newest lines before the given entry, oldest first. */
  async listLines(accountId: string, limit: number, beforeEntryId = NEWEST): Promise<StatementLine[]> {
    const stretches = await this.findStretches(accountId, limit, beforeEntryId);
    const [first] = stretches;
    // One prepared statement serves the accounts whose newest page begins in the same month.
    const isCommon = beforeEntryId === NEWEST && stretches.length === 1;
    const name = isCommon ? `ledger_list_lines from ${first?.from_id}` : '';
    const list = withIds(LIST_LINES, { $3: BigInt(beforeEntryId), $4: idIn(stretches) }, name);
    return toLines(await this.database.query<LineRow>(list, [accountId, limit]));
  }

  /** The newest lines before a place of a statement, oldest first. */
  async listBefore(accountId: string, limit: number, place: StatementPlace): Promise<StatementLine[]> {
    const list = withIds(LIST_BEFORE, { $5: idIn(await this.findStretches(accountId, limit, place.entryId)) });
    const values = [accountId, limit, place.entryId, place.balanceBeforeMicros];
    return toLines(await this.database.query<LineRow>(list, values));
  }

  private async findStretches(accountId: string, limit: number, beforeEntryId: string): Promise<IdStretch[]> {
    const values = [accountId, limit, beforeEntryId];
    return joinNeighbours(await this.database.query<IdStretch & Record<string, unknown>>(FIND_STRETCHES, values));
  }

  /** Null if the account has no archived entry. */
  findArchived(accountId: string): Promise<ArchivedStatement | null> {
    return this.database.findOne<ArchivedStatement & Record<string, unknown>>(FIND_ARCHIVED, [accountId]);
  }

  /** In their order: the reserve, then the capture or the refund. */
  async findOfJob(jobId: string): Promise<JobEntry[]> {
    const hold = await this.database.findOne<HoldRow & Record<string, unknown>>(FIND_HOLD, [jobId]);
    if (!hold) return [];
    const find = withIds(FIND_OF_JOB, { $2: hold.from_id, $3: hold.until_id });
    const kept = hold.archived.length === 2 ? [] : await this.database.query<KeptEntry>(find, [jobId]);
    const entries: KeptEntry[] = [...hold.archived.map(({ id: _id, ...entry }) => entry), ...kept];
    return entries.map((entry) => ({ ...entry, created_at: new Date(entry.created_at).toISOString() }));
  }
}

function toLines(rows: LineRow[]): StatementLine[] {
  return rows.map(({ created_at, cause, ...line }) => ({
    ...{ ...line, ...(cause !== null && { cause }) },
    created_at: created_at.toISOString(),
  }));
}

/** The id of an entry, and the balance before it. */
const PLACE = /^(\d{1,18})\.(\d{1,15})$/;

export function encodeStatementPlace(
  last: Pick<StatementEntry, 'id' | 'balance_after_micros' | 'balance_delta_micros'>,
): string {
  return encodePlace({ entryId: last.id, balanceBeforeMicros: last.balance_after_micros - last.balance_delta_micros });
}

/** A forged balance shows wrong balances to its author only. @throws ApiError invalid_query */
export function decodeStatementPlace(text: string): StatementPlace {
  const [, entryId, balance] = PLACE.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const place = entryId && balance ? { entryId, balanceBeforeMicros: Number(balance) } : null;
  // Compared as text too, because the decoder ignores invalid characters.
  if (place && encodePlace(place) === text) return place;
  throw invalidCursor();
}

export function encodePlace({ entryId, balanceBeforeMicros }: StatementPlace): string {
  return Buffer.from(`${entryId}.${balanceBeforeMicros}`).toString('base64url');
}
