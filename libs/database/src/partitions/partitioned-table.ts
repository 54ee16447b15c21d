import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import { type Logger, Pruner } from '@kinora/service-kit';
import type { Database, Queryable } from '../database';
import { partitionDaysLeft } from '../database.metrics';
import type { GaugeSampler } from '../gauge-sampler';
import { statement } from '../statement';
import { acquirePartitionLease } from './partition-lease';
import { type PartitionRow, beginningOf, endOf, expiryOf, lastEndOf, missingPartitions } from './partition-plan';

const POLL_MS = 10 * 60_000;
const MAINTAIN_EVERY_MS = 6 * 60 * 60_000;
const SAMPLE_EVERY_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
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

export interface PartitionedTableOptions {
  name: string;
  setting: string;
  /** 0 keeps every row. */
  retentionDays: number;
  /** What is left of the rows after their month is dropped. */
  stays: string;
}

export interface PartitionedTableParts {
  database: Database;
  sampler: GaugeSampler;
  logger: Logger;
}

/**
 * A table with a partition for each month of its ids (UUID version 7). One replica makes the next months, and drops those whose
 * retention is over: no row is deleted, and no vacuum follows. There is no DEFAULT partition, which would forbid to detach
 * concurrently. An insert that finds no partition adds the missing ones, so that it never fails for a maintenance that stands still.
 */
export class PartitionedTable extends Pruner {
  constructor(
    private readonly options: PartitionedTableOptions,
    protected readonly parts: PartitionedTableParts,
  ) {
    super(parts.logger, POLL_MS);
    const { name } = options;
    parts.database.onMissingPartition(name, () => this.makeAhead(new Date()));
    parts.sampler.add({
      name: `partitions of ${name}`,
      gauges: [partitionDaysLeft],
      everyMs: SAMPLE_EVERY_MS,
      read: async () => [
        { gauge: partitionDaysLeft, labels: { table: name }, value: daysUntil(lastEndOf(await this.list())) },
      ],
    });
  }

  override async prunePage(): Promise<boolean> {
    const { database } = this.parts;
    if (await acquirePartitionLease(database, this.options.name, MAINTAIN_EVERY_MS)) await this.maintain(new Date());
    return false;
  }

  /** Also what an interrupted maintenance has left. */
  async maintain(now: Date): Promise<void> {
    await this.makeAhead(now);
    await this.dropExpired(now);
    await this.analyze();
  }

  /** What would be dropped, and when. */
  async plan(): Promise<RetentionPlan> {
    const { name, setting, retentionDays, stays } = this.options;
    const parts = (await this.list(this.parts.database, MEASURE)).map((partition) => {
      return {
        name: partition.name,
        from: beginningOf(partition)?.toISOString() ?? null,
        until: endOf(partition).toISOString(),
        rows: partition.rows,
        bytes: partition.bytes ?? 0,
        drops_at: retentionDays === 0 ? null : expiryOf(partition, retentionDays).toISOString(),
      };
    });
    return { table: name, setting, retention_days: retentionDays === 0 ? null : retentionDays, parts, stays };
  }

  /** Each partition is filled with indexes and checks before it is attached: the lock of an ATTACH stops no reader and no writer. */
  private makeAhead(now: Date): Promise<void> {
    const { name: table } = this.options;
    return this.parts.database.transaction(async (transaction) => {
      await transaction.execute(LOCK, [table]);
      const present = await this.list(transaction);
      const storage = present.at(-1)?.storage ?? null;
      for (const { name, from, to } of missingPartitions(table, present, now)) {
        const settings = storage === null ? '' : ` WITH (${storage})`;
        await transaction.execute(statement('', `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)${settings}`));
        await transaction.execute(
          statement('', `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`),
        );
        this.parts.logger.info({ table, partition: name }, 'partition_made');
      }
    });
  }

  /** A concurrent DETACH waits for the statements that read the partition, without a lock that stops others. */
  private async dropExpired(now: Date): Promise<void> {
    const { name: table, retentionDays } = this.options;
    for (const partition of await this.list()) {
      const detach = `ALTER TABLE ${table} DETACH PARTITION ${partition.name}`;
      if (partition.is_detaching) await this.run(`${detach} FINALIZE`);
      else if (retentionDays > 0 && expiryOf(partition, retentionDays) <= now && (await this.prepareDrop(partition))) {
        await this.run(`COMMENT ON TABLE ${partition.name} IS 'expired partition of ${table}'`);
        await this.run(`${detach} CONCURRENTLY`);
      }
    }
    for (const { name } of await this.parts.database.query<{ name: string }>(LIST_DETACHED, [table])) {
      await this.run(`DROP TABLE ${name}`);
      this.parts.logger.info({ table, partition: name }, 'partition_dropped');
    }
  }

  /** Called before an expired partition is dropped. False keeps it until the next time. */
  protected async prepareDrop(_partition: PartitionRow): Promise<boolean> {
    return true;
  }

  /** Autovacuum analyses partitions, and never their parent, by whose statistics statements are planned. */
  private async analyze(): Promise<void> {
    await this.parts.database.transaction(async (transaction) => {
      await transaction.execute(statement('', `SET LOCAL statement_timeout = ${ANALYZE_TIMEOUT_MS}`));
      await transaction.execute(statement('', `ANALYZE ${this.options.name}`, { timeoutMs: ANALYZE_TIMEOUT_MS }));
    });
  }

  private run(sql: string): Promise<number> {
    return this.parts.database.execute(statement('', sql));
  }

  /** Oldest first. */
  protected async list(on: Queryable = this.parts.database, listed = LIST): Promise<PartitionRow[]> {
    const rows = await on.query<PartitionRow & Record<string, unknown>>(listed, [this.options.name]);
    return rows.sort((a, b) => endOf(a).getTime() - endOf(b).getTime());
  }
}

function daysUntil(time: Date): number {
  return (time.getTime() - Date.now()) / DAY_MS;
}
