import { Module } from '@nestjs/common';
import { DispatchModule } from '../dispatch/dispatch.module';
import { EndingModule } from '../ending/ending.module';
import { JobModule } from '../job/job.module';
import { ModelCache } from '../model/model-cache';
import { VideoScreening } from '../model/video-screening';
import { ProgressModule } from '../progress/progress.module';
import { RoutingModule } from '../routing/routing.module';
import { Backlog, BacklogRepository } from './backlog';
import { FundsCheck } from './funds-check';
import { IdempotencyKeyRepository } from './idempotency-key.repository';
import { IdempotencyKeys } from './idempotency-keys';
import { ModelAdmission } from './model-admission';
import { QuoteTokens } from './quote-tokens';
import { UnkeyedRequestRepository } from './unkeyed-request.repository';
import { CertainInsert } from './use-cases/create-job/certain-insert';
import { CreateJob } from './use-cases/create-job/create-job.use-case';
import { InputScreening } from './use-cases/create-job/input-screening';
import { SyncWait } from './use-cases/create-job/sync-wait';
import { QuoteJob } from './use-cases/quote-job.query';
import { QuotePrice } from './use-cases/quote-price.query';
import { UnkeyedRequests } from './use-cases/unkeyed-requests.use-case';

/** Requests for jobs: their price, their keys, and the creation itself. */
@Module({
  imports: [JobModule, RoutingModule, EndingModule, DispatchModule, ProgressModule],
  providers: [
    Backlog,
    BacklogRepository,
    ModelCache,
    VideoScreening,
    ModelAdmission,
    FundsCheck,
    QuoteTokens,
    IdempotencyKeyRepository,
    IdempotencyKeys,
    UnkeyedRequestRepository,
    CreateJob,
    InputScreening,
    CertainInsert,
    SyncWait,
    QuoteJob,
    QuotePrice,
    UnkeyedRequests,
  ],
  exports: [
    ModelCache,
    VideoScreening,
    IdempotencyKeyRepository,
    UnkeyedRequestRepository,
    CreateJob,
    IdempotencyKeys,
    QuoteJob,
    QuotePrice,
    UnkeyedRequests,
  ],
})
export class IntakeModule {}
