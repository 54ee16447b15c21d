import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type OpenHold, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { JobRepository } from '../../job/job.repository';

/** Longer than any create can take; together with the interval of the sweep well below two minutes. */
const ORPHAN_AFTER_SECONDS = 60;
const PAGE = 500;

/**
 * Gives back what was reserved for jobs that never came to be. A job's id is made impossible before its hold is
 * refunded, so that a create which was only slow can no longer store a job without a hold.
 */
@Injectable()
export class ReleaseOrphanHolds {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<void> {
    let holds: OpenHold[] = [];
    do {
      holds = await this.nextPage(holds.at(-1)?.job_id ?? null);
      for (const job_id of await this.jobs.giveUpUnknown(holds.map((hold) => hold.job_id))) {
        await this.bus.request(billingRpc.refund, { job_id });
        this.logger.warn({ job_id }, 'orphan_hold_refunded');
      }
    } while (holds.length === PAGE);
  }

  private async nextPage(after_job_id: string | null): Promise<OpenHold[]> {
    const page = { older_than_seconds: ORPHAN_AFTER_SECONDS, after_job_id, limit: PAGE };
    return (await this.bus.request(billingRpc.listOpenHolds, page)).holds;
  }
}
