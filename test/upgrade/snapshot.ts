import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Migration, migrate, provision, schemaOf } from '@kinora/database';
import { Client } from 'pg';
import { ROOT, exportsOf } from '../../deploy/build/source-files';

/** Written by `take-snapshot.ts`, beside this file, from the baseline of 1.0.0. */
export const SNAPSHOT_FILE = 'test/upgrade/previous-release.json';

export type SnapshotRow = Record<string, unknown>;

/** The rows that an earlier release wrote to a database, by context. */
export type Snapshot = Record<string, { statements: string[]; tables: Record<string, SnapshotRow[]> }>;

/**
 * Moves the deadlines of the jobs in flight to ten minutes from now: those of the snapshot have passed, and a test migrates the
 * database and starts a whole stack before it finishes these jobs.
 */
export function readSnapshot(): Snapshot {
  const snapshot = JSON.parse(readFileSync(path.join(ROOT, SNAPSHOT_FILE), 'utf8')) as Snapshot;
  const inTenMinutes = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+Z$/, '+00:00');
  for (const job of snapshot['jobs']?.tables['job'] ?? [])
    if (job['deadline_at'] !== null) job['deadline_at'] = inTenMinutes;
  return snapshot;
}

/** Restores the snapshot into an empty database. */
export async function restoreSnapshot(adminUrl: string, snapshot: Snapshot): Promise<void> {
  for (const [context, { statements }] of Object.entries(snapshot)) {
    const url = await provision(adminUrl, { context, password: 'snapshot' });
    await migrate(url, context, []);
    await connected(url, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }
  await connected(adminUrl, async (client) => {
    // Without triggers, so that the rows are inserted unchanged.
    await client.query('SET session_replication_role = replica');
    for (const { table, rows } of tablesOf(snapshot)) {
      const insert = `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`;
      // Migrations write rows too. Other tables may be append-only, also for an administrator.
      const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`);
      if (rowCount === 1) await client.query(`DELETE FROM ${table}`);
      await client.query(insert, [JSON.stringify(rows)]);
    }
    const migrations = Object.keys(snapshot).map((context) => `${schemaOf(context)}.migration`);
    const identities = ['billing.ledger_entry', 'billing.operator_action', 'billing.webhook_secret'];
    for (const counted of [...identities, ...migrations])
      await client.query(`SELECT setval(pg_get_serial_sequence('${counted}', 'id'), max(id)) FROM ${counted}`);
  });
}

/** As an upgrade does, context after context. */
export async function migrateSnapshot(adminUrl: string, snapshot: Snapshot): Promise<void> {
  for (const context of Object.keys(snapshot)) {
    const { migrations } = await exportsOf(`apps/${context}/src/migrations/migrations.ts`);
    const url = await provision(adminUrl, { context, password: 'snapshot' });
    await migrate(url, context, migrations as Migration[]);
  }
}

/** The rows of the snapshot that are missing, or have a field with another value. */
export async function changedRows(adminUrl: string, snapshot: Snapshot): Promise<string[]> {
  return await connected(adminUrl, async (client) => {
    const changed: string[] = [];
    for (const { table, rows } of tablesOf(snapshot)) {
      const { rows: missing } = await client.query<{ row: string }>(
        `SELECT was.row::text FROM jsonb_array_elements($1::jsonb) AS was (row)
          WHERE NOT EXISTS (SELECT FROM ${table} AS present WHERE to_jsonb(present) @> was.row)`,
        [JSON.stringify(rows)],
      );
      changed.push(...missing.map(({ row }) => `${table}: ${row}`));
    }
    return changed;
  });
}

/** A change of the next release while this one still runs: an additional column in every table. */
export async function expandEveryTable(adminUrl: string): Promise<void> {
  await connected(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
        WHERE relnamespace::regnamespace::text IN ('billing', 'catalog', 'jobs', 'moderation', 'webhook_dispatcher')
          AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migration'`,
    );
    for (const { name } of rows) await client.query(`ALTER TABLE ${name} ADD COLUMN of_the_next_release text`);
  });
}

async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  // A snapshot holds its times as text, with the offset of UTC.
  const client = new Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function tablesOf(snapshot: Snapshot): { table: string; rows: SnapshotRow[] }[] {
  return Object.entries(snapshot).flatMap(([context, { tables }]) =>
    Object.entries(tables).map(([name, rows]) => ({ table: `${schemaOf(context)}.${name}`, rows })),
  );
}
