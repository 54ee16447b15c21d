import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { type SpanShape, inSpan } from '@kinora/tracing';
import type { DataSource } from 'typeorm';
import { needsNoTurn, runInTurn } from '@kinora/bus';
import { Semaphore } from '@kinora/service-kit';
import { isConnectionLost, isUndoneByNeighbours, toPublicError } from './database-error';
import { poolOf } from './pool-of';
import type { Statement } from './statement';

/** Where a statement can run: on any connection of the pool, or inside one transaction. */
export type { QueryResultRow };

export interface Queryable {
  /** All rows. */
  query<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row[]>;
  /** The first row, or null. */
  findOne<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row | null>;
  /** The number of rows that the statement touched: who won is decided by it. */
  execute(statement: Statement, values?: unknown[]): Promise<number>;
}

const ATTEMPTS = 3;
/** The share of the connections that work which nobody waits for may hold. */
const UNAWAITED_SHARE = 0.5;

/** A span bears the name of the statement: its text is known by it, and its values are nobody's business. */
const RUNNING: SpanShape = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } };

/**
 * A context's PostgreSQL, over the pool that TypeORM opened. Statements are written by hand and prepared:
 * the ORM's own writing costs several times the statement itself and loses updates between read and save.
 */
export class Database implements Queryable {
  private readonly pool: Pool;
  private readonly unawaited: Semaphore;

  constructor(dataSource: DataSource) {
    this.pool = poolOf(dataSource);
    this.unawaited = new Semaphore(Math.ceil(this.pool.options.max * UNAWAITED_SHARE));
    // While a connection is handed over or let go neither the pool nor its user listens to it. A server that ends it in
    // that moment reports an error then, and one that nobody hears ends the process.
    this.pool.on('acquire', (client) => {
      if (!client.listeners('error').includes(ignore)) client.on('error', ignore);
    });
  }

  async query<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return (await this.run<Row>(statement, values)).rows;
  }

  async findOne<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row | null> {
    return (await this.run<Row>(statement, values)).rows[0] ?? null;
  }

  async execute(statement: Statement, values: unknown[] = []): Promise<number> {
    return (await this.run(statement, values)).rowCount ?? 0;
  }

  /**
   * Runs the work in one transaction. It may run more than once (after a deadlock), so it must have no other effect
   * than its statements. A connection lost during the commit leaves the outcome unknown: the caller repeats under the same key.
   */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    return this.inTurn(() => withPublicErrors(() => inSpan('transaction', RUNNING, () => this.attempt(work))));
  }

  private async attempt<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken = false;
    try {
      await client.query('BEGIN');
      const result = await work(new Transaction(client));
      await commit(client);
      return result;
    } catch (error) {
      broken = isConnectionLost(error) || (await rollBack(client)) === 'failed';
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    return this.inTurn(() =>
      withPublicErrors(() => inSpan(statement.name, RUNNING, () => this.pool.query<Row>({ ...statement, values }))),
    );
  }

  /**
   * The pool's line is first come, first served. A sweep that has hundreds of rows to write stands in a line of its own, or
   * every request that comes meanwhile would wait behind all of it, until the pool's limit makes it a 503. Whoever has a
   * turn already gets no second one, which could only come when the first is over.
   */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (needsNoTurn()) return work();
    return this.unawaited.run(() => runInTurn(work));
  }
}

class Transaction implements Queryable {
  constructor(private readonly client: PoolClient) {}

  async query<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return (await this.run<Row>(statement, values)).rows;
  }

  async findOne<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row | null> {
    return (await this.run<Row>(statement, values)).rows[0] ?? null;
  }

  async execute(statement: Statement, values: unknown[] = []): Promise<number> {
    return (await this.run(statement, values)).rowCount ?? 0;
  }

  private run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    return inSpan(statement.name, RUNNING, () => this.client.query<Row>({ ...statement, values }));
  }
}

/** PostgreSQL answers the commit of a transaction in which a statement failed by rolling it back, without an error. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.');
}

async function rollBack(client: PoolClient): Promise<'done' | 'failed'> {
  try {
    await client.query('ROLLBACK');
    return 'done';
  } catch {
    return 'failed';
  }
}

function ignore(): void {}

/** What PostgreSQL undid only because of its neighbours has had no effect, so it is tried again. */
async function withPublicErrors<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (count === ATTEMPTS || !isUndoneByNeighbours(error)) throw toPublicError(error);
    }
  }
}
