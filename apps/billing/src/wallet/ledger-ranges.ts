import { Injectable } from '@nestjs/common';
import type { RetainedPart, RetentionPlan } from '@kinora/contracts/shared/retention';
import {
  boundsOf,
  Database,
  GaugeSampler,
  monthAfter,
  type NewPartition,
  PartitionMaintenance,
  type PartitionRow,
  type Queryable,
  statement,
} from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type Departure, LedgerArchive } from './ledger-archive';
import { NEWEST_ID } from './ledger-bounds';

/** A smaller range would only make partitions. */
const ENTRIES_MIN = 10_000_000;
const DAYS_OF_RANGE = 30;
const RANGES_AHEAD = 3;

/** The id that was drawn last, and the entries of the last day. */
const MEASURE = statement(
  'ledger_range_measure',
  `SELECT ${NEWEST_ID} AS newest_id,
          (SELECT coalesce(sum(entries), 0)::bigint FROM ledger_hour
            WHERE hour >= statement_timestamp() - interval '1 day') AS entries_of_day`,
);

/** What refuses changes of a table, also by its owner. Partitions need it too: a trigger for statements fires for the table they name. */
const refuseChangesOf = (table: string): string => `
  REVOKE UPDATE, DELETE, TRUNCATE ON ${table} FROM PUBLIC, CURRENT_USER;
  CREATE TRIGGER ledger_entry_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ledger_entry_is_append_only`;

/**
 * The partitions of the ledger by ranges of the identity. A range has the entries of thirty days, at the rate of the day on which it is
 * made, and is never cut: which id a month will end with is not known ahead, and cutting would lock the table.
 */
@Injectable()
export class LedgerRanges extends PartitionMaintenance {
  constructor(
    private readonly archive: LedgerArchive,
    database: Database,
    sampler: GaugeSampler,
    @InjectLogger() logger: Logger,
  ) {
    super('ledger_entry', { database, sampler, logger });
  }

  protected override async daysLeft(): Promise<number> {
    const { newestId, entriesOfDay } = await measure(this.parts.database);
    return (lastEndOf(await this.list()) - newestId) / Math.max(entriesOfDay, 1);
  }

  protected override async missing(present: PartitionRow[], _now: Date, on: Queryable): Promise<NewPartition[]> {
    const { newestId, entriesOfDay } = await measure(on);
    const length = Math.max(entriesOfDay * DAYS_OF_RANGE, ENTRIES_MIN);
    const missing: NewPartition[] = [];
    for (let from = lastEndOf(present); from < newestId + RANGES_AHEAD * length; from += length)
      missing.push({ name: `ledger_entry_${from}`, from: String(from), to: String(from + length) });
    return missing;
  }

  /** What is dropped of the entries, and when. */
  async plan(): Promise<RetentionPlan> {
    const months = this.archive.retentionMonths;
    const [partitions, departureOf] = await Promise.all([this.measure(), this.archive.plan()]);
    const parts = partitions.map((partition) => toPart(partition, departureOf(Number(boundsOf(partition).to))));
    return {
      ...{ table: 'ledger_entry', setting: 'KINORA_LEDGER_RETENTION_MONTHS', retention_days: null, parts },
      ...(months > 0 && { retention_months: months }),
      stays: 'Closings, sums by hour, references, and what receipts state. Statements say which months are archived.',
    };
  }

  protected override mayDrop(partition: PartitionRow, now: Date): Promise<boolean> {
    return this.archive.archiveBefore(Number(boundsOf(partition).to), now);
  }

  protected override async prepare(transaction: Queryable, name: string): Promise<void> {
    await transaction.execute(statement('', refuseChangesOf(name)));
  }
}

async function measure(on: Queryable): Promise<{ newestId: number; entriesOfDay: number }> {
  const row = await on.findOne<{ newest_id: number; entries_of_day: number }>(MEASURE);
  if (!row) throw new Error('The measurement of the ledger returned no row.');
  return { newestId: row.newest_id, entriesOfDay: row.entries_of_day };
}

function lastEndOf(partitions: PartitionRow[]): number {
  return Math.max(0, ...partitions.map((partition) => Number(boundsOf(partition).to)));
}

function toPart(partition: PartitionRow, { months, at, unexported }: Departure): RetainedPart {
  const { from } = boundsOf(partition);
  const first = months?.find(({ end_id }) => end_id > Number(from));
  const last = months?.at(-1);
  return {
    ...{ name: partition.name, rows: partition.rows, bytes: partition.bytes ?? 0 },
    from: first && from !== null ? new Date(first.month).toISOString() : null,
    until: last ? monthAfter(new Date(last.month), 1).toISOString() : null,
    drops_at: at?.toISOString() ?? null,
    ...(at !== null && unexported.length > 0 && { waits_for: `ledger export --month ${unexported.join(', ')}` }),
  };
}
