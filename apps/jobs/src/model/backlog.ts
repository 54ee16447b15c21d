import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { JobRepository } from '../job/job.repository';

const FRESH_MS = 1_000;

/** How many jobs wait for a model, counted once a second: a bound that is a little late is still a bound. */
@Injectable()
export class Backlog {
  private readonly counts = new Map<string, { countedAtMs: number; count: Promise<number> }>();

  constructor(private readonly jobs: JobRepository) {}

  /** @throws ApiError capacity when as many jobs wait for the model as the catalog allows. */
  async assertRoom(model: ResolvedModel): Promise<void> {
    if ((await this.count(model.id)) >= model.max_backlog) {
      throw new ApiError('capacity', 'Too many jobs are waiting for this model. Please retry later.', {
        retry_after_seconds: 5,
      });
    }
  }

  private count(model: string): Promise<number> {
    const known = this.counts.get(model);
    if (known && performance.now() - known.countedAtMs < FRESH_MS) return known.count;
    const count = this.jobs.countBacklog(model);
    this.counts.set(model, { countedAtMs: performance.now(), count });
    count.catch(() => this.counts.delete(model));
    return count;
  }
}
