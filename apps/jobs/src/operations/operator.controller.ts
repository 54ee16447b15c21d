import { Controller } from '@nestjs/common';
import {
  type ComputeState,
  jobsAdminRpc,
  type JobSummaryPage,
  type JobTotals,
  type ListAllJobsRequest,
} from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsHealthRpc } from '@kinora/contracts/jobs/jobs-health.rpc';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { Handles } from '@kinora/bus';
import { Readiness } from '@kinora/service-kit';
import { ListAllJobs } from './use-cases/list-all-jobs.query';
import { ShowCompute } from './use-cases/show-compute.query';
import { ShowTotals } from './use-cases/show-totals.query';

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

/** For operators who reach the broker but not the health port. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Handles(jobsHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
