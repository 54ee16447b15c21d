import type { PassedDecisionId } from '@kinora/contracts/moderation/decision';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import { type RowOf, columnsOf } from '@kinora/database';
import { JobEntity, type StoredOutput } from './job.entity';

export type { JobPlan, StoredOutput, StoredImageOutput, StoredVideo } from './job.entity';

/** The columns of `job` that use cases read. The other columns are used only within statements. */
export const JOB_COLUMNS = columnsOf(
  JobEntity,
  ...(['id', 'account_id', 'kind', 'model', 'status', 'input', 'images', 'provider', 'plan', 'metadata'] as const),
  ...(['webhook_url', 'price_micros', 'gpu_ms', 'moderation_status', 'input_decision_id'] as const),
  ...(['output_decision_id', 'output', 'error_code', 'error_message', 'retention_days', 'created_at'] as const),
  ...(['started_at', 'completed_at', 'expires_at', 'deadline_at', 'settled_at', 'traceparent'] as const),
);

/** A row of `job`. The fields of `input` and `output` determine the kind they belong to. */
export type JobRow = RowOf<typeof JOB_COLUMNS>;

/** The columns that the owner of a job sees. The plan is not among them: it is larger than all of them, and internal. */
export const SHOWN_JOB_COLUMNS = columnsOf(
  JobEntity,
  ...(['id', 'account_id', 'kind', 'model', 'status', 'input', 'metadata', 'price_micros', 'gpu_ms'] as const),
  ...(['moderation_status', 'output', 'error_code', 'error_message'] as const),
  ...(['created_at', 'started_at', 'completed_at', 'expires_at'] as const),
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
> & { queue_timeout_ms: number };

/** How a job ends. */
export type JobEnd =
  | {
      status: 'succeeded';
      output: StoredOutput[];
      output_decision_id: PassedDecisionId;
      /** The hashes of the outputs that moderation has passed; null from a moderation of an older release. */
      passed_output_sha256: string[] | null;
      gpu_ms: number | null;
    }
  | { status: 'failed'; error_code: JobErrorCode; gpu_ms: number | null }
  | { status: 'canceled' };
