import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { AbandonedCreation } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobEnding } from './job-ending';
import { Settlement } from './settlement';
import { JobRepository } from '../job/job.repository';
import type { JobRow } from '../job/job.entity';

/** The ids of the jobs whose holds have ended. */
interface Settled {
  settled: string[];
}

/**
 * Cancels jobs that may not be stored yet. The tombstone decides every race with the creation itself: it is either written first,
 * and no job can be stored, or the job is stored and is canceled here.
 */
@Injectable()
export class JobWithdrawal {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly settlement: Settlement,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Takes creations back whose callers were told that they failed. A stored job with a key stays for the repeat. */
  takeBack(creations: AbandonedCreation[]): Promise<Settled> {
    return this.withdraw(creations, async ({ account_id, job_id, has_key }) => {
      if (has_key || (await this.jobs.find(job_id))?.account_id !== account_id) return;
      const job = await this.cancel(job_id);
      if (job?.status === 'succeeded') this.logger.error({ job_id, account_id }, 'abandoned_creation_charged');
    });
  }

  cancelSuspended(account_id: string, jobIds: string[]): Promise<Settled> {
    const requested = jobIds.map((job_id) => ({ job_id }));
    return this.withdraw(requested, async ({ job_id }) => {
      if (!(await this.jobs.findOfAccount(job_id, account_id)))
        throw new Error(`The account ${account_id} has no job ${job_id}.`);
      await this.cancel(job_id);
    });
  }

  private async withdraw<Requested extends { job_id: string }>(
    requested: Requested[],
    cancelStored: (stored: Requested) => Promise<void>,
  ): Promise<Settled> {
    const unknown = new Set(await this.jobs.giveUpUnknown(requested.map(({ job_id }) => job_id)));
    const outcomes = await Promise.allSettled(
      requested.map((one) => (unknown.has(one.job_id) ? this.refund(one.job_id) : cancelStored(one))),
    );
    const settled = requested.filter((_, place) => outcomes[place]?.status === 'fulfilled');
    return { settled: settled.map(({ job_id }) => job_id) };
  }

  /** Also without a hold: billing then refuses a reserve that is still under way. */
  private async refund(job_id: string): Promise<void> {
    await this.bus.request(billingRpc.refund, { job_id });
    this.logger.warn({ job_id }, 'creation_withdrawn');
  }

  private async cancel(job_id: string): Promise<JobRow | null> {
    const ended = await this.ending.endUnsettled(job_id, { status: 'canceled' }, 'canceled');
    const job = ended ?? (await this.jobs.find(job_id));
    if (!job) return null;
    await this.settlement.settle(job);
    this.logger.warn({ job_id, status: job.status }, 'job_withdrawn');
    return job;
  }
}
