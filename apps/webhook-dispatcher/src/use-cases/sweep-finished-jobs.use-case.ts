import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type FinishedCursor, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { DeliveryRepository } from '../delivery/delivery.repository';
import { SweepRepository } from '../delivery/sweep.repository';
import { WebhookDispatcherConfig } from '../webhook-dispatcher.config';

const EVERY_MS = 10_000;
/** Jobs may become visible in a different order than they end in. No transaction lasts nearly this long. */
const OVERLAP_MS = 60_000;
/** The upper bound: jobs returns as many as one message carries. */
const PAGE_JOBS = 16;
/** Sorts before every job id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Recovers lost events: requests the jobs that have ended, and writes the deliveries that are missing. */
@Injectable()
export class SweepFinishedJobs {
  constructor(
    private readonly bus: Bus,
    private readonly sweep: SweepRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly config: WebhookDispatcherConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<void> {
    const lease = await this.sweep.acquireLease({ everyMs: EVERY_MS, overlapMs: OVERLAP_MS });
    if (!lease) return;
    let after = lease.beginAt && { completed_at: lease.beginAt.toISOString(), job_id: FIRST_ID };
    do after = await this.sweepPage(after);
    while (after);
  }

  /** @returns where the next page begins; null after the last. */
  private async sweepPage(reached: FinishedCursor | null): Promise<FinishedCursor | null> {
    const after = await this.withoutForgotten(reached);
    const page = await this.bus.request(jobsRpc.listFinished, { after, limit: PAGE_JOBS });
    const { finished, next, has_more, read_at } = page;
    const recovered = await this.deliveries.insertFor(finished);
    if (recovered > 0) this.logger.warn({ deliveries: recovered }, 'lost_events_recovered');
    // A pass that finds no job also moves the position; otherwise the next pass would begin where the last job ended,
    // which may be long ago.
    const reachedAt = has_more ? next?.completed_at : read_at;
    if (reachedAt !== undefined) await this.sweep.reach(reachedAt);
    return has_more ? next : null;
  }

  /** Read before each page, because pruning continues during the sweep. */
  private async withoutForgotten(after: FinishedCursor | null): Promise<FinishedCursor> {
    const horizon = (await this.sweep.raiseHorizon(this.config.forgetBefore)).toISOString();
    return after && after.completed_at > horizon ? after : { completed_at: horizon, job_id: FIRST_ID };
  }
}
