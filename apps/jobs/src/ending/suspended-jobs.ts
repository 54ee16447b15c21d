import { Injectable } from '@nestjs/common';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { Bus } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobRepository } from '../job/job.repository';
import { JobEnding } from './job-ending';
import { Settlement } from './settlement';

/**
 * Cancels the jobs of a suspended account. The tombstone decides the race with a creation that has its hold already: it is either
 * written first, and no job can be stored, or the job is stored and is canceled here.
 */
@Injectable()
export class SuspendedJobs {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly settlement: Settlement,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @returns the jobs that are settled. */
  async cancel(account_id: string, jobIds: string[]): Promise<{ settled: string[] }> {
    const unknown = new Set(await this.jobs.giveUpUnknown(jobIds));
    const outcomes = await Promise.allSettled(
      jobIds.map((job_id) =>
        unknown.has(job_id) ? this.bus.request(billingRpc.refund, { job_id }) : this.cancelOne(account_id, job_id),
      ),
    );
    const settled = jobIds.filter((_, place) => outcomes[place]?.status === 'fulfilled');
    this.logger.warn(
      { account_id, jobs: jobIds.length, settled: settled.length },
      'jobs_of_suspended_account_canceled',
    );
    return { settled };
  }

  private async cancelOne(accountId: string, jobId: string): Promise<void> {
    const job = await this.jobs.findOfAccount(jobId, accountId);
    if (!job) throw new Error(`The account ${accountId} has no job ${jobId}.`);
    const ended = await this.ending.endUnsettled(jobId, { status: 'canceled' }, 'canceled');
    const settled = ended ?? (await this.jobs.find(jobId));
    if (settled) await this.settlement.settle(settled);
  }
}
