import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import {
  type ComputeExamination,
  type ComputeState,
  jobsAdminRpc,
  jobsHealthRpc,
  type JobSummaryPage,
  type JobTotals,
  type ListAllJobsRequest,
  type QuoteSales,
} from '@kinora/contracts/jobs/jobs-admin.rpc';
import type { JobHistory } from '@kinora/contracts/jobs/job-history';
import { type HoldsReport, type VerifyHoldsRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { ComplianceLine } from '@kinora/contracts/moderation/compliance.rpc';
import type { UsageViolation } from '@kinora/contracts/jobs/usage';
import type { HealthReport } from '@kinora/contracts/shared/health';
import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import { Readiness } from '@kinora/service-kit';
import { VideoScreening } from '../model/video-screening';
import { VerifyUsage } from '../usage/use-cases/get-usage.query';
import { ExamineProviders } from './use-cases/examine-providers.query';
import { ListAllJobs } from './use-cases/list-all-jobs.query';
import { ListQuoteSales } from './use-cases/list-quote-sales.query';
import { PlanRetention } from './use-cases/plan-retention.query';
import { ShowCompute } from './use-cases/show-compute.query';
import { ShowJob } from './use-cases/show-job.query';
import { ShowMarks } from './use-cases/show-marks.query';
import { ShowTotals } from './use-cases/show-totals.query';
import { VerifyHolds } from './use-cases/verify-holds.query';

/** What operators watch: the jobs of all accounts, the totals, and the compute instances. */
@Controller()
export class OperatorController {
  constructor(
    private readonly listAllJobs: ListAllJobs,
    private readonly showJob: ShowJob,
    private readonly showTotalsQuery: ShowTotals,
    private readonly showComputeQuery: ShowCompute,
    private readonly showMarksQuery: ShowMarks,
    private readonly listQuoteSales: ListQuoteSales,
    private readonly planRetentionQuery: PlanRetention,
  ) {}

  @Handles(jobsAdminRpc.listAll)
  listAll(request: ListAllJobsRequest): Promise<JobSummaryPage> {
    return this.listAllJobs.execute(request);
  }

  @Handles(jobsRpc.show)
  show(request: { job_id: string }): Promise<JobHistory> {
    return this.showJob.execute(request);
  }

  @Handles(jobsAdminRpc.showTotals)
  showTotals(_request: Record<string, never>): Promise<JobTotals> {
    return this.showTotalsQuery.execute();
  }

  @Handles(jobsAdminRpc.showMarks)
  showMarks(_request: Record<string, never>): Promise<{ lines: ComplianceLine[] }> {
    return this.showMarksQuery.execute();
  }

  @Handles(jobsAdminRpc.showCompute)
  showCompute(_request: Record<string, never>): Promise<ComputeState> {
    return this.showComputeQuery.execute();
  }

  @Handles(jobsAdminRpc.planRetention)
  planRetention(_request: Record<string, never>): Promise<{ data: RetentionPlan[] }> {
    return this.planRetentionQuery.execute();
  }

  @Handles(jobsAdminRpc.listQuoteSales)
  listSales(request: { since?: string; account_id?: string }): Promise<{ data: QuoteSales[] }> {
    return this.listQuoteSales.execute(request);
  }
}

/** What the examination of an installation asks, also where the health port is out of reach. */
@Controller()
export class ExaminationController {
  constructor(
    private readonly examineProviders: ExamineProviders,
    private readonly verifyHolds: VerifyHolds,
    private readonly verifyUsage: VerifyUsage,
    private readonly videos: VideoScreening,
    private readonly readiness: Readiness,
  ) {}

  @Handles(jobsRpc.examineProviders)
  examine(_request: Record<string, never>): Promise<ComputeExamination> {
    return this.examineProviders.execute();
  }

  @Handles(jobsRpc.verifyHolds)
  compareHolds(request: VerifyHoldsRequest): Promise<HoldsReport> {
    return this.verifyHolds.execute(request);
  }

  @Handles(jobsRpc.verifyUsage)
  verify(_request: Record<string, never>): Promise<{ violations: UsageViolation[] }> {
    return this.verifyUsage.execute();
  }

  @Handles(jobsRpc.listUnoffered)
  listUnoffered(_request: Record<string, never>): Promise<{ operations: Operation[] }> {
    return Promise.resolve({ operations: this.videos.listUnoffered() });
  }

  @Handles(jobsHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
