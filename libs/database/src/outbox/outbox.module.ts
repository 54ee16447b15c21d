import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { EventPublisher } from '@kinora/bus';
import { LOGGER, type Logger, WorkLoop } from '@kinora/service-kit';
import { Database } from '../database';
import { OutboxGauges } from './outbox-gauges';
import { OutboxRelay } from './outbox-relay';

/** Soon enough after a server has joined the cluster, and rare enough to cost nothing. */
const KEEP_STREAM_EVERY_MS = 60_000;
const STREAM_UPKEEP = Symbol('upkeep of the event stream');

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
    {
      provide: STREAM_UPKEEP,
      useFactory: (publisher: EventPublisher, logger: Logger) =>
        new WorkLoop({
          work: () => publisher.keepStream().then(() => 'idle' as const),
          idleMs: KEEP_STREAM_EVERY_MS,
          onFailure: (error) => logger.warn({ reason: String(error) }, 'event_stream_upkeep_failed'),
        }),
      inject: [EventPublisher, LOGGER],
    },
  ],
  exports: [OutboxRelay],
})
export class OutboxModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly relay: OutboxRelay,
    @Inject(STREAM_UPKEEP) private readonly streamUpkeep: WorkLoop,
  ) {}

  onApplicationBootstrap(): void {
    this.relay.start();
    this.streamUpkeep.start();
  }

  /** Stops after all background work, because the last transactions of that work append events, too. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.relay.stop(), this.streamUpkeep.stop()]);
  }
}
