import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { type SpanShape, inSpan } from '@kinora/tracing';
import type { DataSource, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { bypassesBackgroundLimit, runWithBackgroundPermit } from '@kinora/bus';
import { Semaphore } from '@kinora/service-kit';
import { isConnectionLost, isSerializationFailure, toPublicError } from './database-error';
import { poolOf } from './pool-of';
import { type Statement, labelOf } from './statement';
import { createRunner } from './typeorm-runner';

/** Where a statement can run: on any connection of the pool, or inside one transaction. */
export type { QueryResultRow };

export interface Queryable {
  /** All rows. */
  query<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row[]>;
  /** The first row, or null. */
  findOne<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row | null>;
  /** The number of rows that the statement touched: who won is decided by it. */
  execute(statement: Statement, values?: unknown[]): Promise<number>;
  /** TypeORM's repository of an entity, for what is read and written at human rates. Its statements run here, too. */
  repository<Row extends ObjectLiteral>(entity: new () => Row): Repository<Row>;
}

const ATTEMPTS = 3;
/** The share of the connections that work which nobody waits for may hold. */
const BACKGROUND_SHARE = 0.5;

/** A span bears the name of the statement: its text is known by it, and its values are nobody's business. */
const STATEMENT_SPAN: SpanShape = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } };

/** What a pool and a transaction have in common: three ways to read what one run of a statement gives. */
abstract class StatementRunner implements Queryable {
  abstract repository<Row extends ObjectLiteral>(entity: new () => Row): Repository<Row>;

  async query<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return (await this.run<Row>(statement, values)).rows;
  }

  async findOne<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row | null> {
    return (await this.run<Row>(statement, values)).rows[0] ?? null;
  }

  async execute(statement: Statement, values: unknown[] = []): Promise<number> {
    return (await this.run(statement, values)).rowCount ?? 0;
  }

  abstract run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>>;
}

/**
 * A context's PostgreSQL, over the pool that TypeORM opened. Hot and guarded statements are written by hand and prepared:
 * the ORM's own writing costs several times the statement itself and loses updates between read and save.
 */
export class Database extends StatementRunner {
  private readonly pool: Pool;
  private readonly backgroundPermits: Semaphore;

  constructor(protected readonly dataSource: DataSource) {
    super();
    this.pool = poolOf(dataSource);
    this.backgroundPermits = new Semaphore(Math.ceil(this.pool.options.max * BACKGROUND_SHARE));
    // While a connection is handed over or let go neither the pool nor its user listens to it. A server that ends it in
    // that moment reports an error then, and one that nobody hears ends the process.
    this.pool.on('acquire', (client) => {
      if (!client.listeners('error').includes(ignore)) client.on('error', ignore);
    });
    // Repositories that Nest injects ask the data source for a runner: theirs is this one.
    dataSource.createQueryRunner = () => createRunner(dataSource, this, { inTransaction: false });
  }

  override repository<Row extends ObjectLiteral>(entity: new () => Row): Repository<Row> {
    return this.dataSource.getRepository(entity);
  }

  /**
   * Runs the work in one transaction. It may run more than once (after a deadlock), so it must have no other effect
   * than its statements. A connection lost during the commit leaves the outcome unknown: the caller repeats under the same key.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.withPoolPriority(() =>
      withPublicErrors(() => inSpan('transaction', STATEMENT_SPAN, () => this.attempt(work))),
    );
  }

  /** The transaction that a connection has just begun. */
  protected begun(client: PoolClient): Transaction {
    return new Transaction(client, this.dataSource);
  }

  private async attempt<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken = false;
    try {
      await client.query('BEGIN');
      const result = await work(this.begun(client));
      await commit(client);
      return result;
    } catch (error) {
      broken = isConnectionLost(error) || (await rollBack(client)) === 'failed';
      throw error;
    } finally {
      client.release(broken);
    }
  }

  override run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    return this.withPoolPriority(() =>
      withPublicErrors(() =>
        inSpan(labelOf(statement), STATEMENT_SPAN, () => this.pool.query<Row>({ ...statement, values })),
      ),
    );
  }

  /**
   * The pool's line is first come, first served. A sweep that has hundreds of rows to write stands in a line of its own, or
   * every request that comes meanwhile would wait behind all of it, until the pool's limit makes it a 503. Whoever has a
   * turn already gets no second one, which could only come when the first is over.
   */
  private withPoolPriority<Result>(work: () => Promise<Result>): Promise<Result> {
    if (bypassesBackgroundLimit()) return work();
    return this.backgroundPermits.run(() => runWithBackgroundPermit(work));
  }
}

/** One connection between BEGIN and COMMIT. */
export class Transaction extends StatementRunner {
  private runner: QueryRunner | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly dataSource: DataSource,
  ) {
    super();
  }

  override repository<Row extends ObjectLiteral>(entity: new () => Row): Repository<Row> {
    this.runner ??= createRunner(this.dataSource, this, { inTransaction: true });
    return this.runner.manager.getRepository(entity);
  }

  override run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    return inSpan(labelOf(statement), STATEMENT_SPAN, () => this.client.query<Row>({ ...statement, values }));
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
      if (count === ATTEMPTS || !isSerializationFailure(error)) throw toPublicError(error);
    }
  }
}
