import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';

const ACCOUNTS = 1_000;

/** The same work as an accept: key, wallet, ledger entry, job with 600 bytes of JSON, outbox; in one statement. */
const ACCEPT = `
  WITH key AS (
    INSERT INTO floor.idempotency_key VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING job_id
  ), wallet AS (
    UPDATE floor.wallet SET available_micros = available_micros - 20000, held_micros = held_micros + 20000
     WHERE account_id = $1 AND available_micros >= 20000 AND EXISTS (SELECT FROM key) RETURNING account_id
  ), entry AS (
    INSERT INTO floor.entry (job_id, account_id, amount_micros) SELECT $3, account_id, 20000 FROM wallet
  ), job AS (
    INSERT INTO floor.job (id, account_id, input) SELECT $3, account_id, $4 FROM wallet RETURNING id
  )
  INSERT INTO floor.outbox (id, payload) SELECT id, $4 FROM job RETURNING id`;

const GET = 'SELECT id, account_id, status, input, created_at FROM floor.job WHERE id = $1';

const SCHEMA = `
  CREATE SCHEMA floor;
  CREATE TABLE floor.idempotency_key (account_id integer, key text, job_id uuid, PRIMARY KEY (account_id, key));
  CREATE TABLE floor.wallet (account_id integer PRIMARY KEY, available_micros bigint CHECK (available_micros >= 0),
                             held_micros bigint CHECK (held_micros >= 0)) WITH (fillfactor = 50);
  CREATE TABLE floor.entry (job_id uuid PRIMARY KEY, account_id integer, amount_micros bigint);
  CREATE TABLE floor.job (id uuid PRIMARY KEY, account_id integer, status text DEFAULT 'queued', input json,
                          created_at timestamptz DEFAULT clock_timestamp());
  CREATE TABLE floor.outbox (id uuid PRIMARY KEY, payload json);
  INSERT INTO floor.wallet SELECT id, 1000000000000, 0 FROM generate_series(1, ${ACCOUNTS}) AS id`;

/** What PostgreSQL itself takes for an accept, and for a read by key, from one process through `pg`, prepared. */
export class StatementFloor {
  private readonly pool: Pool;
  private readonly input = JSON.stringify({ prompt: 'x'.repeat(540), size: '1024x1024', seed: 1, n: 1 });
  private calls = 0;
  private readonly accepted: string[] = [];

  constructor(databaseUrl: string) {
    this.pool = new Pool({ connectionString: databaseUrl, max: 8 });
  }

  async prepare(): Promise<void> {
    await this.pool.query(`DROP SCHEMA IF EXISTS floor CASCADE; ${SCHEMA}`);
  }

  async accept(): Promise<void> {
    const account = (this.calls++ % ACCOUNTS) + 1;
    const id = uuidv7();
    const values = [account, randomUUID(), id, this.input];
    const { rowCount } = await this.pool.query({ name: 'floor_accept', text: ACCEPT, values });
    if (rowCount !== 1) throw new Error('The floor did not accept.');
    this.accepted.push(id);
  }

  /** One of those that were accepted before. */
  async get(): Promise<void> {
    const id = this.accepted[Math.floor(Math.random() * this.accepted.length)];
    const { rowCount } = await this.pool.query({ name: 'floor_get', text: GET, values: [id] });
    if (rowCount !== 1) throw new Error('The floor did not find what it had accepted.');
  }

  async close(): Promise<void> {
    await this.pool.query('DROP SCHEMA floor CASCADE');
    await this.pool.end();
  }
}
