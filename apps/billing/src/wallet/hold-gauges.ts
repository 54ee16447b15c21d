import { Injectable } from '@nestjs/common';
import { Database, GaugeSampler, type Reading, statement } from '@kinora/database';
import { heldMicros, oldestHoldAge, openHolds } from '../billing.metrics';

const EVERY_MS = 15_000;

const COUNT_OPEN = statement(
  'hold_count_open',
  `SELECT count(*) AS holds, coalesce(sum(amount_micros), 0)::bigint AS micros,
          coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::double precision AS oldest_age
     FROM (SELECT amount_micros, created_at FROM hold
            WHERE state = 'held' ORDER BY job_id LIMIT 50000) AS open`,
);

/** Publishes gauges of the open holds. */
@Injectable()
export class HoldGauges {
  constructor(
    private readonly database: Database,
    sampler: GaugeSampler,
  ) {
    const gauges = [openHolds, heldMicros, oldestHoldAge];
    sampler.add({ name: 'holds', gauges, everyMs: EVERY_MS, read: () => this.read() });
  }

  private async read(): Promise<Reading[]> {
    const open = await this.database.findOne<{ holds: number; micros: number; oldest_age: number }>(COUNT_OPEN);
    return [
      { gauge: openHolds, value: open?.holds ?? 0 },
      { gauge: heldMicros, value: open?.micros ?? 0 },
      { gauge: oldestHoldAge, value: open?.oldest_age ?? 0 },
    ];
  }
}
