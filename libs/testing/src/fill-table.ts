import { type Database, firstIdOf, statement } from '@kinora/database';
import { Client } from 'pg';

/**
 * Fills an empty table quickly with many rows by SQL: triggers are off, and indexes and checks are added at the end. The final
 * ANALYZE gives the planner statistics of the table.
 */
export async function fillTable(adminUrl: string, table: string, inserts: string[]): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(SECONDARY_INDEXES, [table]);
    const { rows: checks } = await client.query<{ name: string; definition: string }>(CHECKS, [table]);
    await client.query(
      `SET maintenance_work_mem = '256MB'; SET work_mem = '256MB'; SET search_path = ${table.split('.')[0]}; BEGIN`,
    );
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    for (const { name } of checks) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    for (const insert of inserts) await client.query(insert);
    // Of a partitioned table, the definition leaves the partitions without an index.
    for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '));
    const added = checks.map(({ name, definition }) => `ADD CONSTRAINT ${name} ${definition}`);
    if (added.length > 0) await client.query(`ALTER TABLE ${table} ${added.join(', ')}`);
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL; COMMIT`);
    await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}

/** Indexes that belong to no constraint. */
const SECONDARY_INDEXES = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
   WHERE indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;

const CHECKS = `
  SELECT quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
   WHERE conrelid = $1::regclass AND contype = 'c'`;

/** Has the first partitions of an empty schema end at a time, as if it had been migrated long before. */
export async function endFirstMonth(database: Database, tables: string[], end: Date): Promise<void> {
  for (const table of tables)
    for (const change of [
      'DETACH PARTITION first',
      `ATTACH PARTITION first FOR VALUES FROM (MINVALUE) TO ('${firstIdOf(end)}')`,
    ])
      await database.execute(statement('', `ALTER TABLE ${table} ${change.replace('first', `${table}_first`)}`));
}
