import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { BaselineMigration, markBaseline } from './baseline';
import type { Migration } from './data-source';
import { leadsToPooler } from './session-settings';

/** A migration may read or index every row of a table, which takes hours where there are some hundred million. */
const MIGRATION_TIMEOUT_MS = 86_400_000;
/** The server would keep the lock of a client whose machine is gone until TCP gives up, for two hours by default. */
const NOTICE_LOST_CLIENTS =
  'SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3';
/**
 * While a migration waits for an exclusive lock, all later statements on the table queue behind it. They wait even if they are
 * compatible with the lock that is held now. So a migration waits for a short time only, lets them pass, and tries again: a shorter one
 * than the second after which PostgreSQL looks for deadlocks, in which the other statements would wait.
 */
const LOCK_TIMEOUT_MS = 500;
const RETRY_AFTER_MS = 500;
const GIVE_UP_AFTER_MS = 600_000;
const LOCK_POLL_MS = 100;
/** SQLSTATE of a lock timeout, and of a deadlock. TypeORM's error repeats it. */
const LOCK_NOT_AVAILABLE = new Set(['55P03', '40P01']);

/** The lock that serializes migrations belongs to a session, as do the limits of a long step. */
const NEEDS_SESSION =
  'The address leads to a pooler, and migrations need a direct connection to PostgreSQL: name one for them (in the chart postgres.direct).';

export interface MigrateOptions {
  /**
   * Stops before the first pending migration that reads or indexes a whole table (`transaction = false`), and leaves the rest to
   * another run. An empty schema is migrated as a whole, because its tables are empty.
   */
  leaveLongSteps?: boolean;
}

export interface MigrationReport {
  ran: string[];
  /** Names of the migrations that are left to another run. */
  left: string[];
}

/**
 * Migrates a context's schema while the service runs. Several processes may call it at once: an advisory lock serializes them,
 * and the later ones find no pending migration. A killed run is continued by the next one.
 */
export async function migrate(
  url: string,
  context: string,
  migrations: Migration[],
  { leaveLongSteps = false }: MigrateOptions = {},
): Promise<MigrationReport> {
  const lockClient = new Client({ connectionString: url, application_name: `${context}-migrate` });
  await lockClient.connect();
  try {
    if (await leadsToPooler(lockClient)) throw new Error(NEEDS_SESSION);
    await lockClient.query(NOTICE_LOST_CLIENTS);
    await acquireMigrationLock(lockClient, context);
    const before = await applyBaseline(lockClient, context, migrations);
    const now = leaveLongSteps ? untilLongStep(migrations, before) : migrations;
    const left = migrations.filter((migration) => !now.includes(migration)).map(nameOf);
    // As at most starts of a local stack, whose launcher then does not load TypeORM.
    const isCurrent = before.length > 0 && now.every((migration) => before.includes(nameOf(migration)));
    if (isCurrent) return { ran: [], left };
    const { createDataSource } = await import('./data-source');
    const dataSource = await createDataSource({
      url,
      name: `${context}-migrate`,
      poolSize: 2,
      migrations: now,
      statementTimeoutMs: MIGRATION_TIMEOUT_MS,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    }).initialize();
    try {
      await runOnceLocksAreFree(dataSource);
      return { ran: (await listApplied(lockClient)).slice(before.length), left };
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await lockClient.end();
  }
}

/** Migrations run in order, so those after a long step wait for it. */
function untilLongStep(migrations: Migration[], applied: string[]): Migration[] {
  if (applied.length === 0) return migrations;
  const isPendingLongStep = (migration: Migration): boolean =>
    new migration().transaction === false && !applied.includes(nameOf(migration));
  const first = migrations.findIndex(isPendingLongStep);
  return first === -1 ? migrations : migrations.slice(0, first);
}

function nameOf(migration: Migration): string {
  return new migration().name ?? migration.name;
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

/** Lists the applied migrations, with the baseline where the schema has reached it by other migrations. */
async function applyBaseline(client: Client, context: string, [First]: Migration[]): Promise<string[]> {
  const applied = await listApplied(client);
  const first = First && new First();
  return first instanceof BaselineMigration ? await markBaseline(client, context, first, applied) : applied;
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
  return error instanceof Error && 'code' in error && LOCK_NOT_AVAILABLE.has(String(error.code));
}
