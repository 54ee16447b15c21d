import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import type { JobRow } from '../job/job.entity';
import { CreatePriority } from './create-priority';

/** A woken dispatcher claims all waiting jobs, so one signal announces all jobs that are created within this window. */
const SIGNAL_EVERY_MS = 10;

/** Announces created jobs to dispatchers: to the one in this process, or else to all processes. */
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

  /**
   * Registers the dispatcher of this process. It takes the created jobs, and signals the other processes if it cannot submit
   * them.
   */
  onCreated(wakeDispatcher: () => void): void {
    this.wakeDispatcher = wakeDispatcher;
  }

  runWithPriority<Result>(create: () => Promise<Result>): Promise<Result> {
    return this.createPriority.run(create);
  }

  wakeDispatcherFor(job: JobRow): void {
    const { wakeDispatcher } = this;
    if (!wakeDispatcher) return this.signalRunners();
    this.jobs.push(job);
    // `setImmediate` lets the reply to the client go first.
    setImmediate(wakeDispatcher);
  }

  takeAll(): JobRow[] {
    return this.jobs.splice(0);
  }

  /** Only a hint, which may be lost: a dispatcher that misses it polls within a second. */
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
