import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { QueryFailedError, type QueryRunner } from 'typeorm';

export interface IndexToBuild {
  name: string;
  /** The part of the statement after the name, from `ON` on. */
  definition: string;
  unique?: boolean;
}

/** Null where no such index exists. A build of any index of the table counts, because two of them would wait for each other. */
const READ_STATE = `
  SELECT EXISTS (SELECT FROM pg_stat_progress_create_index
                  WHERE datname = current_database() AND relid = to_regclass($2)) AS is_building,
         (SELECT indisvalid AND indisunique = $3 FROM pg_index WHERE indexrelid = to_regclass($1)) AS is_usable`;
const POLL_MS = 500;
/** SQLSTATE of an index that exists. */
const DUPLICATE = '42P07';

/**
 * Builds an index while its table is written to, in a migration outside a transaction (`transaction = false`). It continues an
 * earlier attempt: a server goes on with a build whose client was killed, so such a build is awaited, and a finished index is
 * kept. An invalid one, which an interrupted build has left, is dropped and built again. A name therefore stands for one
 * definition for ever. The build waits for older transactions without blocking others, so `lock_timeout` is switched off for it.
 */
export async function buildIndex(runner: QueryRunner, index: IndexToBuild): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  try {
    while (!(await isBuilt(runner, index))) await delay(POLL_MS);
  } finally {
    // The connection goes back to the pool, so the limit is restored: the next migration on it must not wait for a lock without
    // one.
    await runner.query('RESET lock_timeout');
  }
}

/**
 * Builds the index unless it exists. False while the server builds one for the table already. That build is polled: a
 * statement that waits for the table's lock holds a snapshot, for which the build would wait in turn.
 */
async function isBuilt(runner: QueryRunner, { name, definition, unique = false }: IndexToBuild): Promise<boolean> {
  const table = /^ON (\w+)/.exec(definition)?.[1];
  if (table === undefined) throw new Error(`The definition of ${name} must begin with ON and the table: ${definition}`);
  const [state] = (await runner.query(READ_STATE, [name, table, unique])) as [IndexState | undefined];
  if (state?.is_building) return false;
  if (state?.is_usable) return true;
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  try {
    await runner.query(`CREATE ${unique ? 'UNIQUE INDEX' : 'INDEX'} CONCURRENTLY ${name} ${definition}`);
    return true;
  } catch (error) {
    // Another process has begun between the two statements.
    if (error instanceof QueryFailedError && isDuplicate(error.driverError)) return false;
    throw error;
  }
}

interface IndexState {
  is_building: boolean;
  is_usable: boolean | null;
}

function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === DUPLICATE;
}
