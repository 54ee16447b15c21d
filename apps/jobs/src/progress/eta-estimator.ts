import { Injectable } from '@nestjs/common';
import type { EtaRequest } from '@kinora/contracts/jobs/job-progress';
import { estimateMs } from './estimate-ms';
import { JobProgressRepository, type ModelLoad, type ProgressRow } from './job-progress.repository';
import { RunTimeHistogram } from './run-time-histogram';
import { type RunTimeCount, RunTimeRepository } from './run-time.repository';
import { sizeClassOf } from './size-class';

/** Run times change slowly, and the queue fast. */
const RUN_TIMES_FRESH_MS = 2_000;
const LOAD_FRESH_MS = 500;

/** What determines the run time of a job. */
type Estimated = Pick<ProgressRow, 'model' | 'kind' | 'size' | 'count'> & { provider?: string };

/** Estimates when jobs end: from the measured run times of the last hour, and what is served before them. */
@Injectable()
export class EtaEstimator {
  private readonly runTimes = new CachedRead(RUN_TIMES_FRESH_MS, async () =>
    toHistograms(await this.runTimeRows.listRecent()),
  );
  private readonly loads = new CachedRead(
    LOAD_FRESH_MS,
    async () => new Map((await this.progress.readLoad()).map((load) => [load.model, load])),
  );

  constructor(
    private readonly runTimeRows: RunTimeRepository,
    private readonly progress: JobProgressRepository,
  ) {}

  /** The load of a model, at most half a second old. */
  async loadOf(model: string): Promise<ModelLoad> {
    return (await this.loads.get()).get(model) ?? { model, processing: 0, backend_places: 0 };
  }

  /** Seconds until a job in flight ends; `ahead` is its place while it is queued. Null where no run time is known. */
  async secondsLeft(job: ProgressRow, ahead: number | null): Promise<number | null> {
    return await this.estimate(job, ahead, job.elapsed_ms ?? 0);
  }

  /** Seconds until a job would end that the account creates now. Null where no run time is known. */
  async secondsForNewJob({ account_id, ...job }: EtaRequest): Promise<number | null> {
    const { backend_places } = await this.loadOf(job.model);
    return await this.estimate(job, backend_places + (await this.progress.countAhead(job.model, account_id)), 0);
  }

  private async estimate(job: Estimated, ahead: number | null, elapsedMs: number): Promise<number | null> {
    const [histograms, { processing }] = await Promise.all([this.runTimes.get(), this.loadOf(job.model)]);
    const runTimes = namesOf(job)
      .map((name) => histograms.get(name))
      .find((found) => found !== undefined);
    const modelMeanMs = histograms.get(nameOf(job.model))?.meanMs;
    if (!runTimes || modelMeanMs === undefined) return null;
    return toSeconds(estimateMs({ runTimes, modelMeanMs, processing, ahead, elapsedMs }));
  }
}

/** One read at a time, for all that ask while its result is fresh. A failed read is repeated by the next that asks. */
class CachedRead<Value> {
  private value: Promise<Value> | null = null;
  private readAtMs = 0;

  constructor(
    private readonly freshMs: number,
    private readonly read: () => Promise<Value>,
  ) {}

  get(): Promise<Value> {
    if (this.value && performance.now() - this.readAtMs < this.freshMs) return this.value;
    const value = this.read();
    this.readAtMs = performance.now();
    this.value = value;
    value.catch(() => {
      if (this.value === value) this.value = null;
    });
    return value;
  }
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
