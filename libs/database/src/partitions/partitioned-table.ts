import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import { PartitionMaintenance, type PartitionedTableParts } from './partition-maintenance';
import {
  type NewPartition,
  type PartitionRow,
  beginningOf,
  endOf,
  expiryOf,
  lastEndOf,
  missingPartitions,
} from './partition-plan';

const DAY_MS = 24 * 60 * 60_000;

export interface PartitionedTableOptions {
  name: string;
  /** The setting that names the retention. */
  setting: string;
  /** 0 keeps every row. */
  retentionDays: number;
  /** What is left of the rows after their month is dropped. */
  stays: string;
}

/** A table with a partition for each month of its ids (UUID version 7), which is dropped when its retention is over. */
export class PartitionedTable extends PartitionMaintenance {
  constructor(
    private readonly options: PartitionedTableOptions,
    parts: PartitionedTableParts,
  ) {
    super(options.name, parts);
  }

  /** What would be dropped, and when. */
  async plan(): Promise<RetentionPlan> {
    const { name, setting, retentionDays, stays } = this.options;
    const parts = (await this.measure()).map((partition) => {
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

  protected override async daysLeft(): Promise<number> {
    return (lastEndOf(await this.list()).getTime() - Date.now()) / DAY_MS;
  }

  protected override async daysLate(now: Date): Promise<number> {
    const [oldest] = await this.list();
    const { retentionDays } = this.options;
    return oldest && retentionDays > 0 ? (now.getTime() - expiryOf(oldest, retentionDays).getTime()) / DAY_MS : 0;
  }

  protected override async missing(present: PartitionRow[], now: Date): Promise<NewPartition[]> {
    return missingPartitions(this.options.name, present, now);
  }

  protected override async mayDrop(partition: PartitionRow, now: Date): Promise<boolean> {
    const { retentionDays } = this.options;
    return retentionDays > 0 && expiryOf(partition, retentionDays) <= now && (await this.prepareDrop(partition));
  }

  /** Called before an expired partition is dropped. False keeps it until the next time. */
  protected async prepareDrop(_partition: PartitionRow): Promise<boolean> {
    return true;
  }
}
