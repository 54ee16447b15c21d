import { Client } from 'pg';
import type { LocalStack } from '../support/local-stack';

const LAST_MONTH = new Date(new Date().setUTCDate(0)).toISOString().slice(0, 7);
/** A payment of three dollars, which two jobs have used. */
const BOOKS = { available: 0, held: 0, revenue: 3_000_000, top_ups: -3_000_000, credits: 0, debts: 0 };
const ARCHIVE = `
  WITH archived AS (
    INSERT INTO billing.ledger_month VALUES ('${LAST_MONTH}', 1, '00000000-0000-0000-0000-000000000000', now(), 'hash', now())
  ), unverified AS (
    DELETE FROM billing.ledger_checkpoint WHERE account_id = $1
  ), spent AS (
    UPDATE billing.wallet SET spent_micros = spent_micros + 3000000 WHERE account_id = $1
  )
  INSERT INTO billing.ledger_closing
  SELECT $1, '${LAST_MONTH}', 0, 5, json_object_agg(book, json_build_object(
           'opening_micros', 0, 'closing_micros', closing, 'micros_by_kind', json_build_object('capture', closing))), '{}', '', '', 2
  FROM json_each('${JSON.stringify(BOOKS)}') AS closed (book, closing)`;

/** Leaves what stays of a month of the demo account whose entries are exported and dropped. @returns the month */
export async function archiveMonth(stack: LocalStack): Promise<string> {
  const { account_id, database_url } = await stack.describe();
  const database = new Client({ connectionString: database_url });
  await database.connect();
  try {
    await database.query(ARCHIVE, [account_id]);
  } finally {
    await database.end();
  }
  return LAST_MONTH;
}
