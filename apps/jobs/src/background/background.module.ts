import { Module } from '@nestjs/common';
import { AttemptModule } from '../attempt/attempt.module';
import { DeletionModule } from '../deletion/deletion.module';
import { DispatchModule } from '../dispatch/dispatch.module';
import { EndingModule } from '../ending/ending.module';
import { IntakeModule } from '../intake/intake.module';
import { JobModule } from '../job/job.module';
import { PollingModule } from '../polling/polling.module';
import { ProgressModule } from '../progress/progress.module';
import { ReadingModule } from '../reading/reading.module';
import { RoutingModule } from '../routing/routing.module';
import { SchedulingModule } from '../scheduling/scheduling.module';
import { DispatchLoops, ProviderLoops } from './provider-loops';
import { Runner } from './runner';
import { RunnerController } from './runner.controller';
import { RowSweeps, JobSweeps, Sweepers } from './sweepers';

/** The background work of the role runner: loops that run jobs, and sweeps that repair and prune. */
@Module({
  imports: [
    JobModule,
    AttemptModule,
    RoutingModule,
    EndingModule,
    DeletionModule,
    DispatchModule,
    PollingModule,
    IntakeModule,
    ProgressModule,
    ReadingModule,
    SchedulingModule,
  ],
  controllers: [RunnerController],
  providers: [Runner, DispatchLoops, ProviderLoops, Sweepers, RowSweeps, JobSweeps],
})
export class BackgroundModule {}
