import { Injectable } from '@nestjs/common';
import { isRecord } from '@kinora/contracts/shared/texts';

/** A file of a job, as the gateway's answer describes it. */
export interface OutputFile {
  /** The signed link; null once the file is deleted. */
  url: string | null;
  mime: string;
}

/** The files of one job, in the order in which pages number them. */
export interface JobFiles {
  jobId: string;
  files: OutputFile[];
}

/** The address of a file on the console. It opens nothing without the session's cookie. */
function mediaPath(jobId: string, index: number): string {
  return `/media/${jobId}/${index}`;
}

/**
 * Replaces the signed links of all jobs in an answer by addresses of the console, in place: a link would open its file to any
 * reader of the page, its history or its log.
 * @returns the files that the links led to.
 */
export function takeLinks(value: unknown): JobFiles[] {
  if (Array.isArray(value)) return value.flatMap(takeLinks);
  if (!isRecord(value)) return [];
  if (value.object !== 'job' || typeof value.id !== 'string') return Object.values(value).flatMap(takeLinks);
  const { id } = value;
  const files = outputsOf(value.output).map((output, index) => takeLink(output, id, index));
  return [{ jobId: id, files }];
}

function takeLink(output: Record<string, unknown>, jobId: string, index: number): OutputFile {
  const { url, mime } = output;
  if (typeof url === 'string') output.url = mediaPath(jobId, index);
  return { url: typeof url === 'string' ? url : null, mime: typeof mime === 'string' ? mime : '' };
}

function outputsOf(output: unknown): Record<string, unknown>[] {
  if (!isRecord(output)) return [];
  const { images, video } = output;
  return [...(Array.isArray(images) ? (images as unknown[]) : []), video].filter(isRecord);
}

/** Long enough to show a list of jobs. A link that a session has once got from the gateway is valid for longer. */
const KEPT_MS = 5 * 60_000;
/** Bounds the memory to some ten MB. */
const JOBS_MAX = 10_000;

interface KnownJob {
  files: OutputFile[];
  untilMs: number;
}

/**
 * The links that the answers of the gateway had for a session. Each image of a list would otherwise read its job again and
 * spend a token of the key's rate. The key is the session, so no session uses what another one was given.
 */
@Injectable()
export class KnownFiles {
  private readonly jobs = new Map<string, KnownJob>();

  remember(sessionId: Buffer, jobs: JobFiles[], nowMs = performance.now()): void {
    for (const { jobId, files } of jobs) {
      const key = keyOf(sessionId, jobId);
      this.jobs.delete(key);
      this.jobs.set(key, { files, untilMs: nowMs + KEPT_MS });
      const [oldest] = this.jobs.keys();
      if (this.jobs.size > JOBS_MAX && oldest !== undefined) this.jobs.delete(oldest);
    }
  }

  find(sessionId: Buffer, jobId: string, nowMs = performance.now()): OutputFile[] | undefined {
    const known = this.jobs.get(keyOf(sessionId, jobId));
    return known && known.untilMs > nowMs ? known.files : undefined;
  }

  forget(sessionId: Buffer, jobId: string): void {
    this.jobs.delete(keyOf(sessionId, jobId));
  }
}

function keyOf(sessionId: Buffer, jobId: string): string {
  return `${sessionId.toString('base64url')} ${jobId}`;
}
