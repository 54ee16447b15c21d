import { Entity, PrimaryColumn } from 'typeorm';
import { UsageCountsEntity } from './usage-counts.entity';

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
