import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Ended jobs by the day of UTC in which they were created. */
@Entity('usage_day')
export class UsageDayEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** Of UTC. */
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
