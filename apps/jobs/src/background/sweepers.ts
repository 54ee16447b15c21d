import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { FinishContentDeletions } from '../deletion/use-cases/delete-content.use-case';
import { DeleteOrphans } from '../deletion/use-cases/delete-orphans.use-case';
import { DeleteExpiredOutputs } from '../deletion/use-cases/delete-outputs.use-case';
import { EndOverdueJobs } from '../ending/use-cases/end-overdue-jobs.use-case';
import { ReleaseOrphanHolds } from '../ending/use-cases/release-orphan-holds.use-case';
import { ClearFiles, EndHolds } from '../ending/use-cases/settle-ended-jobs.use-case';
import { IdempotencyKeyRepository, PURGE_PAGE } from '../intake/idempotency-key.repository';
import { PURGED_REQUESTS_PAGE, UnkeyedRequestRepository } from '../intake/unkeyed-request.repository';
import { TOMBSTONE_PAGE, TombstoneRepository } from '../job/job.repository';
import type { Sweep } from '../job/sweep';
import { JobsConfig } from '../jobs.config';
import { RUN_TIME_PAGE, RunTimeRepository } from '../progress/run-time.repository';
import { EventFeedRepository, FEED_PRUNE_PAGE } from '../reading/event-feed.repository';
import { NumberEvents } from '../reading/use-cases/list-events.query';
import { RollUpUsage } from '../usage/use-cases/roll-up-usage.use-case';

const COUNT_EVERY_MS = 1_000;

/** The sweeps that follow ended jobs: their usage is summed, and their events are numbered. */
@Injectable()
export class CountSweeps {
  constructor(
    private readonly rollUpUsage: RollUpUsage,
    private readonly numberEvents: NumberEvents,
  ) {}

  list(): Sweep[] {
    return [
      { name: 'ended_jobs_to_roll_up', everyMs: COUNT_EVERY_MS, work: () => this.rollUpUsage.execute() },
      { name: 'events_to_number', everyMs: COUNT_EVERY_MS, work: () => this.numberEvents.execute() },
    ];
  }
}

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

const CLEAR_EVERY_MS = 1_000;
/** A client that got a 503 may not repeat its deletion. */
const CONTENT_EVERY_MS = 10_000;
/** Often enough to delete outputs within a minute after `expires_at`. */
const EXPIRED_EVERY_MS = 10_000;
/** How often the sweep queries the database for a pass that is due, or that a dead process has left. */
const ORPHANS_EVERY_MS = 60_000;

/** The sweeps that delete what no job may keep: files from the object store, and deleted content from deliveries. */
@Injectable()
export class StoreSweeps {
  constructor(
    private readonly clearFiles: ClearFiles,
    private readonly deleteExpiredOutputs: DeleteExpiredOutputs,
    private readonly deleteOrphans: DeleteOrphans,
    private readonly finishContentDeletions: FinishContentDeletions,
  ) {}

  list(): Sweep[] {
    return [
      { name: 'files_of_ended_jobs', everyMs: CLEAR_EVERY_MS, work: () => this.clearFiles.execute() },
      { name: 'expired_outputs', everyMs: EXPIRED_EVERY_MS, work: () => this.deleteExpiredOutputs.execute() },
      { name: 'content_of_deliveries', everyMs: CONTENT_EVERY_MS, work: () => this.finishContentDeletions.execute() },
      { name: 'orphans_in_the_store', everyMs: ORPHANS_EVERY_MS, work: () => this.deleteOrphans.execute() },
    ];
  }
}

const SECOND_MS = 1_000;

/** The sweeps that repair lost messages and dead processes: each queries PostgreSQL for work that is overdue. */
@Injectable()
export class Sweepers {
  constructor(
    private readonly endOverdueJobs: EndOverdueJobs,
    private readonly endHolds: EndHolds,
    private readonly releaseOrphanHolds: ReleaseOrphanHolds,
    private readonly storeSweeps: StoreSweeps,
    private readonly countSweeps: CountSweeps,
    private readonly pruneSweeps: PruneSweeps,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  loops(): WorkLoop[] {
    const sweeps: Sweep[] = [
      { name: 'overdue_jobs', everyMs: SECOND_MS, work: () => this.endOverdueJobs.execute() },
      { name: 'holds_of_ended_jobs', everyMs: SECOND_MS, work: () => this.endHolds.execute() },
      { name: 'orphan_holds', everyMs: 15 * SECOND_MS, work: () => this.releaseOrphanHolds.execute() },
    ];
    const others = [this.countSweeps, this.pruneSweeps, this.storeSweeps].flatMap((group) => group.list());
    return [...sweeps, ...others].map((sweep) => this.loop(sweep));
  }

  private loop({ name, everyMs, work }: Sweep): WorkLoop {
    return new WorkLoop({
      work: async () => ((await work()).more ? 'more' : 'idle'),
      idleMs: everyMs,
      onFailure: (error) => this.logger.warn({ sweeper: name, reason: String(error) }, 'sweep_interrupted'),
    });
  }
}
