import { setTimeout as delay } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

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
         (SELECT indisvalid AND indisunique = $3 FROM pg_index WHERE indexrelid = to_regclass($1)) AS is_usable,
         (SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass($2)) AS is_partitioned`;
/** The partitions that have no part of an index. */
const LIST_WITHOUT = `
  SELECT relname AS name FROM pg_inherits AS part JOIN pg_class ON pg_class.oid = inhrelid
   WHERE inhparent = to_regclass($1)
     AND NOT EXISTS (SELECT FROM pg_index JOIN pg_inherits AS of_index ON of_index.inhrelid = indexrelid
                      WHERE indrelid = part.inhrelid AND of_index.inhparent = to_regclass($2))
   ORDER BY relname`;
const POLL_MS = 500;
/** SQLSTATE of an index that exists. TypeORM's error repeats it. */
const DUPLICATE = '42P07';

/**
 * Builds an index while its table is written to, in a migration outside a transaction (`transaction = false`). It continues an
 * earlier attempt: a server goes on with a build whose client was killed, so such a build is awaited, and a finished index is
 * kept. An invalid one, which an interrupted build has left, is dropped and built again. A name therefore stands for one
 * definition for ever. The build waits for older transactions without blocking others, so `lock_timeout` is switched off for it.
 * On a partitioned table it builds one partition after the other; a partition that is added meanwhile gets its part by the ATTACH.
 */
export async function buildIndex(runner: QueryRunner, index: IndexToBuild): Promise<void> {
  const table = tableOf(index);
  const state = await readState(runner, index);
  if (!state?.is_partitioned) return buildOfTable(runner, index);
  // Valid once every partition has its part. These locks are brief, but others queue behind one that waits.
  await runner.query(createOf(index, 'IF NOT EXISTS').replace(`ON ${table}`, `ON ONLY ${table}`));
  for (const { name } of (await runner.query(LIST_WITHOUT, [table, index.name])) as { name: string }[]) {
    const part = { name: index.name.replace(table, name), definition: index.definition.replace(table, name) };
    await buildOfTable(runner, { ...index, ...part });
    await runner.query(`ALTER INDEX ${index.name} ATTACH PARTITION ${part.name}`);
  }
}

async function buildOfTable(runner: QueryRunner, index: IndexToBuild): Promise<void> {
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
async function isBuilt(runner: QueryRunner, index: IndexToBuild): Promise<boolean> {
  const state = await readState(runner, index);
  if (state?.is_building) return false;
  if (state?.is_usable) return true;
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index.name}`);
  try {
    await runner.query(createOf(index, 'CONCURRENTLY'));
    return true;
  } catch (error) {
    // Another process has begun between the two statements.
    if (error instanceof Error && 'code' in error && error.code === DUPLICATE) return false;
    throw error;
  }
}

function createOf({ name, definition, unique = false }: IndexToBuild, how: 'CONCURRENTLY' | 'IF NOT EXISTS'): string {
  return `CREATE ${unique ? 'UNIQUE INDEX' : 'INDEX'} ${how} ${name} ${definition}`;
}

function tableOf({ name, definition }: IndexToBuild): string {
  const table = /^ON (\w+)/.exec(definition)?.[1];
  if (table === undefined) throw new Error(`The definition of ${name} must begin with ON and the table: ${definition}`);
  return table;
}

interface IndexState {
  is_building: boolean;
  is_usable: boolean | null;
  is_partitioned: boolean;
}

async function readState(runner: QueryRunner, index: IndexToBuild): Promise<IndexState | undefined> {
  const values = [index.name, tableOf(index), index.unique ?? false];
  const [state] = (await runner.query(READ_STATE, values)) as [IndexState | undefined];
  return state;
}
