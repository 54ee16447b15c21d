import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { DeliveryStatus } from '@kinora/contracts/webhooks/webhooks.rpc';
import { Database, type Queryable, statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import type { AttemptResult } from './attempt-result';
import type { ClaimedDelivery, DeliveryRow } from './delivery.row';
import { toWebhookEvent } from './webhook-event';

/** A repeated event is the same event: its first delivery stands, with the bytes that were frozen then. */
const INSERT = statement(
  'delivery_insert',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, url, body)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[])
   ON CONFLICT (event_id) DO NOTHING`,
);

const CLAIM_DUE = statement(
  'delivery_claim_due',
  `WITH due AS (
     SELECT id FROM delivery WHERE status = 'pending' AND next_attempt_at <= clock_timestamp()
     ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
   )
   UPDATE delivery SET fence = fence + 1, next_attempt_at = clock_timestamp() + $2 * interval '1 millisecond'
     FROM due WHERE delivery.id = due.id
   RETURNING delivery.id, event_type, account_id, url, body, fence`,
);

const COMPLETE = statement(
  'delivery_complete',
  `UPDATE delivery SET status = $3, attempts = attempts + 1, last_response_status = $4, last_error = $5,
                       next_attempt_at = NULL, completed_at = clock_timestamp()
   WHERE id = $1 AND fence = $2 AND status = 'pending'`,
);

const POSTPONE = statement(
  'delivery_postpone',
  `UPDATE delivery SET next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond'
   WHERE id = $1 AND fence = $2 AND status = 'pending'`,
);

const LIST = statement(
  'delivery_list',
  `SELECT id, event_id, event_type, account_id, job_id, url, status, attempts, last_response_status, last_error,
          created_at, completed_at
   FROM delivery
   WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::uuid IS NULL OR job_id = $2) AND ($3::text IS NULL OR status = $3)
   ORDER BY id DESC LIMIT $4`,
);

export interface DeliveryFilter {
  account_id: string | null;
  job_id: string | null;
  status: DeliveryStatus | null;
}

@Injectable()
export class DeliveryRepository {
  constructor(private readonly database: Database) {}

  /** Freezes a delivery for each event whose job has an address to tell, unless there is one already. */
  async insertFor(events: JobFinished[], queryable: Queryable = this.database): Promise<number> {
    const rows = events.flatMap((event) => {
      if (event.webhook_url === null) return [];
      const body = toWebhookEvent(event);
      return [[uuidv7(), body.id, body.type, event.account_id, event.job.id, event.webhook_url, JSON.stringify(body)]];
    });
    if (rows.length === 0) return 0;
    const columns = Array.from({ length: 7 }, (_, column) => rows.map((row) => row[column]));
    return queryable.execute(INSERT, columns);
  }

  /** Takes deliveries that are due; they become due again after the lease, should their result never be written. */
  claimDue(limit: number, leaseMs: number): Promise<ClaimedDelivery[]> {
    return this.database.query<ClaimedDelivery>(CLAIM_DUE, [limit, leaseMs]);
  }

  /** @returns false when somebody else has claimed the delivery meanwhile: then his attempt counts. */
  async complete({ id, fence }: ClaimedDelivery, { status, response_status, error }: AttemptResult): Promise<boolean> {
    return (await this.database.execute(COMPLETE, [id, fence, status, response_status, error])) === 1;
  }

  /** Gives a claimed delivery back that could not be attempted. */
  async postpone({ id, fence }: ClaimedDelivery, delayMs: number): Promise<void> {
    await this.database.execute(POSTPONE, [id, fence, delayMs]);
  }

  /** Newest first. */
  list({ account_id, job_id, status }: DeliveryFilter, limit: number): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>(LIST, [account_id, job_id, status, limit]);
  }
}
