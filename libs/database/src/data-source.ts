import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import './bigint';
import { ConstraintNames } from './constraint-names';

export type Migration = new () => MigrationInterface;

export type Entities = (new () => object)[];

export interface ConnectionSettings {
  url: string;
  /** Shows up in pg_stat_activity. */
  name: string;
  poolSize: number;
  migrations?: Migration[];
  /** What repositories are asked for; hand-written statements need none. */
  entities?: Entities;
  /** How long one statement may take; left out, as long as somebody waits for the answer to a request. */
  statementTimeoutMs?: number;
  /** How long it may wait for a lock of somebody else. */
  lockTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
/** The server must give up first, for it says why: the client's own limit counts only where nobody answers any more. */
const GRACE_MS = 5_000;

/**
 * A connection keeps the plan of a prepared statement, also one that was made while the table was nearly empty: reading
 * all of it was cheapest then, and would go on being done to every row that comes. All statements have an index to go by.
 * And there is one plan for all values: left to itself, the planner sees that the sets that come are shorter than it would
 * have thought, takes its one plan for dearer, and plans each run anew, which takes longer than the run.
 */
const PLANNING = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/**
 * One context's connection pool, as TypeORM takes it. Every wait has an end: without these limits a pool that is used from
 * inside one of its own transactions hangs for ever instead of failing.
 */
export function toDataSourceOptions({
  url,
  name,
  poolSize,
  migrations = [],
  entities = [],
  statementTimeoutMs = REQUEST_TIMEOUT_MS,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
}: ConnectionSettings): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    applicationName: name,
    poolSize,
    migrations,
    migrationsTableName: 'migration',
    entities,
    // The schema is what migrations make, by a command of its own: never what entities say.
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    // Lines that are not JSON have no place in a service's log; with DEBUG=typeorm:* they are there.
    logger: 'debug',
    connectTimeoutMS: 3_000,
    extra: {
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: 10_000,
      query_timeout: statementTimeoutMs + GRACE_MS,
      keepAlive: true,
      options: PLANNING,
    },
    // The table of migrations is older than these names.
    ...(entities.length > 0 && { namingStrategy: new ConstraintNames() }),
  };
}

export function createDataSource(settings: ConnectionSettings): DataSource {
  return new DataSource(toDataSourceOptions(settings));
}
