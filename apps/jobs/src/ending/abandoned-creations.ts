import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { AbandonedCreation } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobEnding } from './job-ending';
import { Settlement } from './settlement';
import { JobRepository } from '../job/job.repository';

/**
 * Takes creations back whose callers were told that they failed. The tombstone decides every race with the creation itself: it is
 * either written first, and no job can be stored, or the job is stored and is canceled here.
 */
@Injectable()
export class AbandonedCreations {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly settlement: Settlement,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async takeBack(creations: AbandonedCreation[]): Promise<{ settled: string[] }> {
    const unknown = new Set(await this.jobs.giveUpUnknown(creations.map(({ job_id }) => job_id)));
    const outcomes = await Promise.allSettled(
      creations.map((creation) => (unknown.has(creation.job_id) ? this.refund(creation) : this.cancel(creation))),
    );
    const settled = creations.filter((_, place) => outcomes[place]?.status === 'fulfilled');
    return { settled: settled.map(({ job_id }) => job_id) };
  }

  /** Also without a hold: billing then refuses a reserve that is still under way. */
  private async refund({ job_id }: AbandonedCreation): Promise<void> {
    await this.bus.request(billingRpc.refund, { job_id });
    this.logger.warn({ job_id }, 'creation_abandoned');
  }

  private async cancel({ account_id, job_id, has_key }: AbandonedCreation): Promise<void> {
    if (has_key || (await this.jobs.find(job_id))?.account_id !== account_id) return;
    const ended = await this.ending.endUnsettled(job_id, { status: 'canceled' }, 'canceled');
    const job = ended ?? (await this.jobs.find(job_id));
    if (!job) return;
    await this.settlement.settle(job);
    if (job.status === 'succeeded') this.logger.error({ job_id, account_id }, 'abandoned_creation_charged');
    else this.logger.warn({ job_id, status: job.status }, 'abandoned_job_canceled');
  }
}
