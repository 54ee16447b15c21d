import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type ComputeState,
  type JobSummaryPage,
  type JobTotals,
  type ListAllJobsRequest,
  jobsAdminRpc,
} from '@kinora/contracts/jobs/jobs-admin.rpc';
import { ListAllJobs } from './use-cases/list-all-jobs/list-all-jobs.query';
import { ShowCompute } from './use-cases/show-compute/show-compute.query';
import { ShowTotals } from './use-cases/show-totals/show-totals.query';

/** What operators watch: the jobs of all accounts, the totals, and the compute instances. */
@Controller()
export class OperatorController {
  constructor(
    private readonly listAllJobs: ListAllJobs,
    private readonly showTotalsQuery: ShowTotals,
    private readonly showComputeQuery: ShowCompute,
  ) {}

  @Handles(jobsAdminRpc.listAll)
  listAll(request: ListAllJobsRequest): Promise<JobSummaryPage> {
    return this.listAllJobs.execute(request);
  }

  @Handles(jobsAdminRpc.showTotals)
  showTotals(_request: Record<string, never>): Promise<JobTotals> {
    return this.showTotalsQuery.execute();
  }

  @Handles(jobsAdminRpc.showCompute)
  showCompute(_request: Record<string, never>): Promise<ComputeState> {
    return this.showComputeQuery.execute();
  }
}
