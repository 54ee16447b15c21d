type Kind = 'dispute' | 'payment_refund';

const lockedWallet = (source: string): string => `
   locked_wallet AS MATERIALIZED (
     SELECT account_id, available_micros, owed_micros FROM wallet
     WHERE account_id IN (SELECT account_id FROM ${source}) FOR UPDATE
   )`;

/** Writes the moves of an amount that are not zero. Each is named by the row that it is of. */
const enter = (kind: Kind, moves: string): string => `
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reason, reference)
   SELECT account_id, '${kind}', move.debit, move.credit, move.micros, move.reason, '${kind} ' || id || move.part
   FROM moved CROSS JOIN LATERAL (VALUES ${moves}) AS move (debit, credit, micros, reason, part) WHERE move.micros > 0`;

/**
 * The rest of a statement that takes a payment out of a wallet. What the balance does not cover is owed. `source` is a CTE of one row
 * at most: id, account_id, amount_micros and reason.
 */
export function takeBack(source: string, kind: Kind): string {
  return `${lockedWallet(source)}, share AS (
     SELECT ${source}.*, available_micros, owed_micros, least(available_micros, amount_micros) AS taken_micros
     FROM ${source} JOIN locked_wallet USING (account_id)
   ), moved AS (
     UPDATE wallet
     SET available_micros = share.available_micros - taken_micros,
         owed_micros = share.owed_micros + amount_micros - taken_micros
     FROM share WHERE wallet.account_id = share.account_id
     RETURNING share.*
   ), entered AS (${enter(
     kind,
     `('available', 'top_ups', taken_micros, reason, ''),
      ('debts', 'top_ups', amount_micros - taken_micros, reason || ', owed', ' owed')`,
   )})
   SELECT amount_micros - taken_micros AS owed_micros FROM moved`;
}

/** The rest of a statement that returns such an amount to the wallet; what is owed is paid with it first. */
export function giveBack(source: string, kind: Kind): string {
  return `${lockedWallet(source)}, share AS (
     SELECT ${source}.*, available_micros, owed_micros, least(owed_micros, amount_micros) AS forgiven_micros
     FROM ${source} JOIN locked_wallet USING (account_id)
   ), moved AS (
     UPDATE wallet
     SET available_micros = share.available_micros + amount_micros - forgiven_micros,
         owed_micros = share.owed_micros - forgiven_micros
     FROM share WHERE wallet.account_id = share.account_id
     RETURNING share.*
   ) ${enter(
     kind,
     `('top_ups', 'debts', forgiven_micros, reason || ', not owed any more', ' forgiven'),
      ('top_ups', 'available', amount_micros - forgiven_micros, reason, ' returned')`,
   )}`;
}
