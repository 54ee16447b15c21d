import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Queryable } from '../database';
import { statement } from '../statement';

/** Which replica maintains the partitions of a table: the one that wrote the row begins, and others wait for the interval. */
@Entity('partition_lease')
export class PartitionLeaseEntity {
  @PrimaryColumn('text')
  table_name!: string;

  @Column('timestamptz')
  begun_at!: Date;
}

const ACQUIRE = statement(
  'partition_lease_acquire',
  `INSERT INTO partition_lease AS lease (table_name, begun_at) VALUES ($1, statement_timestamp())
   ON CONFLICT (table_name) DO UPDATE SET begun_at = excluded.begun_at
    WHERE lease.begun_at <= excluded.begun_at - $2 * interval '1 millisecond'`,
);

/** False while the last maintenance, of this or another replica, is more recent than `everyMs`. */
export async function acquirePartitionLease(on: Queryable, table: string, everyMs: number): Promise<boolean> {
  return (await on.execute(ACQUIRE, [table, everyMs])) === 1;
}
