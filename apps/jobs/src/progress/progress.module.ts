import { Module } from '@nestjs/common';
import { EtaEstimator } from './eta-estimator';
import { JobProgressRepository } from './job-progress.repository';
import { ScheduleOutlook } from './schedule-outlook';
import { RoutingModule } from '../routing/routing.module';
import { SchedulingModule } from '../scheduling/scheduling.module';
import { RunTimeRecorder, RunTimeRepository } from './run-time.repository';
import { GetProgress } from './use-cases/get-progress.query';

const providers = [
  JobProgressRepository,
  RunTimeRepository,
  RunTimeRecorder,
  ScheduleOutlook,
  EtaEstimator,
  GetProgress,
];

/** How far jobs are, and when they end: by their places in queues, and the run times of earlier jobs. */
@Module({
  imports: [RoutingModule, SchedulingModule],
  providers,
  exports: providers,
})
export class ProgressModule {}
