import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The progress of the sweep of finished jobs: one row, whose update is also the lease of the replica that sweeps. */
@Entity('sweep')
@Check('sweep_name_check', `name = 'finished_jobs'`)
export class SweepEntity {
  @PrimaryColumn('text')
  name!: 'finished_jobs';

  /** When the last sweep began. */
  @Column('timestamptz', { default: () => `'-infinity'` })
  begun_at!: Date;

  /** The end of the last job that the sweep has read; null before the first sweep. */
  @Column('timestamptz', { nullable: true })
  reached_at!: Date | null;

  /** Deliveries of jobs that ended before this time are pruned, so the sweep does not make them again. */
  @Column('timestamptz', { nullable: true })
  forgotten_before!: Date | null;
}
