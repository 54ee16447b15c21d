import { Entity, PrimaryColumn } from 'typeorm';

/** A job that has ended and is not added up yet. A trigger on `job` writes it, so that no way to end a job can omit it. */
@Entity('usage_pending')
export class UsagePendingEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;
}
