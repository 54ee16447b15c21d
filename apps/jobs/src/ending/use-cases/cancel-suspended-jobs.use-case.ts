import { Injectable } from '@nestjs/common';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { Bus } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobRepository } from '../../job/job.repository';
import { CancelJob } from './cancel-job.use-case';

/**
 * Cancels the jobs of a suspended account. The tombstone decides the race with a creation that has its hold already: it is either
 * written first, and no job can be stored, or the job is stored and is canceled here.
 */
@Injectable()
export class CancelSuspendedJobs {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    private readonly cancelJob: CancelJob,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(account_id: string, jobIds: string[]): Promise<{ settled: string[] }> {
    const unknown = new Set(await this.jobs.giveUpUnknown(jobIds));
    const outcomes = await Promise.allSettled(
      jobIds.map((job_id) =>
        unknown.has(job_id)
          ? this.bus.request(billingRpc.refund, { job_id })
          : this.cancelJob.execute({ account_id, job_id }),
      ),
    );
    const settled = jobIds.filter((_, place) => outcomes[place]?.status === 'fulfilled');
    this.logger.warn(
      { account_id, jobs: jobIds.length, settled: settled.length },
      'jobs_of_suspended_account_canceled',
    );
    return { settled };
  }
}
