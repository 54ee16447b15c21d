import { Entity, PrimaryColumn } from 'typeorm';
import { UsageCountsEntity } from './usage-counts.entity';

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
