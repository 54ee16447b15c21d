import { Injectable } from '@nestjs/common';
import { Database, GaugeSampler, type Reading, inOpenMonths, statement } from '@kinora/database';
import { oldestPendingAge, overdueAge, pendingDeliveries } from '../webhook-dispatcher.metrics';

const EVERY_MS = 15_000;

/** `next_attempt_at` of a running attempt is the end of its lease, so it does not count as overdue. */
const COUNT_PENDING = statement(
  'delivery_count_pending',
  `SELECT count(*) AS deliveries,
          coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::double precision AS oldest_age,
          greatest(coalesce(extract(epoch FROM clock_timestamp() - min(next_attempt_at)), 0), 0)::double precision AS overdue
     FROM (SELECT created_at, next_attempt_at FROM delivery
            WHERE status = 'pending' AND ${inOpenMonths('id')} ORDER BY next_attempt_at LIMIT 20000) AS pending`,
);

/** Exports the number and age of pending deliveries to Prometheus. */
@Injectable()
export class DeliveryGauges {
  constructor(
    private readonly database: Database,
    sampler: GaugeSampler,
  ) {
    const gauges = [pendingDeliveries, oldestPendingAge, overdueAge];
    sampler.add({ name: 'deliveries', gauges, everyMs: EVERY_MS, read: () => this.read() });
  }

  private async read(): Promise<Reading[]> {
    const pending = await this.database.findOne<{ deliveries: number; oldest_age: number; overdue: number }>(
      COUNT_PENDING,
    );
    return [
      { gauge: pendingDeliveries, value: pending?.deliveries ?? 0 },
      { gauge: oldestPendingAge, value: pending?.oldest_age ?? 0 },
      { gauge: overdueAge, value: pending?.overdue ?? 0 },
    ];
  }
}
