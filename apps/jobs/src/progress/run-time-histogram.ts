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
