import pg, { type PoolConfig } from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  type MigrationInterface,
  DefaultNamingStrategy,
  type Table,
} from 'typeorm';
import './column-list';
import { assertWritable } from './server-connections';
import {
  IDLE_IN_TRANSACTION_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
  PLANNING,
  type Pooler,
  STATEMENT_TIMEOUT_MS,
} from './session-settings';

export type Migration = new () => MigrationInterface;

export type Entities = (new () => object)[];

export interface ConnectionSettings {
  url: string;
  /** Shows up in pg_stat_activity. */
  name: string;
  poolSize: number;
  /** Behind one that keeps a connection for a transaction only, a session has the settings of its role. Direct by default. */
  pooler?: Pooler;
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

/**
 * The server's limit is shorter, because its error states the reason. The client's limit only ends waits for a server that no
 * longer answers.
 */
const GRACE_MS = 5_000;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * One context's connection pool, in TypeORM's terms. Every wait has a limit. Without limits, a transaction that takes a second
 * connection from its own pool could hang for ever instead of failing.
 */
export function toDataSourceOptions({
  url,
  name,
  poolSize,
  pooler = 'none',
  maxAgeSeconds = 0,
  migrations = [],
  entities = [],
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
}: ConnectionSettings): DataSourceOptions {
  return {
    type: 'postgres',
    // TypeORM would load a second copy beside a bundle, which lacks the parser of `bigint`.
    driver: pg,
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
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      ...(pooler === 'none' && sessionSettings(statementTimeoutMs, lockTimeoutMs)),
      query_timeout: statementTimeoutMs + GRACE_MS,
      keepAlive: true,
      maxLifetimeSeconds: maxAgeSeconds,
      onConnect: assertWritable,
    },
    // The table of migrations existed before this naming strategy.
    ...(entities.length > 0 && { namingStrategy: new ConstraintNames() }),
  };
}

/** For a pool of reads only, which may lead to a standby. */
export function toReplicaPool({ url, name, poolSize, pooler, maxAgeSeconds }: ConnectionSettings): PoolConfig {
  return {
    connectionString: url,
    application_name: name,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(pooler === 'none' && sessionSettings(STATEMENT_TIMEOUT_MS, LOCK_TIMEOUT_MS)),
    query_timeout: STATEMENT_TIMEOUT_MS + GRACE_MS,
    keepAlive: true,
    maxLifetimeSeconds: maxAgeSeconds,
  };
}

export function createDataSource(settings: ConnectionSettings): DataSource {
  return new DataSource(toDataSourceOptions(settings));
}

/** Sent when a connection begins, which a pooler refuses. */
function sessionSettings(statementTimeoutMs: number, lockTimeoutMs: number): object {
  return {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: Object.entries(PLANNING)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
}

/** Names keys as PostgreSQL does where a migration gives no name. An entity then states only names that differ. */
export class ConstraintNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }
}
