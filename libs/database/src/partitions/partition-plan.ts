import { firstIdOf, monthAfter, timeOfId } from '../month';

const MONTHS_AHEAD = 3;
const DAY_MS = 24 * 60 * 60_000;

/** A partition as the catalog of PostgreSQL describes it. */
export interface PartitionRow {
  name: string;
  /** As `pg_get_expr` prints it. */
  bound: string;
  /** A DETACH CONCURRENTLY was interrupted. */
  is_detaching: boolean;
  /** Storage parameters, as WITH takes them. */
  storage: string | null;
  /** Estimated by the last ANALYZE. */
  rows: number;
  /** Only where it was asked for. */
  bytes?: number;
}

/** Ids from one on and before another; null: from the first id on. */
export interface PartitionBounds {
  from: string | null;
  to: string;
}

export interface NewPartition extends PartitionBounds {
  name: string;
  from: string;
}

/** @throws Error for a partition by anything else than a range of ids that ends. */
export function boundsOf({ name, bound }: PartitionRow): PartitionBounds {
  const [, from, to] = /^FOR VALUES FROM \((MINVALUE|'[^']+')\) TO \('([^']+)'\)$/.exec(bound) ?? [];
  if (from === undefined || to === undefined) throw new Error(`${name} is no partition by ids: ${bound}`);
  return { from: from === 'MINVALUE' ? null : from.slice(1, -1), to };
}

/** The time at which a partition begins; null for the first one. */
export function beginningOf(partition: PartitionRow): Date | null {
  const { from } = boundsOf(partition);
  return from === null ? null : timeOfId(from);
}

/** Oldest first: ids of one length are in the order of their texts, and a shorter number is a smaller one. */
export function inOrder(partitions: PartitionRow[]): PartitionRow[] {
  const ends = new Map(partitions.map((partition) => [partition, boundsOf(partition).to]));
  const endOfPartition = (partition: PartitionRow): string => ends.get(partition) ?? '';
  return partitions.toSorted((a, b) => {
    const [first, second] = [endOfPartition(a), endOfPartition(b)];
    return first.length - second.length || (first < second ? -1 : 1);
  });
}

export function endOf(partition: PartitionRow): Date {
  return timeOfId(boundsOf(partition).to);
}

export function lastEndOf(partitions: PartitionRow[]): Date {
  return new Date(Math.max(0, ...partitions.map((partition) => endOf(partition).getTime())));
}

/** The months that lack a partition, from the end of the last one to three months ahead: there is never a gap. */
export function missingPartitions(table: string, partitions: PartitionRow[], now: Date): NewPartition[] {
  const end = monthAfter(now, MONTHS_AHEAD + 1);
  const missing: NewPartition[] = [];
  for (let from = lastEndOf(partitions); from < end; from = monthAfter(from, 1)) {
    const month = from.toISOString().slice(0, 7).replace('-', '');
    missing.push({ name: `${table}_${month}`, from: firstIdOf(from), to: firstIdOf(monthAfter(from, 1)) });
  }
  return missing;
}

export function expiryOf(partition: PartitionRow, retentionDays: number): Date {
  return new Date(endOf(partition).getTime() + retentionDays * DAY_MS);
}
