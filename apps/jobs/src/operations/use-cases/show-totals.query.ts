import { Injectable } from '@nestjs/common';
import type { JobTotals, ModelQueueTotals } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { firstIdAt } from '../id-range';
import { JobCountsRepository, type ModelQueueRow } from '../job-counts.repository';
import { CachedRead } from '../../progress/cached-read';

/** The rate is an index range of ten seconds; the rest reads up to 50,000 index entries. */
const RATE_FRESH_MS = 2_000;
const COUNTS_FRESH_MS = 15_000;
const RATE_OVER_SECONDS = 10;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The state of the service in numbers, for operators. One read serves all pages that are open. */
@Injectable()
export class ShowTotals {
  private readonly rate = new CachedRead(RATE_FRESH_MS, () => this.readRate());
  private readonly rest = new CachedRead(COUNTS_FRESH_MS, () => this.readCounts());

  constructor(private readonly counts: JobCountsRepository) {}

  async execute(): Promise<JobTotals> {
    const [created_per_second, rest] = await Promise.all([this.rate.get(), this.rest.get()]);
    return { created_per_second, ...rest };
  }

  private async readRate(): Promise<number> {
    const since = new Date(Date.now() - RATE_OVER_SECONDS * 1_000);
    return (await this.counts.countCreated(firstIdAt(since))) / RATE_OVER_SECONDS;
  }

  private async readCounts(): Promise<Omit<JobTotals, 'created_per_second'>> {
    const now = Date.now();
    const [queues, unsettled, errors] = await Promise.all([
      this.counts.countInFlight(),
      this.counts.countUnsettled(),
      this.counts.countFailures(firstIdAt(new Date(now - DAY_MS)), firstIdAt(new Date(now - HOUR_MS))),
    ]);
    return {
      model_queues: toModelQueues(queues),
      unsettled_jobs: unsettled.jobs,
      oldest_unsettled_seconds: unsettled.oldest_age,
      errors,
    };
  }
}

function toModelQueues(rows: ModelQueueRow[]): ModelQueueTotals[] {
  const models = [...new Set(rows.map(({ model }) => model))].sort();
  return models.map((model) => {
    const of = (status: string) => rows.find((row) => row.model === model && row.status === status);
    return {
      model,
      waiting: of('queued')?.jobs ?? 0,
      processing: of('processing')?.jobs ?? 0,
      oldest_waiting_seconds: of('queued')?.oldest_age ?? null,
    };
  });
}
