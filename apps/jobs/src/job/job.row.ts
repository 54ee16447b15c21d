import type { PassedDecisionId } from '@kinora/contracts/moderation/decision';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import { type RowOf, columnsOf } from '@kinora/database';
import { JobEntity, type StoredOutput } from './job.entity';

export type { JobPlan, StoredOutput, StoredImageOutput, StoredVideo } from './job.entity';

/** All that a use case reads of `job`; the other columns matter to the statements that keep them. */
export const JOB_COLUMNS = columnsOf(
  JobEntity,
  ...(['id', 'account_id', 'kind', 'model', 'status', 'input', 'images', 'provider', 'plan', 'metadata'] as const),
  ...(['webhook_url', 'price_micros', 'gpu_ms', 'moderation_status', 'input_decision_id'] as const),
  ...(['output_decision_id', 'output', 'error_code', 'error_message', 'retention_days', 'created_at'] as const),
  ...(['started_at', 'completed_at', 'expires_at', 'deadline_at', 'settled_at', 'traceparent'] as const),
);

/** A row of `job`. The fields of `input` and `output` say which kind they belong to. */
export type JobRow = RowOf<typeof JOB_COLUMNS>;

/** What its owner is shown of a job. A plan is larger than all of it, and none of its business. */
export const SHOWN_JOB_COLUMNS = columnsOf(
  JobEntity,
  ...(['id', 'account_id', 'kind', 'model', 'status', 'input', 'metadata', 'price_micros', 'gpu_ms'] as const),
  ...(['moderation_status', 'output', 'error_code', 'error_message'] as const),
  ...(['created_at', 'started_at', 'completed_at', 'expires_at'] as const),
);

/** A row, or as much of it as is shown. */
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
