import { type Logger, Pruner } from '@kinora/service-kit';
import type { Database, Queryable } from '../database';
import { partitionDaysLate, partitionDaysLeft } from '../database.metrics';
import type { GaugeSampler } from '../gauge-sampler';
import { statement } from '../statement';
import { acquirePartitionLease } from './partition-lease';
import { type NewPartition, type PartitionRow, inOrder } from './partition-plan';

const POLL_MS = 10 * 60_000;
const MAINTAIN_EVERY_MS = 6 * 60 * 60_000;
const SAMPLE_EVERY_MS = 60_000;
/** ANALYZE samples every partition, and no request waits for it. */
const ANALYZE_TIMEOUT_MS = 600_000;

const listWith = (more: string): string =>
  `SELECT part.relname AS name, pg_get_expr(part.relpartbound, part.oid) AS bound, inhdetachpending AS is_detaching,
          array_to_string(part.reloptions, ', ') AS storage, greatest(part.reltuples, 0)::bigint AS rows${more}
     FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid WHERE inhparent = to_regclass($1)`;

const LIST = statement('partition_list', listWith(''));
/** The size of each index is looked up in the catalog, thirty thousand pages for a hundred months. */
const MEASURE = statement('partition_measure', listWith(', pg_total_relation_size(part.oid) AS bytes'));

const LOCK = statement(
  'partition_lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('partitions of ' || $1::text, 0))`,
);

/** Expired tables that are detached, and not dropped yet. They are known by a comment from before they were detached. */
const LIST_DETACHED = statement(
  'partition_list_detached',
  `SELECT relname AS name FROM pg_class
    WHERE relname LIKE $1 || '\\_%' AND relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relispartition
      AND obj_description(oid, 'pg_class') = 'expired partition of ' || $1`,
);

export interface PartitionedTableParts {
  database: Database;
  sampler: GaugeSampler;
  logger: Logger;
}

/**
 * A table with partitions by ranges of its ids. One replica makes the next ones, and drops those that may go: no row is deleted, and no
 * vacuum follows. There is no DEFAULT partition, which would forbid to detach concurrently. An insert that finds no partition adds the
 * missing ones, so that it never fails for a maintenance that stands still.
 */
export abstract class PartitionMaintenance extends Pruner {
  protected constructor(
    private readonly table: string,
    protected readonly parts: PartitionedTableParts,
  ) {
    super(parts.logger, POLL_MS);
    parts.database.onMissingPartition(table, () => this.makeAhead(new Date()));
    parts.sampler.add({
      name: `partitions of ${table}`,
      gauges: [partitionDaysLeft, partitionDaysLate],
      everyMs: SAMPLE_EVERY_MS,
      read: async () => [
        { gauge: partitionDaysLeft, labels: { table }, value: await this.daysLeft() },
        { gauge: partitionDaysLate, labels: { table }, value: Math.max(0, await this.daysLate(new Date())) },
      ],
    });
  }

  /** Until the last partition ends. */
  protected abstract daysLeft(): Promise<number>;

  /** Since the oldest partition should have been dropped, or have changed no more. */
  protected async daysLate(_now: Date): Promise<number> {
    return 0;
  }

  /** The partitions to make: there is never a gap. @param present oldest first */
  protected abstract missing(present: PartitionRow[], now: Date, on: Queryable): Promise<NewPartition[]>;

  /** Called for each partition. False keeps it until the next time. */
  protected abstract mayDrop(partition: PartitionRow, now: Date): Promise<boolean>;

  /** Called for a new partition that is not attached yet. */
  protected async prepare(_transaction: Queryable, _name: string): Promise<void> {}

  override async prunePage(): Promise<boolean> {
    if (await acquirePartitionLease(this.parts.database, this.table, MAINTAIN_EVERY_MS))
      await this.maintain(new Date());
    return false;
  }

  /** Also what an interrupted maintenance has left. */
  async maintain(now: Date): Promise<void> {
    await this.makeAhead(now);
    await this.dropExpired(now);
    await this.analyze();
  }

  /**
   * Each partition is filled with indexes and checks before it is attached: the lock of an ATTACH stops no reader and no writer. The last
   * one is the model, because it may have unique indexes of its own, and that of PostgreSQL 17 has its identity from the table.
   */
  private makeAhead(now: Date): Promise<void> {
    const { table } = this;
    return this.parts.database.transaction(async (transaction) => {
      await transaction.execute(LOCK, [table]);
      const present = await this.list(transaction);
      const { name: model = table, storage = null } = present.at(-1) ?? {};
      for (const { name, from, to } of await this.missing(present, now, transaction)) {
        const like = `LIKE ${model} INCLUDING ALL EXCLUDING IDENTITY`;
        const settings = storage === null ? '' : ` WITH (${storage})`;
        await transaction.execute(statement('', `CREATE TABLE ${name} (${like})${settings}`));
        await this.prepare(transaction, name);
        await transaction.execute(
          statement('', `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`),
        );
        this.parts.logger.info({ table, partition: name }, 'partition_made');
      }
    });
  }

  /** A concurrent DETACH waits for the statements that read the partition, without a lock that stops others. */
  private async dropExpired(now: Date): Promise<void> {
    const { table } = this;
    for (const partition of await this.list()) {
      const detach = `ALTER TABLE ${table} DETACH PARTITION ${partition.name}`;
      if (partition.is_detaching) await this.run(`${detach} FINALIZE`);
      else if (await this.mayDrop(partition, now)) {
        await this.run(`COMMENT ON TABLE ${partition.name} IS 'expired partition of ${table}'`);
        await this.run(`${detach} CONCURRENTLY`);
      }
    }
    for (const { name } of await this.parts.database.query<{ name: string }>(LIST_DETACHED, [table])) {
      await this.run(`DROP TABLE ${name}`);
      this.parts.logger.info({ table, partition: name }, 'partition_dropped');
    }
  }

  /** Autovacuum analyses partitions, and never their parent, by whose statistics statements are planned. */
  private async analyze(): Promise<void> {
    await this.parts.database.transaction(async (transaction) => {
      await transaction.execute(statement('', `SET LOCAL statement_timeout = ${ANALYZE_TIMEOUT_MS}`));
      await transaction.execute(statement('', `ANALYZE ${this.table}`, { timeoutMs: ANALYZE_TIMEOUT_MS }));
    });
  }

  private run(sql: string): Promise<number> {
    return this.parts.database.execute(statement('', sql));
  }

  /** Oldest first. */
  protected async list(on: Queryable = this.parts.database, listed = LIST): Promise<PartitionRow[]> {
    return inOrder(await on.query<PartitionRow & Record<string, unknown>>(listed, [this.table]));
  }

  /** The same, with the bytes of each. */
  protected measure(): Promise<PartitionRow[]> {
    return this.list(this.parts.database, MEASURE);
  }
}
