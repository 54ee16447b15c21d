import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ObjectStoreModule } from '@kinora/object-store';
import {
  AccountController,
  StatementController,
  UsageController,
  WebhookSecretController,
} from './account/account.controller';
import { KeysController } from './account/keys.controller';
import { CatalogController } from './catalog/catalog.controller';
import { CallbacksController } from './callbacks/callbacks.controller';
import { StripeEventsController } from './callbacks/stripe-events.controller';
import { EventsController } from './event-feed/events.controller';
import { FilesController } from './files/files.controller';
import { GatewayConfig } from './gateway.config';
import { ApiErrorFilter } from './http/api-error.filter';
import { OtherErrorForm } from './http/error-answer';
import { JobProgressController } from './job-watch/job-progress.controller';
import { CreationsController } from './jobs/creations.controller';
import { JobsController } from './jobs/jobs.controller';
import { OpenAiErrorForm } from './openai/openai-error';
import { OpenAiImagesController } from './openai/openai-images.controller';
import { OpenAiModelsController } from './openai/openai-models.controller';
import { OpenAiVideosController } from './openai/videos/openai-videos.controller';
import { WebhooksController } from './webhooks/webhooks.controller';
import { ProvenanceController } from './provenance/provenance.controller';
import { PingController } from './ping/ping.controller';
import { CreateQuote } from './quotes/create-quote.use-case';
import { QuotesController } from './quotes/quotes.controller';
import { JwksController, PublishedKeys, ReceiptsController } from './receipts/receipts.controller';
import { RequestLog } from './request-log/request-log';
import { ReferenceController } from './reference/reference.controller';
import { AdmissionModule } from './http/admission.module';
import { HeldRequestsModule } from './held-requests.module';
import { CreationsModule } from './jobs/creations.module';
import { OpenAiModule } from './openai/openai.module';
import { SignalsController } from './signals.controller';

const objectStore = ObjectStoreModule.forConfig(GatewayConfig, {
  store: ({ objectStore }) => objectStore,
  signing: ({ publicUrl, urlSigningKey, urlSigningKeyAccepted }) => ({
    publicUrl,
    signingKey: urlSigningKey,
    acceptedKey: urlSigningKeyAccepted,
  }),
});

/** Controllers are listed here, in the order of the API reference, and not in the modules of their features. */
@Module({
  imports: [objectStore, AdmissionModule, HeldRequestsModule, CreationsModule, OpenAiModule],
  controllers: [
    CreationsController,
    JobsController,
    EventsController,
    QuotesController,
    ReceiptsController,
    JwksController,
    CatalogController,
    AccountController,
    KeysController,
    StatementController,
    WebhookSecretController,
    WebhooksController,
    UsageController,
    PingController,
    ProvenanceController,
    FilesController,
    CallbacksController,
    StripeEventsController,
    ReferenceController,
    SignalsController,
    OpenAiImagesController,
    OpenAiVideosController,
    OpenAiModelsController,
    JobProgressController,
  ],
  providers: [
    CreateQuote,
    PublishedKeys,
    RequestLog,
    { provide: OtherErrorForm, useClass: OpenAiErrorForm },
    { provide: APP_FILTER, useClass: ApiErrorFilter },
  ],
})
export class GatewayModule {}
