import { DataSource, type MigrationInterface } from 'typeorm';
import './bigint';

export type Migration = new () => MigrationInterface;

export interface DataSourceOptions {
  url: string;
  /** Shows up in pg_stat_activity. */
  name: string;
  poolSize: number;
  migrations?: Migration[];
}

/**
 * One context's connection pool. Every wait has an end: without these limits a pool that is used from inside
 * one of its own transactions hangs for ever instead of failing.
 */
export function createDataSource({ url, name, poolSize, migrations = [] }: DataSourceOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: name,
    poolSize,
    migrations,
    migrationsTableName: 'migration',
    // Lines that are not JSON have no place in a service's log; with DEBUG=typeorm:* they are there.
    logger: 'debug',
    connectTimeoutMS: 3_000,
    extra: {
      statement_timeout: 10_000,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 10_000,
      // Longer than the server's own limits: it counts only where the server, or the way to it, is gone without a word.
      query_timeout: 15_000,
      keepAlive: true,
    },
  });
}
