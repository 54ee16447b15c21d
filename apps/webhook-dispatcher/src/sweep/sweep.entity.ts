import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the sweep of finished jobs has come: one row, whose update is also the lease that one replica sweeps under. */
@Entity('sweep')
@Check('sweep_name_check', `name = 'finished_jobs'`)
export class SweepEntity {
  @PrimaryColumn('text')
  name!: 'finished_jobs';

  /** When the last sweep began. */
  @Column('timestamptz', { default: () => `'-infinity'` })
  begun_at!: Date;

  /** The end of the last job that was swept; null before the first sweep. */
  @Column('timestamptz', { nullable: true })
  reached_at!: Date | null;

  /** Deliveries of jobs that ended before it are forgotten, so the sweep makes none of them anew. */
  @Column('timestamptz', { nullable: true })
  forgotten_before!: Date | null;
}
