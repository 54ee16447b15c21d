import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobKind } from '@kinora/contracts/jobs/job';
import { CachedRead } from './cached-read';
import { estimateMs, type JobSize, RecentMean, RunTimeHistogram, sizeClassOf } from './estimate';
import { JobProgressRepository, type ModelLoad, type ProgressRow } from './job-progress.repository';
import { type RunTimeCount, RunTimeRepository } from './run-time.repository';
import { type PlannedEnd, type PlannedStart, ScheduleOutlook } from './schedule-outlook';

/** Run times change slowly, and the queue fast. */
const RUN_TIMES_FRESH_MS = 2_000;
const LOAD_FRESH_MS = 500;
/** The load is sampled for this long after an estimate. */
const SAMPLE_FOR_MS = 60_000;
const SAMPLE_EVERY_MS = 1_000;

/** What determines the run time of a job. */
type Estimated = Pick<ProgressRow, 'model' | 'kind' | 'size' | 'count'> & { provider?: string };

/** A job that may be created, as far as its duration depends on it. */
interface NewJobToEstimate extends JobSize {
  account_id: string;
  model: string;
  kind: JobKind;
  routes: Route[];
}

/** Estimates when jobs end: from the measured run times of the last hour, and what is served before them. */
@Injectable()
export class EtaEstimator implements OnModuleInit, OnModuleDestroy {
  private readonly runTimes = new CachedRead(RUN_TIMES_FRESH_MS, async () =>
    toHistograms(await this.runTimeRows.listRecent()),
  );
  private readonly loads = new CachedRead(LOAD_FRESH_MS, () => this.readLoads());
  /** By model: how many jobs are processing at once while others wait. */
  private readonly parallel = new Map<string, RecentMean>();
  private sampledUntilMs = 0;
  private sampler: NodeJS.Timeout | undefined;

  constructor(
    private readonly runTimeRows: RunTimeRepository,
    private readonly progress: JobProgressRepository,
    private readonly schedule: ScheduleOutlook,
  ) {}

  /** Clients often read at the beginning of a burst only, when few jobs are processing, so the load is also read in between. */
  onModuleInit(): void {
    this.sampler = setInterval(() => {
      // A failed read is repeated by the next sample.
      if (performance.now() < this.sampledUntilMs) void this.loads.get().catch(() => undefined);
    }, SAMPLE_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.sampler);
  }

  /** The load of a model, at most half a second old. */
  private async loadOf(model: string): Promise<ModelLoad> {
    return (
      (await this.loads.get()).get(model) ?? {
        model,
        processing: 0,
        backend_places: 0,
        handed_over: 0,
        is_saturated: false,
      }
    );
  }

  /** The place of a queued job. One that its backend has accepted has only the tasks before it that the backend reports. */
  async positionOf(job: ProgressRow): Promise<number> {
    if (job.ahead === null) return job.queued_ahead ?? 0;
    const planned = await this.schedule.startOf(job.model, job.ahead);
    return planned?.position ?? job.ahead + (await this.loadOf(job.model)).backend_places;
  }

  /** Seconds until a job in flight ends; `ahead` is its place while it is queued. Null where no run time is known. */
  async secondsLeft(job: ProgressRow, ahead: number | null): Promise<number | null> {
    const start = job.ahead === null ? null : await this.schedule.startOf(job.model, job.ahead);
    if (start) return await this.secondsFrom(job, start);
    const end = job.ahead === null ? await this.schedule.endOf(job.id) : null;
    if (end) return await this.secondsUntil(job, end);
    const isInFairQueue = job.ahead !== null && ahead !== null;
    const notBegun = isInFairQueue ? notCountedAhead(await this.loadOf(job.model)) : 0;
    return await this.estimate(job, ahead === null ? null : ahead + notBegun, job.elapsed_ms ?? 0);
  }

  /** Seconds until a job would end that the account creates now. Null where no run time is known. */
  async secondsForNewJob({ account_id, routes, ...job }: NewJobToEstimate): Promise<number | null> {
    const ahead = await this.progress.countAhead(job.model, account_id);
    const start = await this.schedule.startOfNew({ model: job.model, account: account_id, routes }, ahead);
    if (start) return await this.secondsFrom(job, start);
    const load = await this.loadOf(job.model);
    return await this.estimate(job, ahead + load.backend_places + notCountedAhead(load), 0);
  }

  private async estimate(job: Estimated, ahead: number | null, elapsedMs: number): Promise<number | null> {
    const [histograms, { processing }] = await Promise.all([this.runTimes.get(), this.loadOf(job.model)]);
    const runTimes = findOf(job, histograms);
    const modelMeanMs = histograms.get(nameOf(job.model))?.meanMs;
    if (!runTimes || modelMeanMs === undefined) return null;
    this.sampledUntilMs = performance.now() + SAMPLE_FOR_MS;
    const parallel = this.parallel.get(job.model)?.value ?? processing;
    return toSeconds(estimateMs({ runTimes, modelMeanMs, processing, parallel, ahead, elapsedMs }));
  }

  private async secondsFrom(job: Estimated, { startsInMs }: PlannedStart): Promise<number | null> {
    const runMs = findOf(job, await this.runTimes.get())?.medianMs() ?? null;
    return runMs === null ? null : toSeconds(startsInMs + runMs);
  }

  /** Its outputs are fetched, screened and stored after the end at the instance. */
  private async secondsUntil(job: Estimated, { runMs, endsInMs }: PlannedEnd): Promise<number | null> {
    const wholeMs = findOf(job, await this.runTimes.get())?.medianMs() ?? null;
    return wholeMs === null ? null : toSeconds(endsInMs + Math.max(0, wholeMs - runMs));
  }

  private async readLoads(): Promise<Map<string, ModelLoad>> {
    const loads = await this.progress.readLoad();
    for (const { model, processing, is_saturated } of loads) {
      if (!is_saturated || processing === 0) continue;
      const mean = this.parallel.get(model) ?? new RecentMean();
      mean.add(processing);
      this.parallel.set(model, mean);
    }
    return new Map(loads.map((load) => [load.model, load]));
  }
}

/** Jobs that were handed to backends that report no places: they are no place in the queue, but they take time. */
function notCountedAhead({ handed_over, backend_places }: ModelLoad): number {
  return Math.max(handed_over - backend_places, 0);
}

function findOf(job: Estimated, histograms: Map<string, RunTimeHistogram>): RunTimeHistogram | undefined {
  return namesOf(job)
    .map((name) => histograms.get(name))
    .find((found) => found !== undefined);
}

/** From the most similar jobs to all jobs of the model with this operation. */
function namesOf({ model, kind, provider, ...size }: Estimated): string[] {
  const sizeClass = sizeClassOf(size);
  return [
    ...(provider === undefined ? [] : [nameOf(model, kind, sizeClass, provider)]),
    nameOf(model, kind, sizeClass),
    nameOf(model, kind),
  ];
}

function nameOf(...parts: (string | number)[]): string {
  return JSON.stringify(parts);
}

function toHistograms(counts: RunTimeCount[]): Map<string, RunTimeHistogram> {
  const histograms = new Map<string, RunTimeHistogram>();
  for (const { model, kind, size_class, provider, bucket, jobs } of counts) {
    for (const name of [
      nameOf(model, kind, size_class, provider),
      nameOf(model, kind, size_class),
      nameOf(model, kind),
      nameOf(model),
    ]) {
      const histogram = histograms.get(name) ?? new RunTimeHistogram();
      histogram.add(bucket, jobs);
      histograms.set(name, histogram);
    }
  }
  return histograms;
}

function toSeconds(ms: number): number {
  return Math.max(Math.round(ms / 10) / 100, 0.01);
}
