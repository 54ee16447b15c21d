import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import type { JobRow } from '../job/job.entity';
import { CreatePriority } from './create-priority';

/** Whoever is called looks at all that waits, so that what is accepted within such a while is told of together. */
const SIGNAL_EVERY_MS = 10;

/** Brings jobs that were just accepted to runners: to the one in this process, if there is one, or else to all of them. */
@Injectable()
export class CreatedJobs {
  private readonly jobs: JobRow[] = [];
  private wakeDispatcher: (() => void) | null = null;
  private signaledAtMs = Number.NEGATIVE_INFINITY;
  private nextSignal: NodeJS.Timeout | null = null;

  constructor(
    private readonly bus: Bus,
    private readonly createPriority: CreatePriority,
  ) {}

  /** For this process's runner, which takes the jobs then, and calls for the others where it cannot send them. */
  onCreated(wakeDispatcher: () => void): void {
    this.wakeDispatcher = wakeDispatcher;
  }

  /** Runs a create ahead of background work, and brings the job that it stores to a runner. */
  async track(reserveAndStore: () => Promise<JobRow>): Promise<JobRow> {
    const job = await this.createPriority.run(reserveAndStore);
    this.add(job);
    return job;
  }

  private add(job: JobRow): void {
    const { wakeDispatcher } = this;
    if (!wakeDispatcher) return this.signalRunners();
    this.jobs.push(job);
    // The answer to whoever has asked for the job goes first.
    setImmediate(wakeDispatcher);
  }

  takeAll(): JobRow[] {
    return this.jobs.splice(0);
  }

  /** Only a hint, which may be lost with the process: a runner that has not heard it looks by itself within a second. */
  signalRunners(): void {
    if (this.nextSignal) return;
    const waitMs = this.signaledAtMs + SIGNAL_EVERY_MS - performance.now();
    if (waitMs <= 0) return this.sendSignal();
    this.nextSignal = setTimeout(() => this.sendSignal(), waitMs).unref();
  }

  private sendSignal(): void {
    this.nextSignal = null;
    this.signaledAtMs = performance.now();
    this.bus.signal(jobsSignals.queued, {});
  }
}
