import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ProviderCapacities, ProviderRegistry } from '@kinora/compute';
import { DatabaseModule, OutboxModule } from '@kinora/database';
import { Egress, EgressAllowList } from '@kinora/egress';
import { LOGGER, type Logger, WakeUp } from '@kinora/service-kit';
import { ObjectStoreModule } from '@kinora/object-store';
import { AnswersController } from './reading/answers.controller';
import { AttemptCancelRepository } from './attempt/attempt-cancel.repository';
import { CreatedJobs } from './dispatch/created-jobs';
import { FailurePolicy } from './ending/failure-policy';
import { AttemptPoller } from './polling/attempt-poller';
import { AttemptLeases } from './attempt/attempt-leases';
import { AttemptPollRepository } from './attempt/attempt-poll.repository';
import { AttemptRepository } from './attempt/attempt.repository';
import { InlinePoll } from './polling/inline-poll';
import { JobClaimsRepository } from './dispatch/job-claims.repository';
import { OutputSpool, StoredFiles } from './attempt/stored-files';
import { ProgressRecorder } from './attempt/progress-recorder';
import { CreatePriority } from './dispatch/create-priority';
import { PricedJobRepository } from './operations/hold-audit.repository';
import { CallbackAddresses } from './dispatch/callback-addresses';
import { IdempotencyKeyRepository } from './intake/idempotency-key.repository';
import { IdempotencyKeys } from './intake/idempotency-keys';
import { JobChanges } from './job/job-changes';
import { EndReport, JobEnding } from './ending/job-ending';
import { EtaEstimator } from './progress/eta-estimator';
import { JobProgressRepository } from './progress/job-progress.repository';
import { RunTimeRecorder } from './progress/run-time-recorder';
import { RunTimeRepository } from './progress/run-time.repository';
import { JobGauges } from './operations/job-gauges';
import { JobPresenter } from './job/job.view';
import { JobInsertRepository } from './job/job-insert.repository';
import { DeletionRepository, EndedJobRepository } from './ending/ended-job.repository';
import { DeliveryContent, JobDeletion } from './deletion/job-deletion';
import { JobRepository, TombstoneRepository } from './job/job.repository';
import { JobSummaryRepository } from './operations/job-summary.repository';
import { Settlement } from './ending/settlement';
import { QuoteTokens } from './intake/quote-tokens';
import { QuotesController } from './intake/quotes.controller';
import { QuoteSalesRepository } from './operations/quote-sales.repository';
import { ReceiptKeyRepository, ReceiptRowRepository } from './receipt/receipt.repository';
import { ReceiptSigner } from './receipt/receipt-signer';
import { ReceiptsController } from './receipt/receipts.controller';
import { HealthController, OperatorController } from './operations/operator.controller';
import { running, sweeping } from './background/background-providers';
import { JobsConfig } from './jobs.config';
import { providerConcurrency } from './jobs.metrics';
import {
  AbandonedCreationsController,
  CallbacksController,
  DeletionController,
  EventsController,
  JobsController,
  JobsOperationsController,
  ProgressController,
  RunnerController,
} from './jobs.controller';
import { LoraSupply } from './dispatch/loras/lora-supply';
import { migrations } from './migrations/migrations';
import { Backlog, BacklogRepository } from './model/backlog';
import { FundsCheck } from './intake/funds-check';
import { ModelCache } from './model/model-cache';
import { VideoScreening } from './model/video-screening';
import { OrphanSweepRepository, StoredObjectRepository } from './deletion/orphan-sweep.repository';
import { ProviderLoad } from './routing/provider-load';
import { Router } from './routing/router';
import { JobRoutes } from './routing/job-routes';
import { UnkeyedRequestRepository } from './intake/unkeyed-request.repository';
import { VideoListRepository } from './reading/video-list.repository';
import { UsageRepository } from './usage/usage.repository';
import { AbandonedCreations } from './ending/abandoned-creations';
import { CancelJob } from './ending/use-cases/cancel-job.use-case';
import { CertainInsert } from './intake/use-cases/create-job/certain-insert';
import { CreateJob } from './intake/use-cases/create-job/create-job.use-case';
import { InputScreening } from './intake/use-cases/create-job/input-screening';
import { ModelAdmission } from './intake/model-admission';
import { SyncWait } from './intake/use-cases/create-job/sync-wait';
import { DeleteContent } from './deletion/use-cases/delete-content.use-case';
import { DeleteOutputs } from './deletion/use-cases/delete-outputs.use-case';
import { ListEvents } from './reading/use-cases/list-events.query';
import { EventFeedRepository } from './reading/event-feed.repository';
import { ExamineProviders } from './operations/use-cases/examine-providers.query';
import { FindReplay } from './intake/use-cases/find-replay.query';
import { GetJob, ListOutputFiles } from './reading/use-cases/get-job.query';
import { GetProgress } from './progress/use-cases/get-progress.query';
import { GetReceipt, ListReceiptKeys } from './receipt/use-cases/get-receipt.query';
import { GetUsage, VerifyUsage } from './usage/use-cases/get-usage.query';
import { ListEndedJobs, ListFinishedJobs } from './reading/use-cases/list-finished-jobs.query';
import { ShowCompute } from './operations/use-cases/show-compute.query';
import { ShowTotals } from './operations/use-cases/show-totals.query';
import { AttemptCountsRepository, JobCountsRepository } from './operations/job-counts.repository';
import { ListAllJobs } from './operations/use-cases/list-all-jobs.query';
import { UnkeyedRequests } from './intake/use-cases/unkeyed-requests.use-case';
import { ListJobs, ListVideos } from './reading/use-cases/list-jobs.query';
import { ListQuoteSales } from './operations/use-cases/list-quote-sales.query';
import { QuotePrice } from './intake/use-cases/quote-price.query';
import { QuoteJob } from './intake/use-cases/quote-job.query';
import { ReceiveCallback } from './polling/use-cases/receive-callback.use-case';
import { ShowJob } from './operations/use-cases/show-job.query';
import { WithdrawReceiptKey } from './receipt/use-cases/withdraw-receipt-key.use-case';
import { VerifyHolds } from './operations/use-cases/verify-holds.query';

const nouns = [
  JobRepository,
  VideoListRepository,
  EndedJobRepository,
  DeletionRepository,
  EventFeedRepository,
  JobDeletion,
  DeliveryContent,
  JobSummaryRepository,
  JobInsertRepository,
  JobPresenter,
  JobChanges,
  JobProgressRepository,
  RunTimeRepository,
  RunTimeRecorder,
  EtaEstimator,
  EndReport,
  JobCountsRepository,
  JobGauges,
  JobEnding,
  Settlement,
  StoredFiles,
  OrphanSweepRepository,
  StoredObjectRepository,
  AttemptRepository,
  AttemptCancelRepository,
  AttemptCountsRepository,
  AttemptPollRepository,
  JobClaimsRepository,
  FailurePolicy,
  InlinePoll,
  WakeUp,
  CreatedJobs,
  CreatePriority,
  JobRoutes,
  AttemptLeases,
  OutputSpool,
  AttemptPoller,
  ProgressRecorder,
  IdempotencyKeyRepository,
  TombstoneRepository,
  IdempotencyKeys,
  UnkeyedRequestRepository,
  ModelCache,
  VideoScreening,
  LoraSupply,
  Backlog,
  BacklogRepository,
  ProviderCapacities,
  ProviderLoad,
  CallbackAddresses,
  Router,
  UsageRepository,
];

const egress: Provider = {
  provide: Egress,
  useFactory: ({ egressAllow }: JobsConfig) => new Egress({ allow: EgressAllowList.parse(egressAllow) }),
  inject: [JobsConfig],
};

const providers: Provider = {
  provide: ProviderRegistry,
  useFactory: (config: JobsConfig, ...services: [Egress, Logger]) => {
    const registry = new ProviderRegistry(config, ...services);
    for (const provider of registry.list())
      providerConcurrency.readBy({ provider: provider.id }, () => provider.concurrency);
    return registry;
  },
  inject: [JobsConfig, Egress, LOGGER],
};

const answering = [
  CreateJob,
  CertainInsert,
  AbandonedCreations,
  ModelAdmission,
  InputScreening,
  SyncWait,
  FindReplay,
  QuoteJob,
  QuotePrice,
  QuoteTokens,
  QuoteSalesRepository,
  ListQuoteSales,
  FundsCheck,
  GetJob,
  GetProgress,
  ListJobs,
  ListVideos,
  ListEvents,
  ListOutputFiles,
  UnkeyedRequests,
  ListAllJobs,
  ShowTotals,
  ShowCompute,
  CancelJob,
  DeleteOutputs,
  DeleteContent,
  ReceiveCallback,
  GetUsage,
  ListEndedJobs,
  ListFinishedJobs,
  ShowJob,
  VerifyUsage,
  VerifyHolds,
  ExamineProviders,
  PricedJobRepository,
];

/** Only the role api has the keys that these need. */
const receipts = [
  ReceiptKeyRepository,
  ReceiptRowRepository,
  ReceiptSigner,
  GetReceipt,
  ListReceiptKeys,
  WithdrawReceiptKey,
];

const API_CONTROLLERS = [
  JobsController,
  AbandonedCreationsController,
  AnswersController,
  ProgressController,
  DeletionController,
  EventsController,
  ReceiptsController,
  QuotesController,
  CallbacksController,
  JobsOperationsController,
  OperatorController,
  HealthController,
];

@Module({
  imports: [
    DatabaseModule.forContext('jobs', migrations),
    OutboxModule,
    ObjectStoreModule.forConfig(JobsConfig, {
      store: (config) => config.objectStore,
      signing: (config) => ({ publicUrl: config.publicUrl, signingKey: config.urlSigningKey }),
    }),
  ],
  providers: [egress, providers, ...nouns, ...answering, ...running, ...sweeping],
})
export class JobsModule {
  /** A process has the role api, runner, or both. */
  static forConfig(config: JobsConfig): DynamicModule {
    return {
      module: JobsModule,
      controllers: [...(config.has('api') ? API_CONTROLLERS : []), ...(config.has('runner') ? [RunnerController] : [])],
      providers: config.has('api') ? receipts : [],
    };
  }
}
