import { Entity, PrimaryColumn } from 'typeorm';

/** An ended job that is in no roll-up yet. A trigger on `job` writes it, so that every way to end a job adds it. */
@Entity('usage_pending')
export class UsagePendingEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;
}
