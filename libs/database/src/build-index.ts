import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while its table is written to, in a migration outside a transaction (`transaction = false`). A failed earlier
 * attempt leaves an invalid index. It is dropped first, so that the migration can be repeated. The build waits for older
 * transactions without blocking others, so the usual `lock_timeout` is switched off for it.
 * @param definition The part of the statement after the name, from `ON` on.
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
    // The connection goes back to the pool, so the limit is restored: the next migration on it must not wait for a lock without
    // one.
    await runner.query('RESET lock_timeout');
  }
}
