import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type OpenHold, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { JobRepository } from '../../job/job.repository';
import { sweepRows } from '../../job/sweep';

/** Longer than any create takes. With the interval of the sweep it stays well below two minutes. */
const ORPHAN_AFTER_SECONDS = 60;
const HOLDS_A_PAGE = 500;

/**
 * Refunds holds whose job was never stored. A tombstone for the job's id is written first, so that a slow create can no longer
 * store the job without its hold.
 */
@Injectable()
export class ReleaseOrphanHolds {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<{ more: boolean }> {
    let holds: OpenHold[] = [];
    do {
      holds = await this.nextPage(holds.at(-1)?.job_id ?? null);
      const orphans = await this.jobs.giveUpUnknown(holds.map(({ job_id }) => job_id));
      await sweepRows(
        orphans.map((id) => ({ id })),
        this.logger,
        (orphan) => this.refund(orphan.id),
      );
    } while (holds.length === HOLDS_A_PAGE);
    return { more: false };
  }

  private async refund(job_id: string): Promise<void> {
    await this.bus.request(billingRpc.refund, { job_id });
    this.logger.warn({ job_id }, 'orphan_hold_refunded');
  }

  private async nextPage(after_job_id: string | null): Promise<OpenHold[]> {
    const page = { older_than_seconds: ORPHAN_AFTER_SECONDS, after_job_id, limit: HOLDS_A_PAGE };
    return (await this.bus.request(billingRpc.listOpenHolds, page)).holds;
  }
}
