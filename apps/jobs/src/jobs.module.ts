import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ProviderCapacities, ProviderRegistry } from '@kinora/compute';
import { DatabaseModule, OutboxModule } from '@kinora/database';
import { Egress, EgressAllowList } from '@kinora/egress';
import { LOGGER, type Logger } from '@kinora/service-kit';
import { ObjectStoreModule } from '@kinora/object-store';
import { WakeUp } from '@kinora/service-kit';
import { AnswersController } from './answers.controller';
import { AttemptCancelRepository } from './attempt/attempt-cancel.repository';
import { CreatedJobs } from './queue/created-jobs';
import { FailurePolicy } from './ending/failure-policy';
import { AttemptPoller } from './polling/attempt-poller';
import { AttemptLeases } from './attempt/attempt-leases';
import { AttemptPollRepository } from './attempt/attempt-poll.repository';
import { AttemptRepository } from './attempt/attempt.repository';
import { InlinePoll } from './polling/inline-poll';
import { JobClaimsRepository } from './queue/job-claims.repository';
import { OutputSpool } from './output/output-spool';
import { ProgressRecorder } from './attempt/progress-recorder';
import { CreatePriority } from './queue/create-priority';
import { PricedJobRepository } from './audit/priced-job.repository';
import { CallbackAddresses } from './callbacks/callback-addresses';
import { IdempotencyKeyRepository } from './idempotency/idempotency-key.repository';
import { IdempotencyKeys } from './idempotency/idempotency-keys';
import { JobChanges } from './job/job-changes';
import { EndReport } from './ending/end-report';
import { EtaEstimator } from './progress/eta-estimator';
import { JobProgressRepository } from './progress/job-progress.repository';
import { RunTimeRecorder } from './progress/run-time-recorder';
import { RunTimeRepository } from './progress/run-time.repository';
import { JobEnding } from './ending/job-ending';
import { JobGauges } from './job/job-gauges';
import { JobPresenter } from './job/job.view';
import { JobInsertRepository } from './job/job-insert.repository';
import { DeletionRepository } from './ending/deletion.repository';
import { DeliveryContent } from './ending/delivery-content';
import { JobDeletion } from './ending/job-deletion';
import { EndedJobRepository } from './ending/ended-job.repository';
import { JobRepository } from './job/job.repository';
import { JobSummaryRepository } from './job/job-summary.repository';
import { Settlement } from './ending/settlement';
import { QuoteTokens } from './creation/quote-tokens';
import { QuotesController } from './quotes.controller';
import { QuoteSalesRepository } from './job/quote-sales.repository';
import { ReceiptKeyRepository } from './receipt/receipt-key.repository';
import { ReceiptRowRepository } from './receipt/receipt-row.repository';
import { ReceiptSigner } from './receipt/receipt-signer';
import { ReceiptsController } from './receipts.controller';
import { HealthController } from './health.controller';
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
import { LoraSupply } from './loras/lora-supply';
import { migrations } from './migrations/migrations';
import { Backlog } from './model/backlog';
import { BacklogRepository } from './model/backlog.repository';
import { FundsCheck } from './model/funds-check';
import { TombstoneRepository } from './job/tombstone.repository';
import { ModelCache } from './model/model-cache';
import { VideoScreening } from './model/video-screening';
import { OrphanSweepRepository } from './output/orphan-sweep.repository';
import { StoredFiles } from './output/stored-files';
import { StoredObjectRepository } from './output/stored-object.repository';
import { ProviderLoad } from './routing/provider-load';
import { Router } from './routing/router';
import { JobRoutes } from './routing/job-routes';
import { UnkeyedRequestRepository } from './unkeyed-request/unkeyed-request.repository';
import { VideoListRepository } from './job/video-list.repository';
import { UsageRepository } from './usage/usage.repository';
import { AbandonedCreations } from './ending/abandoned-creations';
import { CancelJob } from './use-cases/cancel-job/cancel-job.use-case';
import { CertainInsert } from './use-cases/create-job/certain-insert';
import { CreateJob } from './use-cases/create-job/create-job.use-case';
import { InputScreening } from './use-cases/create-job/input-screening';
import { ModelAdmission } from './creation/model-admission';
import { SyncWait } from './use-cases/create-job/sync-wait';
import { DeleteContent } from './use-cases/delete-content/delete-content.use-case';
import { DeleteOutputs } from './use-cases/delete-outputs/delete-outputs.use-case';
import { ListEvents } from './use-cases/list-events/list-events.query';
import { EventFeedRepository } from './feed/event-feed.repository';
import { ExamineProviders } from './use-cases/examine-providers/examine-providers.query';
import { FindReplay } from './use-cases/find-replay/find-replay.query';
import { GetJob } from './use-cases/get-job/get-job.query';
import { GetProgress } from './use-cases/get-progress/get-progress.query';
import { GetReceipt } from './use-cases/get-receipt/get-receipt.query';
import { GetUsage } from './use-cases/get-usage/get-usage.query';
import { ListEndedJobs } from './use-cases/list-ended-jobs/list-ended-jobs.query';
import { ListFinishedJobs } from './use-cases/list-finished-jobs/list-finished-jobs.query';
import { OperatorController } from './operator.controller';
import { ShowCompute } from './use-cases/show-compute/show-compute.query';
import { ShowTotals } from './use-cases/show-totals/show-totals.query';
import { JobCountsRepository } from './job/job-counts.repository';
import { AttemptCountsRepository } from './attempt/attempt-counts.repository';
import { ListAllJobs } from './use-cases/list-all-jobs/list-all-jobs.query';
import { ListReceiptKeys } from './use-cases/list-receipt-keys/list-receipt-keys.query';
import { ListOutputFiles } from './use-cases/list-output-files/list-output-files.query';
import { UnkeyedRequests } from './use-cases/unkeyed-requests/unkeyed-requests.use-case';
import { ListJobs } from './use-cases/list-jobs/list-jobs.query';
import { ListVideos } from './use-cases/list-videos/list-videos.query';
import { ListQuoteSales } from './use-cases/list-quote-sales/list-quote-sales.query';
import { QuotePrice } from './use-cases/quote-price/quote-price.query';
import { QuoteJob } from './use-cases/quote-job/quote-job.query';
import { ReceiveCallback } from './use-cases/receive-callback/receive-callback.use-case';
import { ShowJob } from './use-cases/show-job/show-job.query';
import { WithdrawReceiptKey } from './use-cases/withdraw-receipt-key/withdraw-receipt-key.use-case';
import { VerifyHolds } from './use-cases/verify-holds/verify-holds.query';
import { VerifyUsage } from './use-cases/verify-usage/verify-usage.query';

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
