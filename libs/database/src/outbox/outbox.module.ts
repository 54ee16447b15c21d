import { type BeforeApplicationShutdown, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { EventPublisher } from '@kinora/bus';
import { LOGGER, type Logger } from '@kinora/service-kit';
import { Database } from '../database';
import { OutboxGauges } from './outbox-gauges';
import { OutboxRelay } from './outbox-relay';

/** Runs the relay of a context that has an `outbox` table. */
@Module({
  providers: [
    OutboxGauges,
    {
      provide: OutboxRelay,
      useFactory: (database: Database, publisher: EventPublisher, logger: Logger) =>
        new OutboxRelay(
          database,
          (...event) => publisher.publish(...event),
          (reason) => logger.warn({ reason }, 'outbox_relay_interrupted'),
        ),
      inject: [Database, EventPublisher, LOGGER],
    },
  ],
  exports: [OutboxRelay],
})
export class OutboxModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly relay: OutboxRelay) {}

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  /** Stops after all background work, because the last transactions of that work append events, too. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.relay.stop();
  }
}
