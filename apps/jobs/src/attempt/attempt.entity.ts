import type { JsonObject } from '@kinora/compute';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { JobEntity } from '../job/job.entity';

/**
 * submitting: written before anything is sent. answering: begun, by a backend whose answer will be the result itself.
 * unknown: sent, answer lost. accepted, running: as the provider says. collecting: done there, its outputs not yet here.
 */
export type AttemptState = 'submitting' | 'answering' | 'unknown' | 'accepted' | 'running' | 'collecting';

/** lost: taken, and proven forgotten. refused: proven not taken. interrupted: nobody knows of a submission by whoever held it. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'lost' | 'refused' | 'interrupted' | 'canceled' | 'timed_out';

/** Outputs that came with the answer to a submission, as they lie in the object store until the job has ended. */
export interface SpooledOutputs {
  object_keys: string[];
  gpu_ms: number | null;
}

/** A run of a job at a provider. A job has at most one that has not ended. */
@Entity('attempt')
@Check(
  'attempt_state_check',
  `state IN ('submitting', 'answering', 'unknown', 'accepted', 'running', 'collecting', 'ended')`,
)
@Check(
  'attempt_outcome_check',
  `outcome IN ('succeeded', 'failed', 'lost', 'refused', 'interrupted', 'canceled', 'timed_out')`,
)
@Check('attempt_has_outcome_if_and_only_if_it_ended', `(outcome IS NOT NULL) = (state = 'ended')`)
@Check('attempt_cancel_outcome_check', `cancel_outcome IN ('stopped', 'too_late', 'gave_up')`)
@Index('attempt_one_open_a_job', ['job_id'], { unique: true, where: `state <> 'ended'` })
@Index('attempt_due', ['provider', 'next_check_at'], { where: `state <> 'ended'` })
// Its expression has no form as a decorator: the provider at which an attempt takes a place.
@Index('attempt_with_a_place', { synchronize: false })
@Index('attempt_to_cancel', ['cancel_at'], { where: 'cancel_at IS NOT NULL' })
export class AttemptEntity {
  @PrimaryColumn('uuid')
  job_id!: string;

  @ManyToOne(() => JobEntity)
  @JoinColumn({ name: 'job_id' })
  job?: JobEntity;

  /** From 1 on. */
  @PrimaryColumn('integer')
  number!: number;

  /** The instance that runs it, by the name that the settings have for it. */
  @Column('text')
  provider!: string;

  @Column('text', { default: 'submitting' })
  state!: AttemptState | 'ended';

  /** The id under which the provider knows the task. */
  @Column('text')
  upstream_id!: string;

  /** Fencing token: each claim raises it, and a process that was paused writes under an old one, and misses. */
  @Column('integer', { default: 1 })
  fence!: number;

  /** When it is polled next; while a process works on it, the end of that lease. */
  @Column('timestamptz')
  next_check_at!: Date;

  /** When its provider said something of it last. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  checked_at!: Date;

  @Column('text', { nullable: true })
  outcome!: AttemptOutcome | null;

  /** What has kept the job from ending so far, in the words of `Job.error`. */
  @Column('text', { nullable: true })
  problem!: JobErrorCode | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  ended_at!: Date | null;

  /** What the provider's answer to the submission told, where it is needed to find the task again. */
  @Column('json', { nullable: true })
  upstream_ref!: JsonObject | null;

  @Column('json', { nullable: true })
  spooled!: SpooledOutputs | null;

  /** As the provider says. */
  @Column('bigint', { nullable: true })
  gpu_ms!: number | null;

  /** When the provider is asked next to cancel an ended attempt; null where there is nothing to cancel. */
  @Column('timestamptz', { nullable: true })
  cancel_at!: Date | null;

  @Column('integer', { default: 0 })
  cancel_tries!: number;

  @Column('text', { nullable: true })
  cancel_outcome!: 'stopped' | 'too_late' | 'gave_up' | null;

  /** The trace context of its job. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  /** Whether it uses nothing of its instance now, as its backend says. */
  @Column('boolean', { default: false })
  parked!: boolean;

  /** Why it came to nothing, for operators: never a prompt, a path, a URL or a secret. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** As much of `gpu_ms` as `canceled_work` has already. */
  @Column('bigint', { nullable: true })
  counted_gpu_ms!: number | null;
}
