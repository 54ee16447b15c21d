import { Injectable } from '@nestjs/common';
import type { JobFiles, OutputFile } from './job-outputs';

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
