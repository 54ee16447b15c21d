import { Module } from '@nestjs/common';
import { AttemptModule } from '../attempt/attempt.module';
import { EndingModule } from '../ending/ending.module';
import { JobModule } from '../job/job.module';
import { RoutingModule } from '../routing/routing.module';
import { AttemptInputs } from './attempt-inputs';
import { CallbackAddresses, SubmitAttempt } from './submit-attempt';
import { CreatePriority } from './create-priority';
import { CreatedJobs } from './created-jobs';
import { JobClaimsRepository } from './job-claims.repository';
import { JobInputs } from './job-inputs';
import { LoraSupply } from './loras/lora-supply';
import { ModelQueueDispatch } from './model-queue-dispatch';
import { RecordAnswer } from './record-answer';
import { ScheduledClaimsRepository } from './scheduled-claims.repository';
import { ScheduledDispatch } from './scheduled-dispatch';
import { SchedulingModule } from '../scheduling/scheduling.module';
import { Submissions } from './submissions';
import { DispatchCreated } from './use-cases/dispatch-created.use-case';
import { DispatchJobs } from './use-cases/dispatch-jobs.use-case';

/** The fair queue, and the submission of its jobs to instances. */
@Module({
  imports: [JobModule, AttemptModule, RoutingModule, EndingModule, SchedulingModule],
  providers: [
    CreatePriority,
    CreatedJobs,
    JobClaimsRepository,
    ModelQueueDispatch,
    ScheduledClaimsRepository,
    ScheduledDispatch,
    Submissions,
    SubmitAttempt,
    RecordAnswer,
    AttemptInputs,
    JobInputs,
    LoraSupply,
    CallbackAddresses,
    DispatchJobs,
    DispatchCreated,
  ],
  exports: [CreatePriority, CreatedJobs, Submissions, DispatchJobs, DispatchCreated],
})
export class DispatchModule {}
