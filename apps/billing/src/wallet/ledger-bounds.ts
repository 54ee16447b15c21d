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

/**
 * The statement with ids as literals in place of its last parameters, so that it is planned for the ranges of these ids only.
 * @param name prepares it, where few ids are passed; others are planned at each call
 */
export function withIds(of: Statement, ids: Record<`$${number}`, number | bigint>, name = ''): Statement {
  const literals = new Map(Object.entries(ids));
  const text = of.text.replaceAll(/\$\d+/g, (parameter) => String(literals.get(parameter) ?? parameter));
  return { ...of, text, name, label: of.name };
}
