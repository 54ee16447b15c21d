import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { JobRepository } from './job.repository';
import type { JobRow } from './job.row';

/** Finishes what an ended job leaves behind: its hold, by a capture if and only if it succeeded, and its input images. */
@Injectable()
export class Settlement {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    private readonly objects: ObjectStore,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Safe to repeat: billing knows a job's hold by the job's id and ends it once. The job counts as settled only when
   * its inputs are gone too, so that a sweeper comes back for them.
   * @throws ApiError capacity when billing could not be asked.
   */
  async settle(job: JobRow): Promise<void> {
    if (job.settled_at) return;
    await this.endHold(job);
    crashPoint('jobs.end.hold_ended');
    try {
      await Promise.all(job.images.map(({ object_key }) => this.objects.delete(object_key)));
      await this.jobs.markSettled(job.id);
      crashPoint('jobs.end.settled');
    } catch (error) {
      this.logger.warn({ job_id: job.id, reason: String(error) }, 'job_settlement_unfinished');
    }
  }

  private async endHold(job: JobRow): Promise<void> {
    const [contract, expected] =
      job.status === 'succeeded' ? [billingRpc.capture, 'captured'] : [billingRpc.refund, 'refunded'];
    const { state } = await this.bus.request(contract, { job_id: job.id });
    // Cannot be, by the rules of both contexts; if it is, a person must know.
    if (state !== expected) this.logger.error({ job_id: job.id, status: job.status, state }, 'job_and_hold_disagree');
  }
}
