import type { Statement } from '@kinora/database';

/** The id that was drawn last: the partitions after it are empty. */
export const NEWEST_ID = '(SELECT last_value FROM ledger_entry_id_seq)';

/** Entries before it are archived. What readers need of them is in `hold`, `ledger_reference` and `ledger_closing`. */
export const FIRST_KEPT_ID =
  'coalesce((SELECT end_id FROM ledger_month WHERE archived_at IS NOT NULL ORDER BY month DESC LIMIT 1), 0)';

/** No two clocks differ by more. */
const DRIFT = `interval '1 day'`;

const monthOf = (time: string): string => `to_char((${time})::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM')`;

/** No entry of that time or later has a smaller id: with both bounds, a statement reads the partitions of the months in between. */
export function firstIdSince(time: string): string {
  return `coalesce((SELECT end_id FROM ledger_month WHERE month < ${monthOf(`${time} - ${DRIFT}`)} ORDER BY month DESC LIMIT 1), 0)`;
}

/** No entry up to that time has a greater id. Without a time, it is the newest one. */
export function lastIdUntil(time: string): string {
  return `coalesce((SELECT end_id FROM ledger_month WHERE month >= ${monthOf(`${time} + ${DRIFT}`)} ORDER BY month LIMIT 1), ${NEWEST_ID})`;
}

/** Ids from one on and before another; null for no end. */
export interface IdStretch {
  from_id: number;
  before_id: number | null;
}

/** The condition that an id is in one of these. */
export function idIn(stretches: IdStretch[]): string {
  const conditions = stretches.map(({ from_id, before_id }) =>
    before_id === null ? `id >= ${from_id}` : `id >= ${from_id} AND id < ${before_id}`,
  );
  return `(${conditions.join(' OR ')})`;
}

/** @param stretches in their order */
export function joinNeighbours(stretches: IdStretch[]): IdStretch[] {
  const joined: IdStretch[] = [];
  for (const { from_id, before_id } of stretches) {
    const last = joined.at(-1);
    if (last?.before_id === from_id) last.before_id = before_id;
    else joined.push({ from_id, before_id });
  }
  return joined;
}

/** For `ENTRIES_OF_STRETCHES`: literals around the ids after one and up to another. */
export function boundsOf(stretches: [afterId: number, lastId: number][]): { $6: number; $7: number } {
  return {
    $6: Math.min(Number.MAX_SAFE_INTEGER, ...stretches.map(([afterId]) => afterId)),
    $7: Math.max(0, ...stretches.map(([, lastId]) => lastId)),
  };
}

/**
 * The statement with ids, or a condition of ids, as literals in place of parameters after the passed ones, so that it is planned for the
 * ranges of these ids only.
 * @param name prepares it, where few ids are passed; others are planned at each call
 */
export function withIds(of: Statement, ids: Record<`$${number}`, number | bigint | string>, name = ''): Statement {
  const literals = new Map(Object.entries(ids));
  const text = of.text.replaceAll(/\$\d+/g, (parameter) => String(literals.get(parameter) ?? parameter));
  return { ...of, text, name, label: of.name };
}
