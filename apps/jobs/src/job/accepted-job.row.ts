import type { JobRow, NewJob } from './job.row';

/** What only the database knows of a job that it has just stored. */
export type StoredAt = Pick<JobRow, 'id' | 'created_at' | 'deadline_at'>;

/**
 * The row of a job that was stored this moment. Reading it back would cost each accept as much as its indexes do, and so
 * would a spread of the job: an object that becomes so wide piece by piece is a dictionary to the engine.
 */
export function toAcceptedRow(job: NewJob, stored: StoredAt, traceparent: string | null): JobRow {
  return {
    id: job.id,
    account_id: job.account_id,
    kind: job.kind,
    model: job.model,
    input: job.input,
    images: job.images,
    provider: job.provider,
    plan: job.plan,
    metadata: job.metadata,
    webhook_url: job.webhook_url,
    price_micros: job.price_micros,
    input_decision_id: job.input_decision_id,
    retention_days: job.retention_days,
    created_at: stored.created_at,
    deadline_at: stored.deadline_at,
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
