import { Module } from '@nestjs/common';
import { DatabaseModule } from '@kinora/database';
import { Egress, EgressAllowList } from '@kinora/egress';
import { BackgroundWork } from './background-work';
import { DeliveryRepository } from './delivery/delivery.repository';
import { Doorbell } from './delivery/doorbell';
import { DueDeliveryRepository } from './delivery/due-delivery.repository';
import { WebhookSender } from './delivery/webhook-sender';
import { SweepRepository } from './sweep/sweep.repository';
import { AttemptDeliveries } from './use-cases/attempt-deliveries/attempt-deliveries.use-case';
import { ListDeliveries } from './use-cases/list-deliveries/list-deliveries.query';
import { ScheduleDelivery } from './use-cases/schedule-delivery/schedule-delivery.use-case';
import { SweepFinishedJobs } from './use-cases/sweep-finished-jobs/sweep-finished-jobs.use-case';
import { WebhookDispatcherConfig } from './webhook-dispatcher.config';
import { WebhookDispatcherController } from './webhook-dispatcher.controller';

const STORAGE = [DeliveryRepository, DueDeliveryRepository, SweepRepository];
const USE_CASES = [ScheduleDelivery, AttemptDeliveries, SweepFinishedJobs, ListDeliveries];
const WAY_OUT = [
  {
    provide: Egress,
    useFactory: ({ egressAllow }: WebhookDispatcherConfig) => new Egress({ allow: EgressAllowList.parse(egressAllow) }),
    inject: [WebhookDispatcherConfig],
  },
  WebhookSender,
];

@Module({
  imports: [DatabaseModule.forContext('webhook-dispatcher')],
  controllers: [WebhookDispatcherController],
  providers: [...STORAGE, ...USE_CASES, ...WAY_OUT, Doorbell, BackgroundWork],
})
export class WebhookDispatcherModule {}
