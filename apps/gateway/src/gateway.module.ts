import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Egress, EgressAllowList } from '@kinora/egress';
import { ObjectStoreModule } from '@kinora/object-store';
import { AccountController } from './account/account.controller';
import { KeysController } from './account/keys.controller';
import { StatementController } from './account/statement.controller';
import { UsageController } from './account/usage.controller';
import { WebhookSecretController } from './account/webhook-secret.controller';
import { LorasController } from './catalog/loras.controller';
import { ModelsController } from './catalog/models.controller';
import { OfferedModels } from './catalog/offered-models';
import { CallbackAddresses } from './http/callback-addresses';
import { CallbacksController } from './callbacks/callbacks.controller';
import { ForwardCallback } from './callbacks/forward-callback.use-case';
import { AccountWatch } from './event-feed/account-watch';
import { EventsController } from './event-feed/events.controller';
import { FeedReads } from './event-feed/feed-reads';
import { FeedStreams } from './event-feed/feed-streams';
import { EventStreams } from './event-stream/event-streams';
import { FilesController } from './files/files.controller';
import { GatewayConfig } from './gateway.config';
import { AddressBuckets } from './http/address-buckets';
import { AdmissionHook } from './http/admission.hook';
import { ApiErrorFilter } from './http/api-error.filter';
import { OtherErrorForm } from './http/error-answer';
import { ApiKeys } from './http/api-keys';
import { BodyBudget } from './http/body-budget';
import { ImageInput } from './image-input/image-input.service';
import { OwnFiles } from './image-input/own-files';
import { FollowJob } from './job-watch/follow-job.use-case';
import { JobProgressController } from './job-watch/job-progress.controller';
import { JobWaits } from './job-watch/job-waits';
import { JobWatch } from './job-watch/job-watch';
import { JobWatchController } from './job-watch/job-watch.controller';
import { SharedReads } from './job-watch/shared-reads';
import { CreateImageEdit } from './jobs/create-image-edit.use-case';
import { CreateImageGeneration } from './jobs/create-image-generation.use-case';
import { CreateVideoGeneration } from './jobs/create-video-generation.use-case';
import { ImageEditsController } from './jobs/image-edits.controller';
import { ImageGenerationsController } from './jobs/image-generations.controller';
import { JobDeletionsController } from './jobs/job-deletions.controller';
import { JobsController } from './jobs/jobs.controller';
import { JobCreations } from './jobs/job-creations';
import { JobsWithImages } from './jobs/jobs-with-images';
import { VideoGenerationsController } from './jobs/video-generations.controller';
import { AdmissionLeases } from './leases/admission-leases';
import { KeyWatch } from './leases/key-watch';
import { LeasesController } from './leases/leases.controller';
import { CreateOpenAiImages } from './openai/create-openai-images.use-case';
import { OpenAiNames } from './openai/offered-names';
import { OpenAiErrorForm } from './openai/openai-error-form';
import { OpenAiImagesController } from './openai/openai-images.controller';
import { OpenAiModelsController } from './openai/openai-models.controller';
import { UnkeyedRequests } from './openai/unkeyed-requests';
import { CreateOpenAiVideo } from './openai/videos/create-openai-video.use-case';
import { OpenAiVideos } from './openai/videos/openai-videos';
import { OpenAiVideosController } from './openai/videos/openai-videos.controller';
import { DeliveriesController } from './webhooks/deliveries.controller';
import { WebhookTestController } from './webhooks/webhook-test.controller';
import { PingController } from './ping/ping.controller';
import { CreateQuote } from './quotes/create-quote.use-case';
import { QuotesController } from './quotes/quotes.controller';
import { JwksController } from './receipts/jwks.controller';
import { PublishedKeys } from './receipts/published-keys';
import { ReceiptsController } from './receipts/receipts.controller';
import { RequestLog } from './request-log/request-log';
import { ReferenceController } from './reference/reference.controller';

const objectStore = ObjectStoreModule.forConfig(GatewayConfig, {
  store: ({ objectStore }) => objectStore,
  signing: ({ publicUrl, urlSigningKey, urlSigningKeyAccepted }) => ({
    publicUrl,
    signingKey: urlSigningKey,
    acceptedKey: urlSigningKeyAccepted,
  }),
});

const egress = {
  provide: Egress,
  useFactory: (allow: EgressAllowList) => new Egress({ allow }),
  inject: [EgressAllowList],
};

const egressAllow = {
  provide: EgressAllowList,
  useFactory: (config: GatewayConfig) => EgressAllowList.parse(config.egressAllow),
  inject: [GatewayConfig],
};

const http = [
  AdmissionHook,
  AddressBuckets,
  ApiKeys,
  AdmissionLeases,
  KeyWatch,
  BodyBudget,
  CallbackAddresses,
  EventStreams,
  AccountWatch,
  FeedReads,
  FeedStreams,
  { provide: OtherErrorForm, useClass: OpenAiErrorForm },
  { provide: APP_FILTER, useClass: ApiErrorFilter },
];
const jobs = [
  CreateImageGeneration,
  CreateImageEdit,
  CreateVideoGeneration,
  JobCreations,
  JobsWithImages,
  JobWatch,
  JobWaits,
  FollowJob,
  SharedReads,
  ImageInput,
  OwnFiles,
  egress,
  egressAllow,
];

const openai = [OpenAiNames, UnkeyedRequests, CreateOpenAiImages, CreateOpenAiVideo, OpenAiVideos];

@Module({
  imports: [objectStore],
  controllers: [
    ImageGenerationsController,
    ImageEditsController,
    VideoGenerationsController,
    JobsController,
    JobDeletionsController,
    EventsController,
    QuotesController,
    ReceiptsController,
    JwksController,
    ModelsController,
    LorasController,
    AccountController,
    KeysController,
    StatementController,
    WebhookSecretController,
    DeliveriesController,
    WebhookTestController,
    UsageController,
    PingController,
    FilesController,
    CallbacksController,
    ReferenceController,
    LeasesController,
    JobWatchController,
    OpenAiImagesController,
    OpenAiVideosController,
    OpenAiModelsController,
    JobProgressController,
  ],
  providers: [...http, ...jobs, ...openai, OfferedModels, CreateQuote, PublishedKeys, ForwardCallback, RequestLog],
})
export class GatewayModule {}
