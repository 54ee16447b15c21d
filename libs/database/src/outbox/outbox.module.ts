import {
  type BeforeApplicationShutdown,
  Inject,
  Module,
  type OnApplicationBootstrap,
  Injectable,
} from '@nestjs/common';
import { EventPublisher } from '@kinora/bus';
import { LOGGER, type Logger, WorkLoop } from '@kinora/service-kit';
import { Database } from '../database';
import { OutboxRelay } from './outbox-relay';
import { outboxEvents, outboxOldestAge } from '../database.metrics';
import { GaugeSampler } from '../gauge-sampler';
import { statement } from '../statement';

const EVERY_MS = 15_000;

/** Ids are ordered by time, so the first row is the oldest. */
const COUNT_PENDING = statement(
  'outbox_look',
  `SELECT count(*) AS events, coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::double precision AS age
     FROM (SELECT created_at FROM outbox ORDER BY id LIMIT 10000) AS waiting`,
);

/** Exports how many events of the context wait for the broker, and for how long. */
@Injectable()
export class OutboxGauges {
  constructor(
    private readonly database: Database,
    sampler: GaugeSampler,
  ) {
    const gauges = [outboxEvents, outboxOldestAge];
    sampler.add({ name: 'outbox', gauges, everyMs: EVERY_MS, read: () => this.read() });
  }

  private async read() {
    const count = await this.database.findOne<{ events: number; age: number }>(COUNT_PENDING);
    return [
      { gauge: outboxEvents, value: count?.events ?? 0 },
      { gauge: outboxOldestAge, value: count?.age ?? 0 },
    ];
  }
}

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
