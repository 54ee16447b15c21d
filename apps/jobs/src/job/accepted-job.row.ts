import type { JobRow, NewJob } from './job.row';

/** What only the database knows of a job that it has just stored. */
export type StoredAt = Pick<JobRow, 'id' | 'created_at' | 'deadline_at'>;

/** The row of a job that was stored this moment. Reading it back would cost each accept as much as its indexes do. */
export function toAcceptedRow(
  { queue_timeout_ms: _queue, passed_input_sha256: _passed, ...job }: NewJob,
  stored: StoredAt,
  traceparent: string | null,
): JobRow {
  return {
    ...job,
    ...stored,
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
    traceparent,
  } as JobRow;
}
