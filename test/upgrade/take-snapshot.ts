/**
 * Records the database of an earlier release as the start of test/e2e/upgrade.e2e-spec.ts. Start the stack of that release from
 * a checkout, and create jobs. While some of them are in flight, run:
 *  node -r ./test/typescript.cjs test/upgrade/take-snapshot.ts --checkout <its folder> --database-url <from its stack.json>
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { MigrationInterface } from 'typeorm';
import { Client } from 'pg';
import { ROOT } from '../../deploy/build/source-files';
import { statementsOf } from '../migrations/written-migrations';
import { SNAPSHOT_FILE, type Snapshot, type SnapshotRow } from './snapshot';

const CONTEXTS = ['billing', 'catalog', 'jobs', 'moderation', 'webhook-dispatcher'];

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { checkout: { type: 'string' }, 'database-url': { type: 'string' } } });
  const { checkout, 'database-url': databaseUrl } = values;
  if (!checkout || !databaseUrl) throw new Error('Both --checkout and --database-url are required.');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // All contexts in one consistent snapshot.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const snapshot: Snapshot = {};
  for (const context of CONTEXTS) {
    snapshot[context] = {
      statements: await migrationsOf(path.resolve(checkout), context),
      tables: await tablesOf(client, context.replaceAll('-', '_')),
    };
  }
  await client.end();
  await writeFile(path.join(ROOT, SNAPSHOT_FILE), JSON.stringify(snapshot));
  console.log(`${SNAPSHOT_FILE} is written: format it, and check that it holds no secrets.`);
}

async function migrationsOf(checkout: string, context: string): Promise<string[]> {
  const file = path.join(checkout, 'apps', context, 'src/migrations/migrations.ts');
  const { migrations } = (await import(file)) as { migrations: (new () => MigrationInterface)[] };
  return await statementsOf(migrations);
}

async function tablesOf(client: Client, schema: string): Promise<Record<string, SnapshotRow[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
    [schema],
  );
  const kept: Record<string, SnapshotRow[]> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: SnapshotRow }>(
      `SELECT to_json(kept) AS row FROM ${schema}.${name} AS kept`,
    );
    kept[name] = rows.map(({ row }) => row);
  }
  return kept;
}

void main();
