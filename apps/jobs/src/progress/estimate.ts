import type { JobInput } from '@kinora/contracts/jobs/job';

/** Neighbouring buckets differ by a tenth, so a quantile is wrong by five percent at most. */
const GROWTH = 1.1;

export function bucketOf(runMs: number): number {
  return Math.round(Math.log(Math.max(runMs, 1)) / Math.log(GROWTH));
}

function middleMsOf(bucket: number): number {
  return GROWTH ** bucket;
}

/** The run times of many jobs, in buckets of equal relative width. */
export class RunTimeHistogram {
  private readonly jobsByBucket = new Map<number, number>();

  add(bucket: number, jobs: number): void {
    this.jobsByBucket.set(bucket, (this.jobsByBucket.get(bucket) ?? 0) + jobs);
  }

  get meanMs(): number {
    const buckets = [...this.jobsByBucket];
    const jobs = buckets.reduce((sum, [, count]) => sum + count, 0);
    return buckets.reduce((sum, [bucket, count]) => sum + count * middleMsOf(bucket), 0) / jobs;
  }

  /** The median of the run times above a lower bound; null where there are none. */
  medianMs(aboveMs = 0): number | null {
    return this.quantileMs(0.5, aboveMs);
  }

  /** The run time that this share of the run times above a lower bound does not exceed; null where there are none. */
  quantileMs(share: number, aboveMs = 0): number | null {
    const buckets = [...this.jobsByBucket].filter(([bucket]) => middleMsOf(bucket) > aboveMs).sort(([a], [b]) => a - b);
    const wanted = buckets.reduce((sum, [, count]) => sum + count, 0) * share;
    let seen = 0;
    for (const [bucket, count] of buckets) {
      seen += count;
      if (seen >= wanted) return middleMsOf(bucket);
    }
    return null;
  }
}

export interface EstimateFacts {
  /** The run times of jobs like this one. */
  runTimes: RunTimeHistogram;
  /** The mean run time of all jobs of the model. */
  modelMeanMs: number;
  /** How many jobs of the model are processing now. */
  processing: number;
  /** How many are processing at once while others wait, as a mean over the last minutes. */
  parallel: number;
  /** How many jobs are served before this one; null where it is not queued. */
  ahead: number | null;
  /** How long it has been processing. */
  elapsedMs: number;
}

/** The remaining part of a job that already runs longer than every measured one. */
const OVERTIME_PART = 0.25;

/**
 * The time until the end of a job: its own median run time, or what is left of it, and before it the time in the queue. By
 * Little's law the queue moves one place in the mean run time divided by the number of jobs that are processing; the head of
 * the queue waits half of that on average.
 */
export function estimateMs({ runTimes, modelMeanMs, processing, parallel, ahead, elapsedMs }: EstimateFacts): number {
  if (ahead === null) return (runTimes.medianMs(elapsedMs) ?? elapsedMs * (1 + OVERTIME_PART)) - elapsedMs;
  const runMs = runTimes.medianMs() ?? 0;
  if (ahead === 0 && processing === 0) return runMs;
  return ((ahead + 0.5) * modelMeanMs) / Math.max(parallel, 1) + runMs;
}

const WINDOW_MS = 300_000;

/** The mean of the readings of the last five minutes. */
export class RecentMean {
  private readings: { atMs: number; value: number }[] = [];

  add(value: number): void {
    const now = performance.now();
    this.readings = this.readings.filter(({ atMs }) => now - atMs < WINDOW_MS);
    this.readings.push({ atMs: now, value });
  }

  /** 0 without readings. */
  get value(): number {
    const sum = this.readings.reduce((total, { value }) => total + value, 0);
    return sum / Math.max(this.readings.length, 1);
  }
}

/** What determines how long a job runs, besides its model and instance. */
export interface JobSize {
  /** Width, the letter x, height. */
  size: string;
  /** The number of images, or the seconds of the video. */
  count: number;
}

/** Jobs of one class have about the same number of pixels: the power of two nearest to it. */
export function sizeClassOf({ size, count }: JobSize): number {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return Math.round(Math.log2(Math.max(width * height * count, 1)));
}

/** What an input asks for, as far as it determines how long a job runs. */
export function jobSizeOf(input: JobInput): JobSize {
  return { size: input.size, count: 'duration' in input ? input.duration : 'n' in input ? input.n : 1 };
}
