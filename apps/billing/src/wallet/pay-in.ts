/**
 * The rest of a statement that adds paid money to a wallet. `source` is a CTE of one row at most: account_id, amount_micros, reason,
 * reference and payment_id. A debt is paid first. The entries are in the order in which the balance changes, and the wallet is written
 * from the locked values, as when jobs reserve.
 */
export function payIn(source: string): string {
  return `
   locked_wallet AS MATERIALIZED (
     SELECT account_id, available_micros, owed_micros FROM wallet
     WHERE account_id IN (SELECT account_id FROM ${source}) FOR UPDATE
   ), share AS (
     SELECT ${source}.*, available_micros, owed_micros, least(owed_micros, amount_micros) AS repaid_micros
     FROM ${source} JOIN locked_wallet USING (account_id)
   ), topped_up AS (
     UPDATE wallet
     SET available_micros = share.available_micros + amount_micros - repaid_micros,
         owed_micros = share.owed_micros - repaid_micros
     FROM share WHERE wallet.account_id = share.account_id
     RETURNING share.*
   ), entered AS (
     INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reason, reference, payment_id)
     SELECT account_id, move.kind, move.debit, move.credit, move.micros, reason, move.reference, move.payment_id
     FROM topped_up CROSS JOIN LATERAL (VALUES
       (1, 'top_up', 'top_ups', 'available', amount_micros, reference, payment_id),
       (2, 'debt_payment', 'available', 'debts', repaid_micros, NULL, NULL)
     ) AS move (place, kind, debit, credit, micros, reference, payment_id)
     WHERE move.micros > 0 ORDER BY place
     RETURNING id, kind
   )
   SELECT account_id, repaid_micros, (SELECT id::text FROM entered WHERE kind = 'top_up') AS entry_id FROM topped_up`;
}

export interface PaidIn {
  account_id: string;
  /** What of the amount has paid a debt. */
  repaid_micros: number;
  entry_id: string;
}
