import type { QueryResult } from 'pg';
import { DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { type Statement, statement } from './statement';

/** Where a statement runs: on any connection of the pool, or on that of a transaction. */
interface Runs {
  run(statement: Statement, values: unknown[]): Promise<QueryResult>;
}

/**
 * A query runner of TypeORM that sends its SQL by way of `Database`, so that repositories keep the pool's priorities, the
 * limits, the spans and the errors of hand-written statements. It begins no transaction: `Database.transaction` does.
 */
export function createRunner(
  dataSource: DataSource,
  on: Runs,
  { inTransaction }: { inTransaction: boolean },
): QueryRunner {
  // Of the prototype: `Database` puts this function in the place of the data source's own.
  const runner = DataSource.prototype.createQueryRunner.call(dataSource);
  const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
  return Object.assign(runner, {
    // As a runner that has a connection already: it takes none from the pool, and has none to give back.
    databaseConnection: { query: (text: string, values: unknown[] = []) => on.run(statement('', text), values) },
    // `save` then takes part in the transaction that is there.
    isTransactionActive: inTransaction,
    query: (...args: unknown[]) => query(...args).catch(throwCause),
    startTransaction: refuseTransaction,
  });
}

/** Callers know the errors of the driver, and ApiError, and not TypeORM's wrapping of them. */
function throwCause(error: unknown): never {
  throw error instanceof QueryFailedError ? error.driverError : error;
}

async function refuseTransaction(): Promise<never> {
  throw new Error(
    'A repository begins no transaction: run it in Database.transaction, by transaction.repository(Entity).',
  );
}
