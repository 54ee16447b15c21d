import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import './bigint';
import { ConstraintNames } from './constraint-names';
import { assertWritable } from './server-connections';

export type Migration = new () => MigrationInterface;

export type Entities = (new () => object)[];

export interface ConnectionSettings {
  url: string;
  /** Shows up in pg_stat_activity. */
  name: string;
  poolSize: number;
  /** The age at which an idle connection is replaced; by default connections have no such limit. */
  maxAgeSeconds?: number;
  migrations?: Migration[];
  /** Entities whose repositories are used; hand-written statements need none. */
  entities?: Entities;
  /** Time limit of one statement; by default the longest time that a request may take. */
  statementTimeoutMs?: number;
  /** Time limit for waiting on a lock. */
  lockTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
/**
 * The server's limit is shorter, because its error states the reason. The client's limit only ends waits for a server that no
 * longer answers.
 */
const GRACE_MS = 5_000;

/**
 * A connection keeps the plan of a prepared statement, also one made while the table was nearly empty. A sequential scan is the
 * cheapest plan then, and would stay in use when the table has grown. Every statement has an index it can use. One generic plan
 * serves all values. By default the planner finds that batches are shorter than its estimate and that the generic plan costs
 * too much. It then plans each run anew, which takes longer than the run.
 */
const PLANNING = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/**
 * One context's connection pool, in TypeORM's terms. Every wait has a limit. Without limits, a transaction that takes a second
 * connection from its own pool could hang for ever instead of failing.
 */
export function toDataSourceOptions({
  url,
  name,
  poolSize,
  maxAgeSeconds = 0,
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
    // Migrations change the schema, by their own command; entities never do.
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    // A service's log holds JSON lines only. DEBUG=typeorm:* prints the output of TypeORM.
    logger: 'debug',
    connectTimeoutMS: 3_000,
    extra: {
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: 10_000,
      query_timeout: statementTimeoutMs + GRACE_MS,
      keepAlive: true,
      maxLifetimeSeconds: maxAgeSeconds,
      onConnect: assertWritable,
      options: PLANNING,
    },
    // The table of migrations existed before this naming strategy.
    ...(entities.length > 0 && { namingStrategy: new ConstraintNames() }),
  };
}

export function createDataSource(settings: ConnectionSettings): DataSource {
  return new DataSource(toDataSourceOptions(settings));
}
