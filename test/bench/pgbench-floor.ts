import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import type { LoadResult } from './load';

const run = promisify(execFile);

const THREADS = 2;
/** Debian installs pgbench beside the server, and does not put it on the path. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const FLOOR_ACCOUNTS = 1_000;
/** Jobs that can be read by key from the beginning; the id of the n-th is the MD5 of n. */
const FLOOR_JOBS = 10_000;
/** The usual size of a job's input in bytes. */
const FLOOR_INPUT = JSON.stringify({ prompt: 'x'.repeat(540), size: '1024x1024', seed: 1, n: 1 });

const FLOOR_TABLES = `
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

/** UUIDs ordered by time, as in production: random keys would slow the floor down. */
const TIME_ORDERED_ID = `encode(overlay(uuid_send(gen_random_uuid()) PLACING
  substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 'hex')::uuid`;
const SCRIPTS = {
  /** The work of a create in one statement: key, wallet, ledger entry, job with 600 bytes of JSON, outbox. */
  create: `\\set account random(1, ${FLOOR_ACCOUNTS})
  WITH key AS (
    INSERT INTO floor.idempotency_key SELECT :account::integer, gen_random_uuid()::text, ${TIME_ORDERED_ID}
    ON CONFLICT DO NOTHING RETURNING job_id
  ), wallet AS (
    UPDATE floor.wallet SET available_micros = available_micros - 20000, held_micros = held_micros + 20000
     WHERE account_id = :account::integer AND available_micros >= 20000 AND EXISTS (SELECT FROM key) RETURNING account_id
  ), entry AS (
    INSERT INTO floor.entry (job_id, account_id, amount_micros) SELECT job_id, account_id, 20000 FROM key, wallet
  ), job AS (
    INSERT INTO floor.job (id, account_id, input) SELECT job_id, account_id, :input::json FROM key, wallet RETURNING id, input
  )
  INSERT INTO floor.outbox (id, payload) SELECT id, input FROM job RETURNING id;\n`,
  get: `\\set n random(1, ${FLOOR_JOBS})
  SELECT id, account_id, status, input, created_at FROM floor.job WHERE id = md5(:n)::uuid;\n`,
};

/** The rate of PostgreSQL itself for a create, and for a read by key, with pgbench and prepared statements. */
export class PgbenchFloor {
  private constructor(
    private readonly program: string,
    private readonly folder: string,
    private readonly databaseUrl: string,
    private readonly pool: Pool,
  ) {}

  /** Creates the tables of the floor. @returns null where pgbench is not installed. */
  static async open(databaseUrl: string): Promise<PgbenchFloor | null> {
    const program = await findPgbench();
    if (program === null) return null;
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-pgbench-'));
    for (const [name, script] of Object.entries(SCRIPTS)) await writeFile(path.join(folder, `${name}.sql`), script);
    const pool = new Pool({ connectionString: databaseUrl, max: 1 });
    await pool.query(FLOOR_TABLES);
    return new PgbenchFloor(program, folder, databaseUrl, pool);
  }

  /** pgbench reports percentiles only if it logs each transaction, which would slow it down. */
  async measure(script: keyof typeof SCRIPTS, clients: number, durationMs: number): Promise<LoadResult> {
    const load = ['-c', String(clients), '-j', String(Math.min(clients, THREADS)), '-T', String(durationMs / 1_000)];
    const file = path.join(this.folder, `${script}.sql`);
    const args = ['-n', '-M', 'prepared', ...load, '-D', `input=${FLOOR_INPUT}`, '-f', file, this.databaseUrl];
    const { stdout } = await run(this.program, args);
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    if (!(perSecond > 0)) throw new Error(`pgbench printed no rate:\n${stdout}`);
    return { perSecond, p50Ms: Number.NaN, p99Ms: Number.NaN };
  }

  async close(): Promise<void> {
    await this.pool.query('DROP SCHEMA floor CASCADE');
    await this.pool.end();
    await rm(this.folder, { recursive: true });
  }
}

async function findPgbench(): Promise<string | null> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => []);
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  const candidates = ['pgbench', ...newestFirst.map((version) => path.join(DEBIAN_FOLDER, version, 'bin/pgbench'))];
  for (const candidate of candidates) {
    const runs = run(candidate, ['--version']).then(
      () => true,
      () => false,
    );
    if (await runs) return candidate;
  }
  return null;
}
