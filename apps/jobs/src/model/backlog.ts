import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { BacklogRepository } from './backlog.repository';
import { DrainRate } from './drain-rate';

const FRESH_MS = 1_000;

interface ModelQueue {
  drainRate: DrainRate;
  countedAtMs: number;
  waiting: Promise<number>;
}

/** The number of waiting jobs of a model, counted once a second: the limit needs no exact count. */
@Injectable()
export class Backlog {
  private readonly modelQueues = new Map<string, ModelQueue>();

  constructor(private readonly backlogs: BacklogRepository) {}

  /** Starts a count if the last one is stale, so that a later `assertRoom` does not wait for it. */
  prefetch({ id }: ResolvedModel): void {
    this.count(id);
  }

  /** @throws ApiError capacity when as many jobs wait for the model as the catalog allows. */
  async assertRoom({ id, max_backlog }: ResolvedModel): Promise<void> {
    const { drainRate, waiting } = this.count(id);
    const excess = (await waiting) - max_backlog;
    if (excess < 0) return;
    throw new ApiError('capacity', 'Too many jobs are waiting for this model. Please retry later.', {
      retry_after_seconds: drainRate.secondsUntilFree(excess + 1),
    });
  }

  private count(model: string): ModelQueue {
    const known = this.modelQueues.get(model);
    if (known && performance.now() - known.countedAtMs < FRESH_MS) return known;
    const drainRate = known?.drainRate ?? new DrainRate();
    const waiting = this.backlogs.count(model, drainRate.countedAtMs).then((count) => {
      drainRate.add(count);
      return count.waiting;
    });
    const modelQueue = { drainRate, countedAtMs: performance.now(), waiting };
    this.modelQueues.set(model, modelQueue);
    // A failed count is not cached, but the drain rate is kept.
    waiting.catch(() => this.modelQueues.set(model, { ...modelQueue, countedAtMs: Number.NEGATIVE_INFINITY }));
    return modelQueue;
  }
}
