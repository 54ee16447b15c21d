export const FLOOR_ACCOUNTS = 1_000;
/** Jobs that can be read by key from the beginning; the id of the n-th is the MD5 of n. */
export const FLOOR_JOBS = 10_000;
/** The usual size of a job's input in bytes. */
export const FLOOR_INPUT = JSON.stringify({ prompt: 'x'.repeat(540), size: '1024x1024', seed: 1, n: 1 });

export const FLOOR_TABLES = `
  DROP SCHEMA IF EXISTS floor CASCADE;
  CREATE SCHEMA floor;
  CREATE TABLE floor.idempotency_key (account_id integer, key text, job_id uuid, PRIMARY KEY (account_id, key));
  CREATE TABLE floor.wallet (account_id integer PRIMARY KEY, available_micros bigint CHECK (available_micros >= 0),
                             held_micros bigint CHECK (held_micros >= 0)) WITH (fillfactor = 50);
  CREATE TABLE floor.entry (job_id uuid PRIMARY KEY, account_id integer, amount_micros bigint);
  CREATE TABLE floor.job (id uuid PRIMARY KEY, account_id integer, status text DEFAULT 'queued', input json,
                          created_at timestamptz DEFAULT clock_timestamp());
  CREATE TABLE floor.outbox (id uuid PRIMARY KEY, payload json);
  INSERT INTO floor.wallet SELECT id, 1000000000000, 0 FROM generate_series(1, ${FLOOR_ACCOUNTS}) AS id;
  INSERT INTO floor.job (id, account_id, input)
  SELECT md5(n::text)::uuid, 1, '${FLOOR_INPUT}' FROM generate_series(1, ${FLOOR_JOBS}) AS n;
  ANALYZE floor.wallet, floor.job`;

/** SQL expressions for the values of a create, which are written into the statement as they are. */
export interface CreateValues {
  account: string;
  key: string;
  id: string;
  input: string;
}

/** The work of a create in one statement: key, wallet, ledger entry, job with 600 bytes of JSON, outbox. */
export function createStatement({ account, key, id, input }: CreateValues): string {
  return `
  WITH key AS (
    INSERT INTO floor.idempotency_key SELECT ${account}::integer, ${key}, ${id} ON CONFLICT DO NOTHING RETURNING job_id
  ), wallet AS (
    UPDATE floor.wallet SET available_micros = available_micros - 20000, held_micros = held_micros + 20000
     WHERE account_id = ${account}::integer AND available_micros >= 20000 AND EXISTS (SELECT FROM key) RETURNING account_id
  ), entry AS (
    INSERT INTO floor.entry (job_id, account_id, amount_micros) SELECT job_id, account_id, 20000 FROM key, wallet
  ), job AS (
    INSERT INTO floor.job (id, account_id, input) SELECT job_id, account_id, ${input}::json FROM key, wallet RETURNING id, input
  )
  INSERT INTO floor.outbox (id, payload) SELECT id, input FROM job RETURNING id`;
}

/** A read by key. */
export function getStatement(id: string): string {
  return `SELECT id, account_id, status, input, created_at FROM floor.job WHERE id = ${id}`;
}
