import type { PassedDecisionId } from '@kinora/contracts/moderation/decision';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import type { JobInput, JobKind, JobStatus, ModerationStatus, StoredImage } from '@kinora/contracts/jobs/job';
import type { PlannedLora } from '../model/resolve-loras';

/** An output as it lies in the object store. */
export type StoredOutput = StoredPicture | StoredVideo;

interface StoredFile {
  object_key: string;
  mime: string;
  width: number;
  height: number;
  bytes: number;
  /** In hexadecimal. Absent from rows of before it was kept. */
  sha256?: string;
}

export interface StoredPicture extends StoredFile {
  /** Null where no seed makes it again. */
  seed: number | null;
}

export interface StoredVideo extends StoredFile {
  /** Seconds. */
  duration: number;
  fps: number;
}

/** How a job is to be run, fixed when it was accepted: later changes of the catalog do not reach it. */
export interface JobPlan {
  run_timeout_ms: number;
  /** How long the create waits for the end before it answers. */
  sync_wait_ms: number;
  loras: PlannedLora[];
  /** Of a video. */
  fps?: number;
  /** Where it may run. Jobs of an older release have none, and run at their `provider`. */
  routes?: Route[];
}

/** A row of `job`; a property is named as its column. The fields of `input` and `output` say which kind they belong to. */
export interface JobRow {
  id: string;
  account_id: string;
  kind: JobKind;
  model: string;
  status: JobStatus;
  input: JobInput;
  images: StoredImage[];
  provider: string;
  plan: JobPlan;
  metadata: Record<string, string> | null;
  webhook_url: string | null;
  price_micros: number;
  gpu_ms: number | null;
  moderation_status: ModerationStatus;
  input_decision_id: PassedDecisionId;
  output_decision_id: string | null;
  /** Of a video job one video, of an image job as many images as were asked for. */
  output: StoredOutput[] | null;
  error_code: JobErrorCode | null;
  error_message: string | null;
  retention_days: number;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  expires_at: Date | null;
  deadline_at: Date | null;
  settled_at: Date | null;
  /** The trace that it was accepted in. */
  traceparent: string | null;
}

export const JOB_COLUMNS = `id, account_id, kind, model, status, input, images, provider, plan, metadata, webhook_url, price_micros, gpu_ms,
  moderation_status, input_decision_id, output_decision_id, output, error_code, error_message, retention_days,
  created_at, started_at, completed_at, expires_at, deadline_at, settled_at, traceparent`;

/** What its owner is shown of a job. A plan is larger than all of it, and none of its business. */
const SHOWN_COLUMNS = [
  'id',
  'account_id',
  'kind',
  'model',
  'status',
  'input',
  'metadata',
  'price_micros',
  'gpu_ms',
  'moderation_status',
  'output',
  'error_code',
  'error_message',
  'created_at',
  'started_at',
  'completed_at',
  'expires_at',
] as const satisfies (keyof JobRow)[];

export const SHOWN_JOB_COLUMNS = SHOWN_COLUMNS.join(', ');

/** A row, or as much of it as is shown. */
export type ShownJobRow = Pick<JobRow, (typeof SHOWN_COLUMNS)[number]>;

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
> & { queue_timeout_ms: number };

/** How a job ends. */
export type JobEnd =
  | {
      status: 'succeeded';
      output: StoredOutput[];
      output_decision_id: PassedDecisionId;
      /** What the gate has seen of the outputs; null from a gate of an older release. */
      passed_output_sha256: string[] | null;
      gpu_ms: number | null;
    }
  | { status: 'failed'; error_code: JobErrorCode; gpu_ms: number | null }
  | { status: 'canceled' };
