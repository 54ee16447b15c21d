import { toUsd } from '@kinora/contracts/shared/money';
import type { ImageOutput, Job, JobOutput, VideoOutput } from '@kinora/contracts/jobs/job';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { JobRow, StoredPicture, StoredVideo } from './job.row';

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
    output: toJobOutput(row, signUrl, now),
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

function toJobOutput(row: JobRow, signUrl: SignUrl, now: Date): JobOutput | null {
  const lifetimeEnd = now.getTime() + SIGNED_URL_LIFETIME_MS;
  const urlEnd = new Date(Math.min(lifetimeEnd, row.expires_at?.getTime() ?? lifetimeEnd));
  const urlOf = (objectKey: string): string | null => (urlEnd > now ? signUrl(objectKey, urlEnd) : null);
  if (row.kind === 'video.generation') {
    const [video] = row.output ?? [];
    return video ? { video: toVideoOutput(video, urlOf) } : null;
  }
  return row.output && { images: row.output.map((picture) => toImageOutput(picture, urlOf)) };
}

function toImageOutput(picture: StoredPicture, urlOf: (objectKey: string) => string | null): ImageOutput {
  const { object_key, mime, width, height, seed, bytes } = picture;
  return { url: urlOf(object_key), mime, width, height, seed, bytes };
}

function toVideoOutput(video: StoredVideo, urlOf: (objectKey: string) => string | null): VideoOutput {
  const { object_key, mime, duration, fps, width, height, bytes } = video;
  return { url: urlOf(object_key), mime, duration, fps, width, height, bytes };
}
