import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import { type Migration, createDataSource } from './data-source';

/** A migration may read or index every row of a table. */
const MIGRATION_TIMEOUT_MS = 3_600_000;
/**
 * While a migration waits for an exclusive lock, all later statements on the table queue behind it. They wait even if they are
 * compatible with the lock that is held now. So a migration waits for a short time only, lets them pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 1_000;
const RETRY_AFTER_MS = 500;
const GIVE_UP_AFTER_MS = 600_000;
const LOCK_POLL_MS = 100;
/** SQLSTATE of a lock timeout, and of a deadlock. */
const LOCK_NOT_AVAILABLE = new Set(['55P03', '40P01']);

/**
 * Migrates a context's schema while the service runs. Several processes may call it at once: an advisory lock serializes them,
 * and the later ones find no pending migration.
 * @returns the names of the migrations that ran.
 */
export async function migrate(url: string, context: string, migrations: Migration[]): Promise<string[]> {
  const lockClient = new Client({ connectionString: url, application_name: `${context}-migrate` });
  await lockClient.connect();
  try {
    await acquireMigrationLock(lockClient, context);
    const dataSource = await createDataSource({
      url,
      name: `${context}-migrate`,
      poolSize: 2,
      migrations,
      statementTimeoutMs: MIGRATION_TIMEOUT_MS,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    }).initialize();
    try {
      const before = await listApplied(lockClient);
      await runOnceLocksAreFree(dataSource);
      return (await listApplied(lockClient)).slice(before.length);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await lockClient.end();
  }
}

/** Polled. A waiting statement would hold a snapshot, and CREATE INDEX CONCURRENTLY waits until all older snapshots end. */
async function acquireMigrationLock(lockClient: Client, context: string): Promise<void> {
  for (;;) {
    const { rows } = await lockClient.query<{ taken: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS taken', [
      `kinora_migrate_${context}`,
    ]);
    if (rows[0]?.taken) return;
    await delay(LOCK_POLL_MS);
  }
}

/** In the order in which they ran. */
async function listApplied(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('migration') IS NOT NULL AS exists",
  );
  if (!tables[0]?.exists) return [];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migration ORDER BY id');
  return rows.map(({ name }) => name);
}

/** Each migration is a transaction of its own, so a retry repeats only the one that failed. */
async function runOnceLocksAreFree(dataSource: DataSource): Promise<void> {
  const giveUpAtMs = performance.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (!isLockNotAvailable(error) || performance.now() > giveUpAtMs) throw error;
      await delay(RETRY_AFTER_MS);
    }
  }
}

function isLockNotAvailable(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return cause instanceof DatabaseError && LOCK_NOT_AVAILABLE.has(cause.code ?? '');
}
