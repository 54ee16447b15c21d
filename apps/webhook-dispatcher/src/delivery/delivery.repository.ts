import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { DeliveryStatus } from '@kinora/contracts/webhooks/webhooks.rpc';
import { Database, statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { deliveryHostOf } from './delivery-host';
import type { DeliveryRow } from './delivery.row';
import { toWebhookEvent } from './webhook-event';

/** A repeated event is the same event: its first delivery stands, with the bytes that were frozen then. */
const INSERT = statement(
  'delivery_insert',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[])
   ON CONFLICT (event_id) WHERE redelivery_of IS NULL DO NOTHING`,
);

const COLUMNS = `id, event_id, event_type, account_id, job_id, url, status, attempts, last_response_status, last_error,
                 last_latency_ms, next_attempt_at, redelivery_of, created_at, completed_at`;

const LIST = statement(
  'delivery_list',
  `SELECT ${COLUMNS} FROM delivery
   WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::uuid IS NULL OR job_id = $2)
     AND ($3::text IS NULL OR event_id = $3) AND ($4::text IS NULL OR status = $4)
   ORDER BY id DESC LIMIT $5`,
);

export interface DeliveryFilter {
  account_id: string | null;
  job_id: string | null;
  event_id: string | null;
  status: DeliveryStatus | null;
}

@Injectable()
export class DeliveryRepository {
  constructor(private readonly database: Database) {}

  /**
   * Freezes a delivery for each event whose job has an address to tell, unless there is one already.
   * @returns how many there were not.
   */
  async insertFor(events: JobFinished[]): Promise<number> {
    const rows = events.flatMap((event) => {
      const { webhook_url: url, account_id, job } = event;
      if (url === null) return [];
      const body = toWebhookEvent(event);
      return [[uuidv7(), body.id, body.type, account_id, job.id, deliveryHostOf(url), url, JSON.stringify(body)]];
    });
    if (rows.length === 0) return 0;
    const columns = Array.from({ length: 8 }, (_, column) => rows.map((row) => row[column]));
    return this.database.execute(INSERT, columns);
  }

  /** Newest first. */
  list({ account_id, job_id, event_id, status }: DeliveryFilter, limit: number): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>(LIST, [account_id, job_id, event_id, status, limit]);
  }
}
