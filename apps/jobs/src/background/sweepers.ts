import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { DeleteContent } from '../deletion/use-cases/delete-content.use-case';
import { DeleteOrphans } from '../deletion/use-cases/delete-orphans.use-case';
import { DeleteOutputs } from '../deletion/use-cases/delete-outputs.use-case';
import { Settlement } from '../ending/settlement';
import { EndOverdueJobs } from '../ending/use-cases/end-overdue-jobs.use-case';
import { ReleaseOrphanHolds } from '../ending/use-cases/release-orphan-holds.use-case';
import { IdempotencyKeyRepository, PURGE_PAGE } from '../intake/idempotency-key.repository';
import { PURGED_REQUESTS_PAGE, UnkeyedRequestRepository } from '../intake/unkeyed-request.repository';
import { JobRepository, TOMBSTONE_PAGE } from '../job/job.repository';
import { JobsConfig } from '../jobs.config';
import { INSTANCE_RUN_PAGE, InstanceRunRepository } from '../scheduling/instance-run.repository';
import { RUN_TIME_PAGE, RunTimeRepository } from '../progress/run-time.repository';
import { EventFeedRepository, FEED_PRUNE_PAGE } from '../reading/event-feed.repository';
import { ROLL_UP_PAGE, UsageRepository } from '../usage/usage.repository';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A repeated query for rows, and the work on them. */
interface Sweep {
  name: string;
  everyMs: number;
  /** `more`: the page was full, so the next one follows without a pause. */
  work: () => Promise<{ more: boolean }>;
}

/** The sweeps that delete or sum rows, a page at a time. */
@Injectable()
export class RowSweeps {
  constructor(
    private readonly keys: IdempotencyKeyRepository,
    private readonly jobs: JobRepository,
    private readonly requests: UnkeyedRequestRepository,
    private readonly runTimes: RunTimeRepository,
    private readonly feed: EventFeedRepository,
    private readonly usage: UsageRepository,
    private readonly config: JobsConfig,
  ) {}

  list(): Sweep[] {
    return [
      // Usage reports are computed from these sums.
      inPages('ended_jobs_to_roll_up', SECOND_MS, ROLL_UP_PAGE, () => this.usage.rollUp()),
      // For accounts that do not read their feeds: events are kept, and pruned, by the time of their number.
      { name: 'events_to_number', everyMs: SECOND_MS, work: () => this.feed.numberAll() },
      inPages('old_idempotency_keys', 10 * MINUTE_MS, PURGE_PAGE, () => this.keys.purge()),
      inPages('old_unkeyed_requests', 10 * MINUTE_MS, PURGED_REQUESTS_PAGE, () => this.requests.purge()),
      inPages('old_tombstones', 60 * MINUTE_MS, TOMBSTONE_PAGE, () => this.jobs.pruneTombstones()),
      inPages('old_run_times', 10 * MINUTE_MS, RUN_TIME_PAGE, () => this.runTimes.prune()),
      inPages('old_events', 10 * MINUTE_MS, FEED_PRUNE_PAGE, () => this.feed.prune(this.config.eventRetentionDays)),
    ];
  }
}

/** @param work returns the number of rows that it has processed. */
function inPages(name: string, everyMs: number, pageSize: number, work: () => Promise<number>): Sweep {
  return { name, everyMs, work: async () => ({ more: (await work()) === pageSize }) };
}

/** The sweeps that repair lost messages and dead processes, or that forget old runs: each queries PostgreSQL for work that is overdue. */
@Injectable()
export class JobSweeps {
  constructor(
    private readonly endOverdueJobs: EndOverdueJobs,
    private readonly settlement: Settlement,
    private readonly releaseOrphanHolds: ReleaseOrphanHolds,
    private readonly deleteOutputs: DeleteOutputs,
    private readonly deleteContent: DeleteContent,
    private readonly deleteOrphans: DeleteOrphans,
    private readonly instanceRuns: InstanceRunRepository,
  ) {}

  list(): Sweep[] {
    return [
      { name: 'overdue_jobs', everyMs: SECOND_MS, work: () => this.endOverdueJobs.execute() },
      inPages('old_instance_runs', 10 * MINUTE_MS, INSTANCE_RUN_PAGE, () => this.instanceRuns.prune()),
      { name: 'holds_of_ended_jobs', everyMs: SECOND_MS, work: () => this.settlement.endHolds() },
      { name: 'files_of_ended_jobs', everyMs: SECOND_MS, work: () => this.settlement.clearFiles() },
      { name: 'orphan_holds', everyMs: 15 * SECOND_MS, work: () => this.releaseOrphanHolds.execute() },
      // Often enough to delete outputs within a minute after `expires_at`.
      { name: 'expired_outputs', everyMs: 10 * SECOND_MS, work: () => this.deleteOutputs.deleteExpired() },
      // A client that got a 503 may not repeat its deletion.
      { name: 'content_of_deliveries', everyMs: 10 * SECOND_MS, work: () => this.deleteContent.finishFailed() },
      // Queries the database for a pass that is due, or that a dead process has left.
      { name: 'orphans_in_the_store', everyMs: MINUTE_MS, work: () => this.deleteOrphans.execute() },
    ];
  }
}

/** A loop for each sweep. */
@Injectable()
export class Sweepers {
  constructor(
    private readonly jobSweeps: JobSweeps,
    private readonly rowSweeps: RowSweeps,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  loops(): WorkLoop[] {
    return [...this.jobSweeps.list(), ...this.rowSweeps.list()].map(
      ({ name, everyMs, work }) =>
        new WorkLoop({
          work: async () => ((await work()).more ? 'more' : 'idle'),
          idleMs: everyMs,
          onFailure: (error) => this.logger.warn({ sweeper: name, reason: String(error) }, 'sweep_interrupted'),
        }),
    );
  }
}
