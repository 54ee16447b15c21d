import { type Queryable, statement } from '@kinora/database';
import type { JobKind, JobStatus } from '@kinora/contracts/jobs/job';
import { v7 as uuidv7 } from 'uuid';

const INSERT_JOB = statement(
  'spec_insert_job',
  `INSERT INTO job (id, account_id, model, status, created_at, price_micros, gpu_ms, kind, input, images, provider, plan,
                    input_decision_id, retention_days, completed_at, deadline_at, moderation_status, output,
                    output_decision_id, error_code, expires_at, webhook_url)
   SELECT $1, $2, $3, $4, $5, $6, $7, $11, $8, '[]', 'sandbox', '{}', $1, 7,
          CASE WHEN NOT in_flight THEN $5::timestamptz END,
          CASE WHEN in_flight THEN $5::timestamptz END,
          CASE WHEN in_flight THEN 'pending' ELSE 'passed' END,
          CASE WHEN $4 = 'succeeded' THEN $9::json END,
          CASE WHEN $4 = 'succeeded' THEN $1::uuid END,
          CASE WHEN $4 = 'failed' THEN 'provider_error' END,
          CASE WHEN $4 = 'succeeded' THEN clock_timestamp() + interval '7 days' END,
          $10
     FROM (SELECT $4::text IN ('queued', 'processing') AS in_flight) AS job`,
);

/** The fields of a job that usage depends on. */
export interface UsedJob {
  /** By default one of the time of its creation. */
  id?: string;
  accountId: string;
  at: string;
  status?: JobStatus;
  model?: string;
  kind?: JobKind;
  priceMicros?: number;
  gpuMs?: number | null;
  input?: object;
  /** Object keys of its images, if it has succeeded. */
  images?: string[];
  webhookUrl?: string;
}

/** Stores a job of any age. @returns its id. */
export async function insertUsedJob(queryable: Queryable, job: UsedJob): Promise<string> {
  const { accountId, at, status = 'succeeded', model = 'general-image', priceMicros = 20_000, gpuMs = null } = job;
  const { input = {}, images = [], webhookUrl = null, kind = 'image.generation' } = job;
  const id = job.id ?? uuidv7({ msecs: Date.parse(at) });
  const output = images.map((object_key) => ({
    object_key,
    mime: 'image/png',
    width: 8,
    height: 8,
    bytes: 8,
    seed: 7,
  }));
  const values = [id, accountId, model, status, at, priceMicros, gpuMs];
  await queryable.execute(INSERT_JOB, [...values, JSON.stringify(input), JSON.stringify(output), webhookUrl, kind]);
  return id;
}
