import { Injectable } from '@nestjs/common';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, statement } from '@kinora/database';

/** How many jobs wait for a model, at a moment of the database's clock. */
export interface BacklogCount {
  at_ms: number;
  waiting: number;
  /** How many of them were already waiting at the previous count. */
  still_waiting: number;
}

const COUNT = statement(
  'backlog_count',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at_ms, count(*) AS waiting,
          count(*) FILTER (WHERE created_at <= to_timestamp($2::double precision / 1000)) AS still_waiting
     FROM job WHERE claimable_at IS NOT NULL AND model = $1`,
);

@Injectable()
export class BacklogRepository {
  constructor(private readonly database: Database) {}

  /** `sinceMs` is the time of the previous count. */
  async count(model: string, sinceMs: number): Promise<BacklogCount> {
    const count = await this.database.findOne<BacklogCount>(COUNT, [model, sinceMs]);
    if (!count) throw new Error('The statement that counts waiting jobs returned no row.');
    return count;
  }
}

/** The window of the rate: long enough for slow models, short enough to notice a change. */
const WINDOW_MS = 60_000;
/** `Retry-After` is at least 1 (decisions: Every response). */
const MIN_RETRY_AFTER_SECONDS = 1;
/** The upper bound: a queue that stands still may move again at any time. */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Before the first interval is known. */
const FIRST_RETRY_AFTER_SECONDS = 5;

interface Interval {
  endedAtMs: number;
  durationMs: number;
  left: number;
}

/** The rate at which jobs leave a queue, from successive counts. */
export class DrainRate {
  private intervals: Interval[] = [];
  private last: BacklogCount | null = null;

  get countedAtMs(): number {
    return this.last?.at_ms ?? 0;
  }

  add(count: BacklogCount): void {
    if (this.last) {
      const interval = { endedAtMs: count.at_ms, durationMs: count.at_ms - this.last.at_ms };
      this.intervals.push({ ...interval, left: Math.max(0, this.last.waiting - count.still_waiting) });
    }
    this.intervals = this.intervals.filter(({ endedAtMs }) => count.at_ms - endedAtMs < WINDOW_MS);
    this.last = count;
  }

  /** Whole seconds until this many places are free, at the current rate. */
  secondsUntilFree(places: number): number {
    const durationMs = this.intervals.reduce((sum, interval) => sum + interval.durationMs, 0);
    const left = this.intervals.reduce((sum, interval) => sum + interval.left, 0);
    if (durationMs === 0) return FIRST_RETRY_AFTER_SECONDS;
    if (left === 0) return MAX_RETRY_AFTER_SECONDS;
    const seconds = Math.ceil((places * durationMs) / left / 1_000);
    return Math.min(Math.max(seconds, MIN_RETRY_AFTER_SECONDS), MAX_RETRY_AFTER_SECONDS);
  }
}

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
