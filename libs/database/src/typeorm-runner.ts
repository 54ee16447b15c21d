import type { QueryResult } from 'pg';
import { DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { MAY_BE_STALE, type Statement, statement } from './statement';

/** A statement runs on any connection of the pool, or on that of a transaction. */
interface Runs {
  run(statement: Statement, values: unknown[]): Promise<QueryResult>;
}

/**
 * A query runner of TypeORM that sends its SQL through `Database`. Repositories thus keep the pool priorities, limits, spans
 * and errors of hand-written statements. It begins no transaction: `Database.transaction` does.
 */
export function createRunner(
  dataSource: DataSource,
  on: Runs,
  { inTransaction }: { inTransaction: boolean },
): QueryRunner {
  // Called on the prototype, because `Database` replaces the data source's own method by this function.
  const runner = DataSource.prototype.createQueryRunner.call(dataSource);
  const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
  return Object.assign(runner, {
    // With a connection set, the runner takes none from the pool and releases none.
    databaseConnection: {
      query: (text: string, values: unknown[] = []) =>
        on.run(statement('', text, { mayBeStale: text.split(' */ ', 1)[0]?.endsWith(MAY_BE_STALE) === true }), values),
    },
    // Makes `save` take part in the current transaction.
    isTransactionActive: inTransaction,
    query: (...args: unknown[]) => query(...args).catch(throwCause),
    startTransaction: refuseTransaction,
  });
}

/** Throws the driver's error or ApiError, because callers do not handle TypeORM's wrapper around it. */
function throwCause(error: unknown): never {
  throw error instanceof QueryFailedError ? error.driverError : error;
}

async function refuseTransaction(): Promise<never> {
  throw new Error(
    'A repository cannot begin a transaction. Use Database.transaction and transaction.repository(Entity).',
  );
}
