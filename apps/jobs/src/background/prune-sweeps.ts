import { Injectable } from '@nestjs/common';
import { EventFeedRepository, FEED_PRUNE_PAGE } from '../feed/event-feed.repository';
import { IdempotencyKeyRepository, PURGE_PAGE } from '../idempotency/idempotency-key.repository';
import { TOMBSTONE_PAGE, TombstoneRepository } from '../job/tombstone.repository';
import { JobsConfig } from '../jobs.config';
import { PURGED_REQUESTS_PAGE, UnkeyedRequestRepository } from '../unkeyed-request/unkeyed-request.repository';
import { RUN_TIME_PAGE, RunTimeRepository } from '../progress/run-time.repository';
import type { Sweep } from './sweep';

const MINUTE_MS = 60_000;

/** The sweeps that delete rows which no statement reads any more, a page at a time. */
@Injectable()
export class PruneSweeps {
  constructor(
    private readonly keys: IdempotencyKeyRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly requests: UnkeyedRequestRepository,
    private readonly runTimes: RunTimeRepository,
    private readonly feed: EventFeedRepository,
    private readonly config: JobsConfig,
  ) {}

  list(): Sweep[] {
    return [
      { name: 'old_idempotency_keys', everyMs: 10 * MINUTE_MS, work: () => this.purgeKeys() },
      { name: 'old_unkeyed_requests', everyMs: 10 * MINUTE_MS, work: () => this.purgeRequests() },
      { name: 'old_tombstones', everyMs: 60 * MINUTE_MS, work: () => this.pruneTombstones() },
      { name: 'old_run_times', everyMs: 10 * MINUTE_MS, work: () => this.pruneRunTimes() },
      { name: 'old_events', everyMs: 10 * MINUTE_MS, work: () => this.pruneEvents() },
    ];
  }

  private async purgeKeys(): Promise<{ more: boolean }> {
    return { more: (await this.keys.purge()) === PURGE_PAGE };
  }

  private async purgeRequests(): Promise<{ more: boolean }> {
    return { more: (await this.requests.purge()) === PURGED_REQUESTS_PAGE };
  }

  private async pruneTombstones(): Promise<{ more: boolean }> {
    return { more: (await this.tombstones.prune()) === TOMBSTONE_PAGE };
  }

  private async pruneRunTimes(): Promise<{ more: boolean }> {
    return { more: (await this.runTimes.prune()) === RUN_TIME_PAGE };
  }

  private async pruneEvents(): Promise<{ more: boolean }> {
    return { more: (await this.feed.prune(this.config.eventRetentionDays)) === FEED_PRUNE_PAGE };
  }
}
