import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { Database, statement } from '@kinora/database';
import { toWebhookEvent } from '@kinora/webhooks';
import { v7 as uuidv7 } from 'uuid';
import { deliveryHostOf } from './delivery-host';

/** A repeated event is the same event: its first delivery stands, with the bytes that were frozen then. */
const INSERT = statement(
  'delivery_insert',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[])
   ON CONFLICT (event_id) WHERE redelivery_of IS NULL DO NOTHING`,
);

/** The same event in the same bytes, under ids of its own. */
const REDELIVER = statement(
  'delivery_redeliver',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body, redelivery_of)
   SELECT fresh.id, event_id, event_type, account_id, job_id, host, url, body, source.id
   FROM unnest($1::uuid[], $2::uuid[]) AS fresh (id, source_id) JOIN delivery AS source ON source.id = source_id`,
);

const FIND_LOST = statement(
  'delivery_find_lost',
  `SELECT DISTINCT ON (event_id) id FROM delivery AS lost
   WHERE account_id = $1 AND status = 'exhausted' AND completed_at >= $2
     AND NOT EXISTS (SELECT FROM delivery WHERE event_id = lost.event_id AND status IN ('pending', 'delivered'))
   ORDER BY event_id, id DESC LIMIT $3`,
);

@Injectable()
export class DeliveryRepository {
  constructor(private readonly database: Database) {}

  /**
   * Freezes a delivery for each event whose job has an address to tell, unless there is one already.
   * @returns how many there were not.
   */
  async insertFor(events: JobFinished[]): Promise<number> {
    const rows = events.flatMap((event) => {
      const { event_id, webhook_url: url, account_id, job } = event;
      if (url === null) return [];
      const body = toWebhookEvent(event_id, job);
      return [[uuidv7(), body.id, body.type, account_id, job.id, deliveryHostOf(url), url, JSON.stringify(body)]];
    });
    if (rows.length === 0) return 0;
    const columns = Array.from({ length: 8 }, (_, column) => rows.map((row) => row[column]));
    return this.database.execute(INSERT, columns);
  }

  /** @returns the new deliveries' ids, fewer where there is no such delivery. */
  async redeliver(deliveryIds: string[]): Promise<string[]> {
    const ids = deliveryIds.map(() => uuidv7());
    const inserted = await this.database.execute(REDELIVER, [ids, deliveryIds]);
    return ids.slice(0, inserted);
  }

  /** The last delivery of each event that was given up since then, and is neither received nor under way otherwise. */
  async findLost(accountId: string, since: Date, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(FIND_LOST, [accountId, since, limit]);
    return rows.map(({ id }) => id);
  }
}
