import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { type SpanShape, inSpan } from '@kinora/tracing';
import type { DataSource, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { bypassesBackgroundLimit, runWithBackgroundPermit } from '@kinora/bus';
import { Semaphore } from '@kinora/service-kit';
import {
  isConnectionLost,
  isReadOnlyRefusal,
  isSerializationFailure,
  tableWithoutPartition,
  toPublicError,
} from './database-error';
import { ALL_MONTHS, type GivenMonths, type Months, groupByMonths, openMonthsFrom, withinMonths } from './month-bounds';
import type { Replica } from './replica';
import { poolOf, closeIdle } from './server-connections';
import { type Statement, labelOf } from './statement';
import { createRunner } from './typeorm-runner';

/** A statement runs on any connection of the pool, or inside one transaction. */
export type { QueryResultRow };

export interface Queryable {
  /** All rows. @param given the months for `inGivenMonths`; all by default. */
  query<Row extends QueryResultRow>(statement: Statement, values?: unknown[], given?: GivenMonths): Promise<Row[]>;
  /** The first row, or null. */
  findOne<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row | null>;
  /** The number of affected rows. In a guarded statement it decides which of several concurrent changes has won. */
  execute(statement: Statement, values?: unknown[], given?: GivenMonths): Promise<number>;
  /** TypeORM's repository of an entity, for reads and writes at human rates. Its statements run here, too. */
  repository<Row extends ObjectLiteral>(entity: new () => Row): Repository<Row>;
}

const ATTEMPTS = 3;
/** The share of the connections that background work may hold. */
const BACKGROUND_SHARE = 0.5;

/** A span has the name of the statement, and not its values, which may be private. */
const STATEMENT_SPAN: SpanShape = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } };

/** Base of pool and transaction: three ways to read the result of a statement. */
abstract class StatementRunner implements Queryable {
  abstract readonly openMonths: Months;
  abstract repository<Row extends ObjectLiteral>(entity: new () => Row): Repository<Row>;

  async query<Row extends QueryResultRow>(
    statement: Statement,
    values?: unknown[],
    given?: GivenMonths,
  ): Promise<Row[]> {
    return (await this.runWithin<Row>(statement, values, given)).rows;
  }

  async findOne<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row | null> {
    return (await this.runWithin<Row>(statement, values)).rows[0] ?? null;
  }

  async execute(statement: Statement, values?: unknown[], given?: GivenMonths): Promise<number> {
    return (await this.runWithin(statement, values, given)).rowCount ?? 0;
  }

  private runWithin<Row extends QueryResultRow>(
    statement: Statement,
    values: unknown[] = [],
    given?: GivenMonths,
  ): Promise<QueryResult<Row>> {
    return this.run<Row>(withinMonths(statement, this.openMonths, values, given), values);
  }

  abstract run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>>;
}

/**
 * A context's PostgreSQL, over the pool that TypeORM opened. Hot and guarded statements are written by hand and prepared. A
 * write by the ORM costs several times the statement itself, and loses updates between read and save.
 */
export class Database extends StatementRunner {
  private readonly pool: Pool;
  private readonly backgroundPermits: Semaphore;
  private readonly addPartitions = new Map<string, () => Promise<void>>();
  /** The first month whose rows may still change, where partitions are maintained; null counts all months. */
  openFrom: Date | null = null;
  private replica: Replica | null = null;

  /** @param options isPrepared is false behind a pooler that gives each transaction another connection. */
  constructor(
    protected readonly dataSource: DataSource,
    private readonly options: { isPrepared: boolean } = { isPrepared: true },
  ) {
    super();
    this.pool = poolOf(dataSource);
    this.backgroundPermits = new Semaphore(Math.ceil(this.pool.options.max * BACKGROUND_SHARE));
    // During acquire and release, neither the pool nor its user listens to the connection's errors. A server that closes the
    // connection then emits an error, and an unhandled one ends the process.
    this.pool.on('acquire', (client) => {
      if (!client.listeners('error').includes(ignore)) client.on('error', ignore);
    });
    this.pool.on('error', ignore);
    // Repositories that Nest injects get their query runner from the data source, so it is replaced by this one.
    dataSource.createQueryRunner = () => createRunner(dataSource, this, { inTransaction: false });
  }

  override get openMonths(): Months {
    return this.openFrom === null ? ALL_MONTHS : openMonthsFrom(this.openFrom, new Date());
  }

  override repository<Row extends ObjectLiteral>(entity: new () => Row): Repository<Row> {
    return this.dataSource.getRepository(entity);
  }

  /** Statements whose answer may be stale run there from now on, while it is close to this server. */
  readFrom(replica: Replica): void {
    this.replica = replica;
  }

  /** Has the partitions of a table added where a statement finds none for its rows; the statement then runs again. */
  onMissingPartition(table: string, addPartitions: () => Promise<void>): void {
    this.addPartitions.set(table, addPartitions);
  }

  /**
   * Runs the work in one transaction. It may run more than once (after a deadlock), so it must have no other effect
   * than its statements. A connection lost during the commit leaves the outcome unknown: the caller repeats under the same key.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.withPoolPriority(() =>
      this.withPublicErrors(() => inSpan('transaction', STATEMENT_SPAN, () => this.attempt(work))),
    );
  }

  protected begun(client: PoolClient): Transaction {
    return new Transaction(client, this.dataSource, { ...this.options, openMonths: this.openMonths });
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

  /** The rows of a statement on partitions by month whose first value is a list of ids. */
  async queryIds<Row extends QueryResultRow>(statement: Statement, ids: string[], ...rest: unknown[]): Promise<Row[]> {
    const groups = groupByMonths(ids, this.openMonths);
    return (await Promise.all(groups.map((group) => this.query<Row>(statement, [group, ...rest])))).flat();
  }

  override run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    return this.withPoolPriority(() =>
      this.withPublicErrors(() =>
        inSpan(labelOf(statement), STATEMENT_SPAN, async () => {
          const query = toQuery(statement, values, this.options);
          const stale = statement.mayBeStale ? await this.replica?.run<Row>(query) : null;
          return stale ?? this.pool.query<Row>(query);
        }),
      ),
    );
  }

  /** Retries a transaction that PostgreSQL rolled back: because of a concurrent one, or because a partition was missing. */
  private async withPublicErrors<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let count = 1; ; count++) {
      try {
        return await attempt();
      } catch (error) {
        // Without this, each idle connection to the same server would fail one more request.
        if (isReadOnlyRefusal(error)) void closeIdle(this.pool);
        const addPartitions = this.addPartitions.get(tableWithoutPartition(error) ?? '');
        if (count === ATTEMPTS || !(addPartitions || isSerializationFailure(error))) throw toPublicError(error);
        await addPartitions?.();
      }
    }
  }

  /**
   * The pool's queue is first come, first served. Background work, such as a sweep that writes hundreds of rows, therefore
   * waits for a permit first. Otherwise every request would queue behind the sweep until the pool's timeout fails it with 503.
   * Work that holds a permit needs no second one: it would deadlock, because the first is released only when the work ends.
   */
  private withPoolPriority<Result>(work: () => Promise<Result>): Promise<Result> {
    if (bypassesBackgroundLimit()) return work();
    return this.backgroundPermits.run(() => runWithBackgroundPermit(work));
  }
}

/** One connection between BEGIN and COMMIT. */
export class Transaction extends StatementRunner {
  readonly openMonths: Months;
  private runner: QueryRunner | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly dataSource: DataSource,
    private readonly options: { isPrepared: boolean; openMonths: Months },
  ) {
    super();
    this.openMonths = options.openMonths;
  }

  override repository<Row extends ObjectLiteral>(entity: new () => Row): Repository<Row> {
    this.runner ??= createRunner(this.dataSource, this, { inTransaction: true });
    return this.runner.manager.getRepository(entity);
  }

  override run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    return inSpan(labelOf(statement), STATEMENT_SPAN, () =>
      this.client.query<Row>(toQuery(statement, values, this.options)),
    );
  }
}

/** A statement without a name is parsed for each run, and leaves nothing on the connection. */
function toQuery(statement: Statement, values: unknown[], { isPrepared }: { isPrepared: boolean }): QueryConfig {
  return { ...statement, values, ...(!isPrepared && { name: undefined }) };
}

/** PostgreSQL answers COMMIT with ROLLBACK, and without an error, if a statement of the transaction has failed. */
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
