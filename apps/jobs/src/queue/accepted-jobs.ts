import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import type { JobRow } from '../job/job.row';
import { CreatePriority } from './create-priority';

/** Whoever is called looks at all that waits, so that what is accepted within such a while is told of together. */
const CALL_EVERY_MS = 10;

/** Brings jobs that were just accepted to runners: to the one in this process, if there is one, or else to all of them. */
@Injectable()
export class AcceptedJobs {
  private readonly jobs: JobRow[] = [];
  private wakeRunner: (() => void) | null = null;
  private calledAtMs = Number.NEGATIVE_INFINITY;
  private nextCall: NodeJS.Timeout | null = null;

  constructor(
    private readonly bus: Bus,
    private readonly createPriority: CreatePriority,
  ) {}

  /** For this process's runner, which takes the jobs then, and calls for the others where it cannot send them. */
  onAccepted(wakeRunner: () => void): void {
    this.wakeRunner = wakeRunner;
  }

  /** Runs a create ahead of background work, and brings the job that it stores to a runner. */
  async track(reserveAndStore: () => Promise<JobRow>): Promise<JobRow> {
    const job = await this.createPriority.run(reserveAndStore);
    this.add(job);
    return job;
  }

  private add(job: JobRow): void {
    const { wakeRunner } = this;
    if (!wakeRunner) return this.callRunners();
    this.jobs.push(job);
    // The answer to whoever has asked for the job goes first.
    setImmediate(wakeRunner);
  }

  take(): JobRow[] {
    return this.jobs.splice(0);
  }

  /** Only a hint, which may be lost with the process: a runner that has not heard it looks by itself within a second. */
  callRunners(): void {
    if (this.nextCall) return;
    const waitMs = this.calledAtMs + CALL_EVERY_MS - performance.now();
    if (waitMs <= 0) return this.call();
    this.nextCall = setTimeout(() => this.call(), waitMs).unref();
  }

  private call(): void {
    this.nextCall = null;
    this.calledAtMs = performance.now();
    this.bus.signal(jobsSignals.queued, {});
  }
}
