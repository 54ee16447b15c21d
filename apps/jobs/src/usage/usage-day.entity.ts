import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Ended jobs by the UTC day in which they were created. */
@Entity('usage_day')
export class UsageDayEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** The UTC day. */
  @PrimaryColumn('date')
  day!: string;

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
