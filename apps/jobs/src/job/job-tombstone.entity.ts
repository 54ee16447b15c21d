import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The id of a job that can never be stored. Triggers prevent that an id is both a job's and a tombstone's. */
@Entity('job_tombstone')
@Index('job_tombstone_by_age', ['created_at'])
export class JobTombstoneEntity {
  @PrimaryColumn('uuid')
  job_id!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;
}
