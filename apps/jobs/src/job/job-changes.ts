import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';

/** One signal carries the changes of this window. Shorter windows cost every gateway more messages, longer ones delay clients. */
const WINDOW_MS = 5;
/** 20 KB of ids; further changes go into the next signal at once. */
const MAX_IDS = 500;

/** Publishes which jobs have changed, in micro-batches, for the gateways that hold requests about them. */
@Injectable()
export class JobChanges {
  private updated = new Set<string>();
  private ended = new Set<string>();
  private publishedAtMs = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly bus: Bus) {}

  /** Called after the commit that ended the job: a gateway reads the job as soon as it receives the signal. */
  addEnded(jobId: string): void {
    this.updated.delete(jobId);
    this.ended.add(jobId);
    this.schedule();
  }

  /** Called after the commit that changed the status or the progress of a job in flight. */
  addUpdated(jobId: string): void {
    if (!this.ended.has(jobId)) this.updated.add(jobId);
    this.schedule();
  }

  private schedule(): void {
    if (this.updated.size + this.ended.size >= MAX_IDS) return this.publish();
    if (this.timer) return;
    const waitMs = this.publishedAtMs + WINDOW_MS - performance.now();
    if (waitMs <= 0) this.publish();
    else this.timer = setTimeout(() => this.publish(), waitMs).unref();
  }

  private publish(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.publishedAtMs = performance.now();
    this.bus.signal(jobsSignals.changed, { updated: [...this.updated], ended: [...this.ended] });
    this.updated = new Set();
    this.ended = new Set();
  }
}
