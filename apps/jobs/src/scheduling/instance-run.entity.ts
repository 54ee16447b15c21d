import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An attempt at an instance that loads models: what the instance did in the last day, and so what it has loaded. */
@Entity('instance_run')
@Index('instance_run_by_start', ['provider', 'started_at'])
export class InstanceRunEntity {
  @PrimaryColumn('uuid')
  job_id!: string;

  /** Of the attempt. */
  @PrimaryColumn('integer')
  number!: number;

  @Column('text')
  provider!: string;

  @Column('uuid')
  account_id!: string;

  @Column('text')
  model!: string;

  @Column('text')
  template!: string;

  /** When the job was created. */
  @Column('timestamptz')
  arrived_at!: Date;

  /** When it was given to the instance. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  started_at!: Date;

  /** Whether the instance had something else loaded before it. */
  @Column('boolean')
  is_load!: boolean;

  /** False after the instance has lost its tasks: it has restarted, and nothing is loaded. */
  @Column('boolean', { default: true })
  is_loaded!: boolean;

  /** By the clock of the instance, the load included; null until it is known. */
  @Column('bigint', { nullable: true })
  gpu_ms!: number | null;

  /** When its end was seen; null until then. */
  @Column('timestamptz', { nullable: true })
  ended_at!: Date | null;
}
