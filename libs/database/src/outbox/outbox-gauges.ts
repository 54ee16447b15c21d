import { Injectable } from '@nestjs/common';
import { Database } from '../database';
import { outboxEvents, outboxOldestAge } from '../pool-meter';
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
