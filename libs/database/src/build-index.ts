import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while its table is written to, in a migration that is no transaction (`transaction = false`). What a try
 * before left behind is an index that nobody may use: it goes first, so that the migration can be repeated.
 * It waits for transactions that are older, and nobody waits for it, so that the time limit of other locks is not for it.
 * @param definition What stands behind the name, from `ON` on.
 */
export async function buildIndex(
  runner: QueryRunner,
  { name, definition, unique = false }: { name: string; definition: string; unique?: boolean },
): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  try {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE ${unique ? 'UNIQUE INDEX' : 'INDEX'} CONCURRENTLY ${name} ${definition}`);
  } finally {
    // The connection goes back to the pool, and the next migration on it must not wait for a lock without a limit.
    await runner.query('RESET lock_timeout');
  }
}
