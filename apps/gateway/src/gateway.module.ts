import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Egress, EgressAllowList } from '@kinora/egress';
import { ObjectStoreModule } from '@kinora/object-store';
import {
  AccountController,
  StatementController,
  UsageController,
  WebhookSecretController,
} from './account/account.controller';
import { KeysController } from './account/keys.controller';
import { LorasController, ModelsController } from './catalog/catalog.controller';
import { OfferedModels } from './catalog/offered-models';
import { CallbackAddresses } from './http/callback-addresses';
import { CallbacksController, ForwardCallback } from './callbacks/callbacks.controller';
import { AccountWatch, FeedReads, FeedStreams } from './event-feed/feed-streams';
import { EventsController } from './event-feed/events.controller';
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
import { JobWatch, SharedReads } from './job-watch/job-watch';
import { JobWatchController, LeasesController } from './signals.controller';
import { CreateImageEdit } from './jobs/create-image-edit.use-case';
import { CreateImageGeneration } from './jobs/create-image-generation.use-case';
import { CreateVideoGeneration } from './jobs/create-video-generation.use-case';
import {
  ImageEditsController,
  ImageGenerationsController,
  VideoGenerationsController,
} from './jobs/creations.controller';
import { JobDeletionsController, JobsController } from './jobs/jobs.controller';
import { JobCreations } from './jobs/job-creations';
import { JobsWithImages } from './jobs/jobs-with-images';
import { AdmissionLeases } from './leases/admission-leases';
import { KeyWatch } from './leases/key-watch';
import { CreateOpenAiImages } from './openai/create-openai-images.use-case';
import { OpenAiNames } from './openai/openai-models';
import { OpenAiErrorForm } from './openai/openai-error';
import { OpenAiImagesController } from './openai/openai-images.controller';
import { OpenAiModelsController } from './openai/openai-models.controller';
import { UnkeyedRequests } from './openai/unkeyed-requests';
import { CreateOpenAiVideo, OpenAiVideos } from './openai/videos/openai-videos';
import { OpenAiVideosController } from './openai/videos/openai-videos.controller';
import { DeliveriesController, WebhookTestController } from './webhooks/webhooks.controller';
import { PingController } from './ping/ping.controller';
import { CreateQuote } from './quotes/create-quote.use-case';
import { QuotesController } from './quotes/quotes.controller';
import { JwksController, PublishedKeys, ReceiptsController } from './receipts/receipts.controller';
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
