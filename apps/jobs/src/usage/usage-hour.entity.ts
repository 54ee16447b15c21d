import { Entity, PrimaryColumn } from 'typeorm';
import { UsageCountsEntity } from './usage-counts.entity';

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
