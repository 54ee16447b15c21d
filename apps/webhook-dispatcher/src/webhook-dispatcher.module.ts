import { Module } from '@nestjs/common';
import { DatabaseModule } from '@kinora/database';
import { Egress, EgressAllowList } from '@kinora/egress';
import { WakeUp } from '@kinora/service-kit';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountDeliveriesController } from './account-deliveries.controller';
import { Attempts } from './attempts/attempts.service';
import { BackgroundWork } from './background/background-work';
import { DeliveryAdminController } from './delivery-admin.controller';
import { AttemptEntity } from './delivery/attempt.entity';
import { DeliveryContentRepository } from './delivery/delivery-content.repository';
import { DeliveryGauges } from './delivery/delivery-gauges';
import { DeliveryLogRepository } from './delivery/delivery-log.repository';
import { DeliveryEntity } from './delivery/delivery.entity';
import { DeliveryRepository } from './delivery/delivery.repository';
import { DueDeliveryRepository } from './delivery/due-delivery.repository';
import { OldDeliveryRepository } from './delivery/old-delivery.repository';
import { RequestedDeliveryRepository } from './delivery/requested-delivery.repository';
import { WebhookSender } from './delivery/webhook-sender';
import { HealthController } from './health.controller';
import { migrations } from './migrations/migrations';
import { SweepRepository } from './sweep/sweep.repository';
import { AttemptDeliveries } from './use-cases/attempt-deliveries/attempt-deliveries.use-case';
import { DeleteContent } from './use-cases/delete-content/delete-content.use-case';
import { PruneDeliveries } from './use-cases/prune-deliveries/prune-deliveries.use-case';
import { GetAccountDelivery } from './use-cases/get-account-delivery/get-account-delivery.query';
import { GetDelivery } from './use-cases/get-delivery/get-delivery.query';
import { ListAccountDeliveries } from './use-cases/list-account-deliveries/list-account-deliveries.query';
import { ListDeliveries } from './use-cases/list-deliveries/list-deliveries.query';
import { ListFailingEndpoints } from './use-cases/list-failing-endpoints/list-failing-endpoints.query';
import { RecoverDeliveries } from './use-cases/recover-deliveries/recover-deliveries.use-case';
import { RedeliverForAccount } from './use-cases/redeliver-for-account/redeliver-for-account.use-case';
import { RedeliverEvent } from './use-cases/redeliver-event/redeliver-event.use-case';
import { ScheduleDelivery } from './use-cases/schedule-delivery/schedule-delivery.use-case';
import { SendTestEvent } from './use-cases/send-test-event/send-test-event.use-case';
import { SweepFinishedJobs } from './use-cases/sweep-finished-jobs/sweep-finished-jobs.use-case';
import { TestAccountWebhook } from './use-cases/test-account-webhook/test-account-webhook.use-case';
import { WebhookDispatcherConfig } from './webhook-dispatcher.config';
import { WebhookDispatcherController } from './webhook-dispatcher.controller';

const STORAGE = [
  DeliveryRepository,
  DeliveryContentRepository,
  DueDeliveryRepository,
  OldDeliveryRepository,
  DeliveryLogRepository,
  RequestedDeliveryRepository,
  SweepRepository,
];
const DELIVERING = [ScheduleDelivery, AttemptDeliveries, SweepFinishedJobs, PruneDeliveries, DeleteContent];
const FOR_OPERATORS = [
  ListDeliveries,
  GetDelivery,
  ListFailingEndpoints,
  RedeliverEvent,
  RecoverDeliveries,
  SendTestEvent,
];
const FOR_ACCOUNTS = [ListAccountDeliveries, GetAccountDelivery, RedeliverForAccount, TestAccountWebhook];
const TRANSPORT = [
  {
    provide: EgressAllowList,
    useFactory: ({ egressAllow }: WebhookDispatcherConfig) => EgressAllowList.parse(egressAllow),
    inject: [WebhookDispatcherConfig],
  },
  { provide: Egress, useFactory: (allow: EgressAllowList) => new Egress({ allow }), inject: [EgressAllowList] },
];

/** All providers except the transport, which specs replace. */
export const PARTS = {
  imports: [
    DatabaseModule.forContext('webhook-dispatcher', migrations),
    TypeOrmModule.forFeature([DeliveryEntity, AttemptEntity]),
  ],
  controllers: [WebhookDispatcherController, DeliveryAdminController, AccountDeliveriesController, HealthController],
  providers: [
    ...STORAGE,
    DeliveryGauges,
    ...DELIVERING,
    ...FOR_OPERATORS,
    ...FOR_ACCOUNTS,
    WebhookSender,
    Attempts,
    WakeUp,
    BackgroundWork,
  ],
};

@Module({ ...PARTS, providers: [...PARTS.providers, ...TRANSPORT] })
export class WebhookDispatcherModule {}
