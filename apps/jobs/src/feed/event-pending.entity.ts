import { Entity, PrimaryColumn } from 'typeorm';

/** An ended job whose event has no position in the feed of its account yet. A trigger on `job` writes it. */
@Entity('event_pending')
export class EventPendingEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;
}
