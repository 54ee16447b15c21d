import { Injectable } from '@nestjs/common';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, statement, inOpenMonths } from '@kinora/database';
import { ScheduleOutlook } from '../progress/schedule-outlook';

/** How many jobs wait for a model, at a moment of the database's clock. */
export interface BacklogCount {
  at_ms: number;
  waiting: number;
  /** How many of them were already waiting at the previous count. */
  still_waiting: number;
  /** How many wait for it and for the models that share its instances. */
  sharing: number;
}

const COUNT = statement(
  'backlog_count',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at_ms, count(*) FILTER (WHERE model = $1) AS waiting,
          count(*) FILTER (WHERE model = $1 AND created_at <= to_timestamp($3::double precision / 1000)) AS still_waiting,
          count(*) AS sharing
     FROM (SELECT DISTINCT unnest($2::text[]) AS shared_model) AS shared CROSS JOIN LATERAL (
       SELECT model, created_at FROM job
        WHERE claimable_at IS NOT NULL AND model = shared_model AND ${inOpenMonths('id')} OFFSET 0) AS waiting`,
);

@Injectable()
export class BacklogRepository {
  constructor(private readonly database: Database) {}

  /** `sharing` are the model and those that share its instances, `sinceMs` is the time of the previous count. */
  async count(model: string, sharing: string[], sinceMs: number): Promise<BacklogCount> {
    const count = await this.database.findOne<BacklogCount>(COUNT, [model, sharing, sinceMs]);
    if (!count) throw new Error('The statement that counts waiting jobs returned no row.');
    return count;
  }
}

/** The window of the rate: long enough for slow models, short enough to notice a change. */
const WINDOW_MS = 60_000;
/** `Retry-After` is at least 1 (decisions: Every response). */
const MIN_RETRY_AFTER_SECONDS = 1;
/** The upper bound: a queue that stands still may move again at any time, and some clients ignore a longer time. */
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

  /** Seconds until this many places are free, at the current rate. */
  secondsUntilFree(places: number): number {
    const durationMs = this.intervals.reduce((sum, interval) => sum + interval.durationMs, 0);
    const left = this.intervals.reduce((sum, interval) => sum + interval.left, 0);
    return durationMs === 0 ? FIRST_RETRY_AFTER_SECONDS : (places * durationMs) / left / 1_000;
  }
}

const FRESH_MS = 1_000;

interface ModelQueue {
  drainRate: DrainRate;
  countedAtMs: number;
  count: Promise<BacklogCount>;
}

/** The jobs that are served before a new one of a model, counted once a second: the limit needs no exact count. */
@Injectable()
export class Backlog {
  private readonly modelQueues = new Map<string, ModelQueue>();

  constructor(
    private readonly backlogs: BacklogRepository,
    private readonly outlook: ScheduleOutlook,
  ) {}

  /** Starts a count if the last one is stale, so that a later `assertRoom` does not wait for it. */
  prefetch(model: ResolvedModel): void {
    this.count(model);
  }

  /** @throws ApiError capacity when as many jobs are served before a new one as the catalog allows. */
  async assertRoom(model: ResolvedModel): Promise<void> {
    const { drainRate, count } = this.count(model);
    const { waiting, sharing } = await count;
    const limit = model.max_backlog;
    if (sharing < limit) return;
    const planned = await this.outlook.backlogOf(model.id, waiting, limit);
    const excess = (planned?.before ?? waiting) - limit;
    if (excess < 0) return;
    const seconds = planned ? planned.roomInMs / 1_000 : drainRate.secondsUntilFree(excess + 1);
    throw new ApiError('capacity', 'Too many jobs are waiting for this model. Please retry later.', {
      retry_after_seconds: Math.min(Math.max(Math.ceil(seconds), MIN_RETRY_AFTER_SECONDS), MAX_RETRY_AFTER_SECONDS),
    });
  }

  private count(model: ResolvedModel): ModelQueue {
    const known = this.modelQueues.get(model.id);
    if (known && performance.now() - known.countedAtMs < FRESH_MS) return known;
    const drainRate = known?.drainRate ?? new DrainRate();
    const count = this.read(model, drainRate);
    const modelQueue = { drainRate, countedAtMs: performance.now(), count };
    this.modelQueues.set(model.id, modelQueue);
    // A failed count is not cached, but the drain rate is kept.
    count.catch(() => this.modelQueues.set(model.id, { ...modelQueue, countedAtMs: Number.NEGATIVE_INFINITY }));
    return modelQueue;
  }

  private async read(model: ResolvedModel, drainRate: DrainRate): Promise<BacklogCount> {
    const sharing = await this.outlook.modelsBeside(model);
    const count = await this.backlogs.count(model.id, [model.id, ...sharing], drainRate.countedAtMs);
    drainRate.add(count);
    return count;
  }
}
