import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Ended jobs of an account and a model, summed by the minute in which they were created. */
@Entity('usage_minute')
export class UsageMinuteEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** Its start. */
  @PrimaryColumn('timestamptz')
  minute!: Date;

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
