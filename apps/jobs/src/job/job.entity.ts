import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobInput, JobKind, JobStatus, ModerationStatus, StoredImage } from '@kinora/contracts/jobs/job';
import type { PassedDecisionId } from '@kinora/contracts/moderation/moderation.rpc';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import { type RowOf, columnsOf } from '@kinora/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AcceptedFacts, AppliedQuote } from '../model/price';
import type { PlannedLora } from '../model/resolve-loras';

/** An output in the object store. */
export type StoredOutput = StoredImageOutput | StoredVideo;

interface StoredFile {
  object_key: string;
  mime: string;
  width: number;
  height: number;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

export interface StoredImageOutput extends StoredFile {
  /** Null if no seed reproduces it. */
  seed: number | null;
}

export interface StoredVideo extends StoredFile {
  /** Seconds. */
  duration: number;
  fps: number;
}

/** How a job is run, fixed at its creation: later changes of the catalog do not affect it. */
export interface JobPlan {
  run_timeout_ms: number;
  /** How long the create waits for the end before it answers. */
  sync_wait_ms: number;
  loras: PlannedLora[];
  /** Of a video. */
  fps?: number;
  /** Where it may run: the routes of its model at its creation. */
  routes: Route[];
}

/**
 * A job: its request, its state and its result. Triggers keep an ended job unchanged, refuse the id of a tombstone, and add the
 * ended job to `usage_pending`. The waiting jobs of a model form a queue by (`queue_rank`, `claimable_at`). A job in flight has a
 * deadline. An ended job has work left (the hold, the files, later the outputs), each part with the time of its next try.
 */
@Entity('job')
// The rules are in the functions of these names, because PostgreSQL plans a CHECK anew for every statement. One function checks
// the columns against the status, the other (`job_is_of_what_passed`) compares the content with the hashes
// that moderation has passed.
@Check(
  'job_is_sound',
  `job_is_sound(kind, status, moderation_status, output_decision_id, output, error_code, deadline_at, completed_at,
                price_micros, retention_days)`,
)
@Check(
  'job_is_of_what_passed',
  'job_is_of_what_passed(status, input, images, passed_input_sha256, output, passed_output_sha256)',
)
@Index('job_by_turn', ['model', 'queue_rank', 'claimable_at'], { where: 'claimable_at IS NOT NULL' })
@Index('job_by_turn_of_account', ['model', 'account_id', 'queue_rank'], { where: 'claimable_at IS NOT NULL' })
@Index('job_by_deadline', ['deadline_at'], { where: 'deadline_at IS NOT NULL' })
// For webhook-dispatcher, which lists the ended jobs that need a webhook.
@Index('job_to_tell_of', ['completed_at', 'id'], { where: 'completed_at IS NOT NULL AND webhook_url IS NOT NULL' })
@Index('job_unsettled', ['completed_at'], { where: 'completed_at IS NOT NULL AND settled_at IS NULL' })
@Index('job_outputs_to_delete', ['expires_at'], { where: 'expires_at IS NOT NULL AND outputs_deleted_at IS NULL' })
// For operators, who search failed jobs of all accounts.
@Index('job_failed', ['id', 'error_code'], { where: 'error_code IS NOT NULL' })
@Index('job_sold_under_quote', ['created_at'], { where: 'list_micros <> price_micros' })
// (account_id, status, created_at DESC, id DESC), and the same with the model: any list is merged from one range for each
// status.
@Index('job_by_status', { synchronize: false })
@Index('job_by_model', { synchronize: false })
// (account_id, created_at DESC, id DESC) of the videos with content, which an account lists by themselves.
@Index('job_listed_video', { synchronize: false })
// (coalesce(hold_retry_at, completed_at)) of ended jobs with the part still to do, and so for files, outputs and content.
@Index('job_hold_to_end', { synchronize: false })
@Index('job_files_to_clear', { synchronize: false })
@Index('job_outputs_to_expire', { synchronize: false })
@Index('job_content_to_delete', { synchronize: false })
export class JobEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  @Column('text')
  kind!: JobKind;

  @Column('text')
  model!: string;

  @Column('text', { default: 'queued' })
  status!: JobStatus;

  /** As sent, with defaults. json and not jsonb, because the echo keeps the client's order and spelling of numbers. */
  @Column('json')
  input!: JobInput;

  /** Input images by their hash in the object store. */
  @Column('json')
  images!: StoredImage[];

  /** The provider that ran it last, or will run it first. */
  @Column('text')
  provider!: string;

  @Column('json')
  plan!: JobPlan;

  @Column('json', { nullable: true })
  metadata!: Record<string, string> | null;

  @Column('text', { nullable: true })
  webhook_url!: string | null;

  /** The amount that billing holds for it, and captures after a success. */
  @Column('bigint')
  price_micros!: number;

  /** As the provider reports; null if it does not. */
  @Column('bigint', { nullable: true })
  gpu_ms!: number | null;

  @Column('text', { default: 'pending' })
  moderation_status!: ModerationStatus;

  /** The decision by which the inputs passed. */
  @Column('uuid')
  input_decision_id!: PassedDecisionId;

  /** The decision about the outputs; a succeeded job has one. */
  @Column('uuid', { nullable: true })
  output_decision_id!: string | null;

  /** One video for a video job; the requested number of images for an image job. */
  @Column('json', { nullable: true })
  output!: StoredOutput[] | null;

  @Column('text', { nullable: true })
  error_code!: JobErrorCode | null;

  @Column('text', { nullable: true })
  error_message!: string | null;

  /** The retention of the account when the job was created. */
  @Column('integer')
  retention_days!: number;

  /** In whole milliseconds, so that a cursor made of it finds the same position again. */
  @Column('timestamptz', { default: () => `date_trunc('milliseconds', clock_timestamp())` })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  started_at!: Date | null;

  @Column('timestamptz', { nullable: true })
  completed_at!: Date | null;

  /** When the outputs are deleted. */
  @Column('timestamptz', { nullable: true })
  expires_at!: Date | null;

  /** When a dispatcher may claim it; null while an attempt is open and after the end. */
  @Column('timestamptz', { nullable: true, default: () => 'clock_timestamp()' })
  claimable_at!: Date | null;

  /** The deadline: for the start while queued, for the result while processing. */
  @Column('timestamptz', { nullable: true })
  deadline_at!: Date | null;

  /** When `hold_ended_at` and `files_cleared_at` were both set. */
  @Column('timestamptz', { nullable: true })
  settled_at!: Date | null;

  @Column('timestamptz', { nullable: true })
  outputs_deleted_at!: Date | null;

  /** The rank in the fair queue of the model. The column has an earlier name, because a rename takes two releases. */
  @Column('bigint', { name: 'turn', default: 0 })
  queue_rank!: number;

  /** The hashes of the inputs that moderation has passed, in hexadecimal; null in rows from before the comparison. */
  @Column('text', { array: true, nullable: true })
  passed_input_sha256!: string[] | null;

  /** The hashes of the outputs that moderation has passed. */
  @Column('text', { array: true, nullable: true })
  passed_output_sha256!: string[] | null;

  /** The W3C trace context of its creation. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  /** When billing acknowledged the capture or the refund. */
  @Column('timestamptz', { nullable: true })
  hold_ended_at!: Date | null;

  /** The next try to end the hold, after a failed one. */
  @Column('timestamptz', { nullable: true })
  hold_retry_at!: Date | null;

  /** When the input images and the spooled outputs were deleted. */
  @Column('timestamptz', { nullable: true })
  files_cleared_at!: Date | null;

  @Column('timestamptz', { nullable: true })
  files_retry_at!: Date | null;

  /** For the receipt; null in rows from before receipts. It outlives the content of the job. */
  @Column('json', { nullable: true })
  accepted_facts!: AcceptedFacts | null;

  /** The quote whose price the job has; null without one. */
  @Column('text', { nullable: true })
  quote_id!: string | null;

  /** With a quote: the price by the price list at the creation, which `price_micros` may differ from. */
  @Column('bigint', { nullable: true })
  list_micros!: number | null;

  /** The next try to delete expired outputs, after a failed one. */
  @Column('timestamptz', { nullable: true })
  outputs_retry_at!: Date | null;

  /** When the client first requested the deletion of the outputs: no link to them is signed from then on. */
  @Column('timestamptz', { nullable: true })
  deletion_requested_at!: Date | null;

  /** When the texts of the client were deleted from this row, except for `webhook_url` while a delivery is not written. */
  @Column('timestamptz', { nullable: true })
  content_deleted_at!: Date | null;

  /** The next try to delete the content from the deliveries, after a failed one. */
  @Column('timestamptz', { nullable: true })
  content_retry_at!: Date | null;
}

/** The columns of `job` that use cases read. The other columns are used only within statements. */
export const JOB_COLUMNS = columnsOf(
  JobEntity,
  ...(['id', 'account_id', 'kind', 'model', 'status', 'input', 'images', 'provider', 'plan', 'metadata'] as const),
  ...(['webhook_url', 'price_micros', 'gpu_ms', 'moderation_status', 'input_decision_id'] as const),
  ...(['output_decision_id', 'output', 'error_code', 'error_message', 'retention_days', 'created_at'] as const),
  ...(['started_at', 'completed_at', 'expires_at', 'deadline_at', 'settled_at', 'traceparent'] as const),
  ...(['deletion_requested_at', 'content_deleted_at'] as const),
);

/** A row of `job`. The fields of `input` and `output` determine the kind they belong to. */
export type JobRow = RowOf<typeof JOB_COLUMNS>;

/** The columns that the owner of a job sees. The plan is not among them: it is larger than all of them, and internal. */
export const SHOWN_JOB_COLUMNS = columnsOf(
  JobEntity,
  ...(['id', 'account_id', 'kind', 'model', 'status', 'input', 'metadata', 'price_micros', 'gpu_ms'] as const),
  ...(['moderation_status', 'output', 'error_code', 'error_message', 'content_deleted_at'] as const),
  ...(['created_at', 'started_at', 'completed_at', 'expires_at', 'deletion_requested_at'] as const),
);

/** A row with the columns that are shown. */
export type ShownJobRow = RowOf<typeof SHOWN_JOB_COLUMNS>;

/** A job before it is stored: all that follows from the request and its model. */
export type NewJob = Pick<
  JobRow,
  | 'id'
  | 'account_id'
  | 'kind'
  | 'model'
  | 'input'
  | 'images'
  | 'provider'
  | 'plan'
  | 'metadata'
  | 'webhook_url'
  | 'price_micros'
> & { queue_timeout_ms: number; accepted_facts: AcceptedFacts; quote?: AppliedQuote };

/** The columns that an INSERT leaves to their defaults, with those defaults. */
export const JOB_DEFAULTS = {
  status: 'queued',
  moderation_status: 'pending',
  gpu_ms: null,
  output: null,
  output_decision_id: null,
  error_code: null,
  error_message: null,
  started_at: null,
  completed_at: null,
  expires_at: null,
  settled_at: null,
  deletion_requested_at: null,
  content_deleted_at: null,
} as const satisfies Partial<JobRow>;
