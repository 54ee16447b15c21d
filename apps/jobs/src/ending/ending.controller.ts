import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { suspendedAccountsRpc } from '@kinora/contracts/jobs/suspended-accounts.rpc';
import { type AbandonedCreation, abandonedCreationsRpc } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { JobWithdrawal } from './job-withdrawal';
import { CancelJob } from './use-cases/cancel-job.use-case';

/** Cancels of clients, creations that gateways take back, and jobs of suspended accounts. */
@Controller()
export class EndingController {
  constructor(
    private readonly cancelJob: CancelJob,
    private readonly withdrawal: JobWithdrawal,
  ) {}

  @Handles(jobsRpc.cancel)
  cancel(ref: JobRef): Promise<Job> {
    return this.cancelJob.execute(ref);
  }

  @Handles(abandonedCreationsRpc.abandon)
  abandon({ creations }: { creations: AbandonedCreation[] }): Promise<{ settled: string[] }> {
    return this.withdrawal.takeBack(creations);
  }

  @Handles(suspendedAccountsRpc.cancelJobs)
  cancelJobs({ account_id, job_ids }: { account_id: string; job_ids: string[] }): Promise<{ settled: string[] }> {
    return this.withdrawal.cancelSuspended(account_id, job_ids);
  }
}
