import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { IdempotencyKeyRepository, PURGE_PAGE } from '../idempotency/idempotency-key.repository';
import { DeleteExpiredOutputs } from '../use-cases/delete-expired-outputs/delete-expired-outputs.use-case';
import { EndOverdueJobs } from '../use-cases/end-overdue-jobs/end-overdue-jobs.use-case';
import { ReleaseOrphanHolds } from '../use-cases/release-orphan-holds/release-orphan-holds.use-case';
import { RollUpUsage } from '../use-cases/roll-up-usage/roll-up-usage.use-case';
import { SettleJobs } from '../use-cases/settle-jobs/settle-jobs.use-case';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** What makes lost messages and dead processes harmless: each looks in PostgreSQL for what should have happened by now. */
@Injectable()
export class Sweepers {
  constructor(
    private readonly endOverdueJobs: EndOverdueJobs,
    private readonly settleJobs: SettleJobs,
    private readonly releaseOrphanHolds: ReleaseOrphanHolds,
    private readonly deleteExpiredOutputs: DeleteExpiredOutputs,
    private readonly rollUpUsage: RollUpUsage,
    private readonly keys: IdempotencyKeyRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  loops(): WorkLoop[] {
    return [
      this.sweep('overdue_jobs', SECOND_MS, () => this.endOverdueJobs.execute()),
      this.sweep('unsettled_jobs', SECOND_MS, () => this.settleJobs.execute()),
      this.sweep('orphan_holds', 15 * SECOND_MS, () => this.releaseOrphanHolds.execute()),
      this.sweep('expired_outputs', 10 * SECOND_MS, () => this.deleteExpiredOutputs.execute()),
      this.sweep('ended_jobs_to_roll_up', SECOND_MS, () => this.rollUpUsage.execute()),
      this.sweep('old_idempotency_keys', 10 * MINUTE_MS, () => this.purgeKeys()),
    ];
  }

  private async purgeKeys(): Promise<{ more: boolean }> {
    return { more: (await this.keys.purge()) === PURGE_PAGE };
  }

  private sweep(name: string, everyMs: number, work: () => Promise<{ more: boolean }>): WorkLoop {
    return new WorkLoop({
      work: async () => ((await work()).more ? 'more' : 'idle'),
      idleMs: everyMs,
      onFailure: (error) => this.logger.warn({ sweeper: name, reason: String(error) }, 'sweep_interrupted'),
    });
  }
}
