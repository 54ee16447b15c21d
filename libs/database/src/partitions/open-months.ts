import { daysAfter } from '../month-bounds';
import { statement } from '../statement';
import { type PartitionRow, beginningOf, endOf } from './partition-plan';
import type { PartitionedTableParts } from './partition-maintenance';
import { PartitionedTable, type PartitionedTableOptions } from './partitioned-table';

/** A month that ended so long ago changes no more, unless a row of it is open. Rows are stored within days of their id. */
export const OPEN_DAYS = 10;
const DAY_MS = 24 * 60 * 60_000;

/** A table whose statements on open rows read the months from the oldest one with such a row on. */
export abstract class OpenMonths extends PartitionedTable {
  override async prunePage(): Promise<boolean> {
    await this.boundOpenMonths(new Date());
    return super.prunePage();
  }

  /** A month that has closed stays closed. */
  async boundOpenMonths(now: Date): Promise<void> {
    const { database } = this.parts;
    for (const partition of await this.list()) {
      if (database.openFrom !== null && endOf(partition) <= database.openFrom) continue;
      database.openFrom = beginningOf(partition) ?? new Date(0);
      if (endOf(partition) > daysAfter(now, -OPEN_DAYS) || (await this.isOpen(partition))) return;
    }
  }

  protected override async daysLate(now: Date): Promise<number> {
    const { openFrom } = this.parts.database;
    const oldest = (await this.list()).find((partition) => openFrom !== null && endOf(partition) > openFrom);
    const openDays = oldest ? (daysAfter(now, -OPEN_DAYS).getTime() - endOf(oldest).getTime()) / DAY_MS : 0;
    return Math.max(openDays, await super.daysLate(now));
  }

  /** Whether a row of a month may still change. */
  protected abstract isOpen(partition: PartitionRow): Promise<boolean>;
}

const IS_DROPPED = statement('', 'SELECT to_regclass($1) IS NULL AS is_dropped');

/** A table whose rows belong to those of another one: each of its months is dropped after that of the other. */
export class FollowingTable extends PartitionedTable {
  constructor(
    private readonly followed: string,
    private readonly follower: PartitionedTableOptions,
    parts: PartitionedTableParts,
  ) {
    super(follower, parts);
  }

  protected override async prepareDrop({ name }: PartitionRow): Promise<boolean> {
    const month = name.replace(this.follower.name, this.followed);
    return (await this.parts.database.findOne<{ is_dropped: boolean }>(IS_DROPPED, [month]))?.is_dropped === true;
  }
}
