import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The id of a job that was given up before it was stored. Triggers keep an id from being both a job's and a tombstone's. */
@Entity('job_tombstone')
@Index('job_tombstone_by_age', ['created_at'])
export class JobTombstoneEntity {
  @PrimaryColumn('uuid')
  job_id!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;
}
