import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Ended jobs by the hour in which they were created. A trigger on `usage_minute` adds to it. */
@Entity('usage_hour')
export class UsageHourEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** Its start, in UTC. */
  @PrimaryColumn('timestamptz')
  hour!: Date;

  @PrimaryColumn('text')
  model!: string;

  @Column('bigint')
  succeeded!: number;

  @Column('bigint')
  failed!: number;

  @Column('bigint')
  canceled!: number;

  /** Only succeeded jobs charge. */
  @Column('bigint')
  charged_micros!: number;

  @Column('bigint')
  gpu_ms!: number;
}
