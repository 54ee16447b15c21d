import { toUsd } from '@kinora/contracts/shared/money';
import type { Job, JobOutput } from '@kinora/contracts/jobs/job';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { JobRow, StoredOutput } from './job.row';

/** Makes a download URL that works until the given time. */
export type SignUrl = (objectKey: string, expiresAt: Date) => string;

/** Interface, Limits: "valid up to 7 days, never past expires_at". */
const SIGNED_URL_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

/** The one outward mapping: a row as the specification's Job, its URLs freshly signed. */
export function toJob(row: JobRow, signUrl: SignUrl, now = new Date()): Job {
  const chargedMicros = row.status === 'failed' || row.status === 'canceled' ? 0 : row.price_micros;
  return {
    id: row.id,
    object: 'job',
    status: row.status,
    kind: row.kind,
    model: row.model,
    input: row.input,
    output: row.output && toJobOutput(row.output, row.expires_at, signUrl, now),
    usage: { charged_micros: chargedMicros, charged_usd: toUsd(chargedMicros), gpu_ms: row.gpu_ms },
    moderation: { status: row.moderation_status },
    error: row.error_code && { code: row.error_code, message: row.error_message ?? '' },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    metadata: row.metadata,
  };
}

/** A job has one terminal event, so its id follows from the job's: whoever tells of it again tells the same event. */
export function toJobFinished(row: JobRow, signUrl: SignUrl): JobFinished {
  return {
    event_id: `evt_${row.id.replaceAll('-', '')}`,
    account_id: row.account_id,
    webhook_url: row.webhook_url,
    job: toJob(row, signUrl),
  };
}

function toJobOutput(outputs: StoredOutput[], expiresAt: Date | null, signUrl: SignUrl, now: Date): JobOutput {
  const lifetimeEnd = now.getTime() + SIGNED_URL_LIFETIME_MS;
  const urlEnd = new Date(Math.min(lifetimeEnd, expiresAt?.getTime() ?? lifetimeEnd));
  return {
    images: outputs.map(({ object_key, mime, width, height, seed, bytes }) => ({
      url: urlEnd > now ? signUrl(object_key, urlEnd) : null,
      mime,
      width,
      height,
      seed,
      bytes,
    })),
  };
}
