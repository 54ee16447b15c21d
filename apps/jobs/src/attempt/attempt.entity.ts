import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import type { JsonObject } from '@kinora/compute';

/**
 * submitting: written before anything is sent. answering: begun at a backend whose answer will be the result itself. unknown:
 * sent, and the answer was lost. accepted, running: as the provider reports. collecting: done at the provider, outputs not
 * stored yet.
 */
export type AttemptState = 'submitting' | 'answering' | 'unknown' | 'accepted' | 'running' | 'collecting';

/**
 * lost: accepted, and proven to be gone. refused: proven not to be accepted. interrupted: its process died, and the backend
 * knows no such task.
 */
export type AttemptOutcome = 'succeeded' | 'failed' | 'lost' | 'refused' | 'interrupted' | 'canceled' | 'timed_out';

/** Outputs that arrived with the answer to a submission. They stay in the object store until the job has ended. */
export interface SpooledOutputs {
  object_keys: string[];
  gpu_ms: number | null;
}

/** A run of a job at a provider. A job has at most one open attempt. */
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

  /** Starts at 1. */
  @PrimaryColumn('integer')
  number!: number;

  /** The name of the instance that runs it, as in the settings. */
  @Column('text')
  provider!: string;

  @Column('text', { default: 'submitting' })
  state!: AttemptState | 'ended';

  /** The id under which the provider knows the task. */
  @Column('text')
  upstream_id!: string;

  /** Fencing token. Each claim raises it, so a process that was paused writes under an old token and changes no row. */
  @Column('integer', { default: 1 })
  fence!: number;

  /** The time of the next poll; while a process works on the attempt, the end of its lease. */
  @Column('timestamptz')
  next_check_at!: Date;

  /** When the provider last reported a state of it. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  checked_at!: Date;

  @Column('text', { nullable: true })
  outcome!: AttemptOutcome | null;

  /** What has kept the job from ending so far, as a code of `Job.error`. */
  @Column('text', { nullable: true })
  problem!: JobErrorCode | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  ended_at!: Date | null;

  /** The part of the provider's answer to the submission that is needed to find the task again. */
  @Column('json', { nullable: true })
  upstream_ref!: JsonObject | null;

  @Column('json', { nullable: true })
  spooled!: SpooledOutputs | null;

  /** As the provider reports. */
  @Column('bigint', { nullable: true })
  gpu_ms!: number | null;

  /** The time of the next try to cancel an ended attempt; null if there is nothing to cancel. */
  @Column('timestamptz', { nullable: true })
  cancel_at!: Date | null;

  @Column('integer', { default: 0 })
  cancel_tries!: number;

  @Column('text', { nullable: true })
  cancel_outcome!: 'stopped' | 'too_late' | 'gave_up' | null;

  /** The W3C trace context of its job. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  /** Whether the task is parked: it uses nothing of its instance now, as the backend reports. */
  @Column('boolean', { default: false })
  parked!: boolean;

  /** 0 to 1, as the backend reports; null where it reports nothing. Never falls. */
  @Column('real', { nullable: true })
  progress!: number | null;

  /** When `progress` last rose. */
  @Column('timestamptz', { nullable: true })
  progress_at!: Date | null;

  /** How many tasks are before it in the queue of its backend, as the backend reports. */
  @Column('integer', { nullable: true })
  queued_ahead!: number | null;

  /** Why it failed, for operators: never a prompt, a path, a URL or a secret. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** The part of `gpu_ms` that `canceled_work` already contains. */
  @Column('bigint', { nullable: true })
  counted_gpu_ms!: number | null;
}

/**
 * The GPU time that the canceled and failed attempts of an account have used. The account does not pay for it, but the operator
 * does.
 */
@Entity('canceled_work')
export class CanceledWorkEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('bigint')
  attempts!: number;

  /** Attempts whose task was done before the cancel reached the backend. */
  @Column('bigint')
  too_late!: number;

  @Column('bigint')
  gpu_ms!: number;
}
