import { Client } from 'pg';
import { type Migration, createDataSource } from './data-source';

/** A migration may read or index every row that there is. */
const MIGRATION_TIMEOUT_MS = 3_600_000;

/**
 * Brings a context's schema up to date. Several may try at once: they take turns, and the later find nothing to do.
 * @returns the names of the migrations that ran.
 */
export async function migrate(url: string, context: string, migrations: Migration[]): Promise<string[]> {
  const turn = new Client({ connectionString: url });
  await turn.connect();
  try {
    await turn.query('SELECT pg_advisory_lock(hashtext($1))', [`kinora_migrate_${context}`]);
    const dataSource = await createDataSource({
      url,
      name: `${context}-migrate`,
      poolSize: 2,
      migrations,
      statementTimeoutMs: MIGRATION_TIMEOUT_MS,
    }).initialize();
    try {
      const ran = await dataSource.runMigrations({ transaction: 'each' });
      return ran.map(({ name }) => name);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await turn.end();
  }
}
