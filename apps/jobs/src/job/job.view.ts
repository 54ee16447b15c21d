import { Injectable } from '@nestjs/common';
import { DownloadLinks, ObjectStoreUnavailable } from '@kinora/object-store';
import { type Micros, toUsd } from '@kinora/contracts/shared/money';
import type { ImageOutput, Job, JobOutput, VideoOutput } from '@kinora/contracts/jobs/job';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { JobRow, ShownJobRow, StoredOutput, StoredImageOutput, StoredVideo } from './job.entity';

/** The download URL of an output, or null if it is deleted. */
export type UrlOf = (objectKey: string) => string | null;

/** The longest life of a link, which `expires_at` may shorten (decisions: Outputs). */
const SIGNED_URL_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

/** When links to the job's outputs expire; null if they have expired, or are to be deleted. Links expire in whole seconds. */
export function linksEndAt({ expires_at, deletion_requested_at }: ShownJobRow, now: Date): Date | null {
  if (!expires_at || deletion_requested_at) return null;
  const end = Math.min(now.getTime() + SIGNED_URL_LIFETIME_MS, expires_at.getTime());
  const endOfSecond = new Date(Math.floor(end / 1000) * 1000);
  return endOfSecond > now ? endOfSecond : null;
}

/** The one mapping of a row to the API (API: Job). */
export function toJob(row: ShownJobRow, urlOf: UrlOf): Job {
  const charged = chargedMicros(row);
  return {
    id: row.id,
    object: 'job',
    status: row.status,
    kind: row.kind,
    model: row.model,
    input: row.input,
    output: toJobOutput(row, urlOf),
    usage: { charged_micros: charged, charged_usd: toUsd(charged), gpu_ms: row.gpu_ms },
    moderation: { status: row.moderation_status },
    error: row.error_code && { code: row.error_code, message: row.error_message ?? '' },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    metadata: row.metadata,
  };
}

/** The reserved amount while in flight, 0 after a refund (decisions: Prices). */
export function chargedMicros({ status, price_micros }: Pick<ShownJobRow, 'status' | 'price_micros'>): Micros {
  return status === 'failed' || status === 'canceled' ? 0 : price_micros;
}

/** A job has one terminal event, so the event's id is derived from the job's: a repeated event has the same id. */
export function toJobFinished(row: JobRow, urlOf: UrlOf): JobFinished {
  return {
    event_id: `evt_${row.id.replaceAll('-', '')}`,
    account_id: row.account_id,
    webhook_url: row.webhook_url,
    job: toJob(row, urlOf),
  };
}

function toJobOutput({ kind, output }: ShownJobRow, urlOf: UrlOf): JobOutput | null {
  if (!output) return null;
  if (kind !== 'video.generation') return { images: output.filter(isImage).map((each) => toImageOutput(each, urlOf)) };
  const video = output.find(isVideo);
  return video ? { video: toVideoOutput(video, urlOf) } : null;
}

function isVideo(output: StoredOutput): output is StoredVideo {
  return 'duration' in output;
}

function isImage(output: StoredOutput): output is StoredImageOutput {
  return !isVideo(output);
}

function toImageOutput(image: StoredImageOutput, urlOf: UrlOf): ImageOutput {
  const { object_key, mime, width, height, seed, bytes } = image;
  return { url: urlOf(object_key), mime, width, height, seed, bytes };
}

function toVideoOutput(video: StoredVideo, urlOf: UrlOf): VideoOutput {
  const { object_key, mime, duration, fps, width, height, bytes } = video;
  return { url: urlOf(object_key), mime, duration, fps, width, height, bytes };
}

/** Presents rows as jobs, with URLs signed at each read. */
@Injectable()
export class JobPresenter {
  constructor(private readonly links: DownloadLinks) {}

  async toJob(row: ShownJobRow): Promise<Job> {
    return toJob(row, await this.signLinks(row));
  }

  /** Links are signed as of the end of the job, so that an event is the same whenever and wherever it is built. */
  async toFinished(row: JobRow): Promise<JobFinished> {
    return toJobFinished(row, await this.signLinks(row, row.completed_at ?? undefined));
  }

  private async signLinks(row: ShownJobRow, now = new Date()): Promise<UrlOf> {
    const end = linksEndAt(row, now);
    if (!row.output || !end) return () => null;
    const keys = row.output.map(({ object_key }) => object_key);
    const signed = await Promise.all(keys.map((key) => this.links.signLink(key, end, now))).catch(asUnavailable);
    const urls = new Map(keys.map((key, index) => [key, signed[index] ?? null]));
    return (key) => urls.get(key) ?? null;
  }
}

function asUnavailable(error: unknown): never {
  throw error instanceof ObjectStoreUnavailable ? ApiError.unavailable('Storage') : error;
}
