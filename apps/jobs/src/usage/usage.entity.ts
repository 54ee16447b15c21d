import { Column, Entity, PrimaryColumn } from 'typeorm';

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

/** Ended jobs by the UTC day in which they were created. */
@Entity('usage_day')
export class UsageDayEntity extends UsageCountsEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** The UTC day. */
  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn('text')
  model!: string;
}

/**
 * A month in which ids of an account's ended jobs of a model may have been made: lists read only these partitions. A trigger on
 * `usage_day` writes it.
 */
@Entity('account_month')
export class AccountMonthEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** Its first day, in UTC. */
  @PrimaryColumn('date')
  month!: string;

  @PrimaryColumn('text')
  model!: string;
}

/** Ended jobs by the hour in which they were created. A trigger on `usage_minute` adds to it. */
@Entity('usage_hour')
export class UsageHourEntity extends UsageCountsEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** Its start, in UTC. */
  @PrimaryColumn('timestamptz')
  hour!: Date;

  @PrimaryColumn('text')
  model!: string;
}

/** Ended jobs of an account and a model, summed by the minute in which they were created. */
@Entity('usage_minute')
export class UsageMinuteEntity extends UsageCountsEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** Its start. */
  @PrimaryColumn('timestamptz')
  minute!: Date;

  @PrimaryColumn('text')
  model!: string;
}

/** An ended job that is in no roll-up yet. A trigger on `job` writes it, so that every way to end a job adds it. */
@Entity('usage_pending')
export class UsagePendingEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;
}
