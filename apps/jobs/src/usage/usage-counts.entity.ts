import { Column } from 'typeorm';

/** What every table of usage counts of the ended jobs in its period. */
export abstract class UsageCountsEntity {
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
