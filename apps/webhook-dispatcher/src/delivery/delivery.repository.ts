import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import {
  BatchedStatement,
  Database,
  daysAfter,
  inGivenMonths,
  inMonthsOfIds,
  monthsOfRows,
  statement,
} from '@kinora/database';
import { currentTraceparent } from '@kinora/tracing';
import { v7 as uuidv7 } from 'uuid';
import { type ClaimedDelivery, LEASE_MS } from './delivery-attempt';
import { type NewDelivery, toNewDelivery } from './new-delivery';

/** A repeated event does not replace the first delivery, whose body was frozen when it arrived. */
const INSERT = statement(
  'delivery_insert',
  `WITH new AS (
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[],
                          $9::integer[], $10::integer[], $11::text[])
       AS new (id, event_id, event_type, account_id, job_id, host, url, body, fence, lease_ms, traceparent)
   ), first AS (
     INSERT INTO delivery_event (event_id, delivery_id) SELECT event_id, id FROM new
     ON CONFLICT (event_id) DO NOTHING RETURNING delivery_id
   )
   INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body, fence, traceparent,
                         next_attempt_at)
   SELECT id, event_id, event_type, account_id, job_id, host, url, body, fence, traceparent,
          clock_timestamp() + lease_ms * interval '1 millisecond'
   FROM new JOIN first ON delivery_id = id
   RETURNING id`,
);

const INSERT_COLUMNS = [
  ...(['id', 'event_id', 'event_type', 'account_id', 'job_id', 'host', 'url', 'body'] as const),
  ...(['fence', 'lease_ms', 'traceparent'] as const),
];

/**
 * Copies a delivery: the same event and body under new ids. One whose address is deleted cannot be sent again. The lock excludes
 * a concurrent deletion of the content, which would miss the copy.
 */
const REDELIVER = statement(
  'delivery_redeliver',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body, content_deleted_at, redelivery_of)
   SELECT fresh.id, event_id, event_type, account_id, job_id, host, url, body, content_deleted_at, source.id
   FROM unnest($1::uuid[], $2::uuid[]) AS fresh (id, source_id) JOIN delivery AS source ON source.id = source_id
   WHERE url <> '' AND source.id = ANY ($2::uuid[]) AND ${inMonthsOfIds('source.id')} FOR KEY SHARE OF source`,
  { idsAt: 1 },
);

/** Without those that cannot be sent again: they would fill the first page of every recovery, or end it too early. */
const FIND_LOST = statement(
  'delivery_find_lost',
  `SELECT DISTINCT ON (event_id) id FROM delivery AS lost
   WHERE account_id = $1 AND status = 'exhausted' AND completed_at >= $2 AND url <> '' AND ${inGivenMonths('id')}
     AND NOT EXISTS (SELECT FROM delivery WHERE event_id = lost.event_id AND status IN ('pending', 'delivered')
                        AND ${inGivenMonths('id')})
   ORDER BY event_id, id DESC LIMIT $3`,
);

/** A delivery ends within hours of its id, or within days if it waits for secrets. */
const ENDS_WITHIN_DAYS = 31;

/** For a delivery that is due at once; a delivery whose attempt begins with the insert gets a fence and a lease. */
const UNCLAIMED = { fence: 0, lease_ms: 0 };
const CLAIMED = { fence: 1, lease_ms: LEASE_MS };

type InsertedRow = NewDelivery & typeof UNCLAIMED & Pick<ClaimedDelivery, 'traceparent'>;

@Injectable()
export class DeliveryRepository {
  private readonly inserts: BatchedStatement<InsertedRow, boolean>;

  constructor(private readonly database: Database) {
    this.inserts = new BatchedStatement({
      run: (rows) => this.insertBatch(rows),
      fairBy: ({ account_id }) => account_id,
    });
  }

  /** @returns false if the event has a delivery already. */
  insert(delivery: NewDelivery): Promise<boolean> {
    return this.inserts.run({ ...delivery, ...UNCLAIMED, traceparent: currentTraceparent() ?? null });
  }

  /** Null if the event has a delivery already. The delivery becomes due after the lease if no result is written. */
  async insertClaimed(delivery: NewDelivery): Promise<ClaimedDelivery | null> {
    const traceparent = currentTraceparent() ?? null;
    const isInserted = await this.inserts.run({ ...delivery, ...CLAIMED, traceparent });
    return isInserted ? { ...delivery, attempts: 0, fence: CLAIMED.fence, traceparent } : null;
  }

  /** Writes the deliveries of those events that have a webhook URL and no delivery yet. @returns how many. */
  async insertFor(events: JobFinished[]): Promise<number> {
    const rows = events.map(toNewDelivery).filter((delivery) => delivery !== null);
    if (rows.length === 0) return 0;
    const inserted = await this.insertBatch(rows.map((delivery) => ({ ...delivery, ...UNCLAIMED, traceparent: null })));
    return inserted.filter(Boolean).length;
  }

  /** @returns the new deliveries' ids; an id that does not exist yields none. */
  async redeliver(deliveryIds: string[]): Promise<string[]> {
    const ids = deliveryIds.map(() => uuidv7());
    const inserted = await this.database.execute(REDELIVER, [ids, deliveryIds]);
    return ids.slice(0, inserted);
  }

  /**
   * The last exhausted delivery of each event since `since`, unless its address is deleted, or another delivery of the event in
   * these months was delivered or is pending.
   */
  async findLost(accountId: string, since: Date, limit: number): Promise<string[]> {
    const months = monthsOfRows(daysAfter(since, -ENDS_WITHIN_DAYS), new Date());
    const rows = await this.database.query<{ id: string }>(FIND_LOST, [accountId, since, limit], months);
    return rows.map(({ id }) => id);
  }

  /** @returns for each row whether it was inserted; of two rows for one event, the first one counts. */
  private async insertBatch(rows: InsertedRow[]): Promise<boolean[]> {
    const columns = INSERT_COLUMNS.map((column) => rows.map((row) => row[column]));
    const inserted = await this.database.query<{ id: string }>(INSERT, columns);
    const ids = new Set(inserted.map(({ id }) => id));
    return rows.map(({ id }) => ids.has(id));
  }
}
