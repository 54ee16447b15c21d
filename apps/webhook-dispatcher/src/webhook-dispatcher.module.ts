import { Module } from '@nestjs/common';
import { DatabaseModule } from '@kinora/database';
import { Egress, EgressAllowList } from '@kinora/egress';
import { WakeUp } from '@kinora/service-kit';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountDeliveriesController, DeliveryAdminController } from './deliveries.controller';
import { Attempts } from './attempts/attempts.service';
import { BackgroundWork } from './background/background-work';
import { AttemptEntity, DeliveryEntity } from './delivery/delivery.entity';
import { DeliveryDeletionRepository } from './delivery/delivery-deletion.repository';
import { DeliveryGauges } from './delivery/delivery-gauges';
import { AttemptMonths, DeliveryMonths } from './delivery/delivery-months';
import { DeliveryLogRepository } from './delivery/delivery-log.repository';
import { DeliveryRepository } from './delivery/delivery.repository';
import { DueDeliveryRepository } from './delivery/due-delivery.repository';
import { RequestedDeliveryRepository } from './delivery/requested-delivery.repository';
import { WebhookSender } from './delivery/webhook-sender';
import { HealthController, WebhookDispatcherController } from './webhook-dispatcher.controller';
import { migrations } from './migrations/migrations';
import { SweepRepository } from './delivery/sweep.repository';
import { AttemptDeliveries, ScheduleDelivery } from './use-cases/schedule-delivery.use-case';
import { DeleteContent, PruneDeliveries } from './use-cases/delete-content.use-case';
import { ListAccountDeliveries } from './use-cases/list-account-deliveries.query';
import { ListDeliveries } from './use-cases/list-deliveries.query';
import { RecoverDeliveries, RedeliverEvent, RedeliverForAccount } from './use-cases/redeliver-event.use-case';
import { SendTestEvent, TestAccountWebhook } from './use-cases/send-test-event.use-case';
import { SweepFinishedJobs } from './use-cases/sweep-finished-jobs.use-case';
import { WebhookDispatcherConfig } from './webhook-dispatcher.config';

const STORAGE = [
  DeliveryRepository,
  DueDeliveryRepository,
  DeliveryDeletionRepository,
  DeliveryLogRepository,
  RequestedDeliveryRepository,
  SweepRepository,
  DeliveryMonths,
  AttemptMonths,
];
const DELIVERING = [ScheduleDelivery, AttemptDeliveries, SweepFinishedJobs, PruneDeliveries, DeleteContent];
const FOR_OPERATORS = [ListDeliveries, RedeliverEvent, RecoverDeliveries, SendTestEvent];
const FOR_ACCOUNTS = [ListAccountDeliveries, RedeliverForAccount, TestAccountWebhook];
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
