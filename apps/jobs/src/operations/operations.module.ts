import { Module } from '@nestjs/common';
import { AttemptModule } from '../attempt/attempt.module';
import { IntakeModule } from '../intake/intake.module';
import { JobModule } from '../job/job.module';
import { ProgressModule } from '../progress/progress.module';
import { ReceiptRowRepository } from '../receipt/receipt.repository';
import { RoutingModule } from '../routing/routing.module';
import { SchedulingModule } from '../scheduling/scheduling.module';
import { PricedJobRepository } from './hold-audit.repository';
import { AttemptCountsRepository, JobCountsRepository } from './job-counts.repository';
import { JobGauges } from './job-gauges';
import { JobSummaryRepository, QuoteSalesRepository } from './job-summary.repository';
import { ExamineProviders } from './use-cases/examine-providers.query';
import { ListAllJobs } from './use-cases/list-all-jobs.query';
import { ListQuoteSales } from './use-cases/list-quote-sales.query';
import { PlanRetention } from './use-cases/plan-retention.query';
import { ShowCompute } from './use-cases/show-compute.query';
import { ShowJob } from './use-cases/show-job.query';
import { ShowMarks } from './use-cases/show-marks.query';
import { ShowTotals } from './use-cases/show-totals.query';
import { VerifyHolds } from './use-cases/verify-holds.query';

const providers = [
  AttemptCountsRepository,
  JobCountsRepository,
  JobGauges,
  JobSummaryRepository,
  PricedJobRepository,
  QuoteSalesRepository,
  ReceiptRowRepository,
  ExamineProviders,
  ListAllJobs,
  ListQuoteSales,
  PlanRetention,
  ShowCompute,
  ShowJob,
  ShowMarks,
  ShowTotals,
  VerifyHolds,
];

/** What operators see and verify, and the gauges of all jobs. */
@Module({
  imports: [JobModule, AttemptModule, IntakeModule, RoutingModule, SchedulingModule, ProgressModule],
  providers,
  exports: providers,
})
export class OperationsModule {}
