import { Module } from '@nestjs/common';
import { OutboxModule } from '@kinora/database';
import { AttemptModule } from '../attempt/attempt.module';
import { JobModule } from '../job/job.module';
import { ProgressModule } from '../progress/progress.module';
import { RoutingModule } from '../routing/routing.module';
import { EndedJobRepository } from './ended-job.repository';
import { FailurePolicy } from './failure-policy';
import { EndReport, JobEnding } from './job-ending';
import { JobWithdrawal } from './job-withdrawal';
import { Settlement } from './settlement';
import { CancelAttempts } from './use-cases/cancel-attempts.use-case';
import { CancelJob } from './use-cases/cancel-job.use-case';
import { EndOverdueJobs } from './use-cases/end-overdue-jobs.use-case';
import { ReleaseOrphanHolds } from './use-cases/release-orphan-holds.use-case';

const providers = [
  EndedJobRepository,
  Settlement,
  EndReport,
  JobEnding,
  FailurePolicy,
  JobWithdrawal,
  CancelJob,
  CancelAttempts,
  EndOverdueJobs,
  ReleaseOrphanHolds,
];

/** The ends of jobs: success, failure, deadline and cancel, and the settlement that follows. */
@Module({
  imports: [JobModule, AttemptModule, RoutingModule, ProgressModule, OutboxModule],
  providers,
  exports: providers,
})
export class EndingModule {}
