import { Injectable } from '@nestjs/common';
import { Database, firstIdOf, inGivenMonths, inMonthsOfIds, monthsOfRows, statement } from '@kinora/database';

/**
 * Waits for redeliveries of the event that are being written, because they copy the old body. Those that begin later wait for the
 * end of this transaction: a redelivery locks the row that it copies.
 */
const LOCK = statement(
  'delivery_lock_event',
  `SELECT id FROM delivery WHERE event_id = $1 AND ${inGivenMonths('id')} FOR UPDATE`,
);

/** A pending delivery needs its address until it has ended; the statement that ends it deletes the address then. */
const REPLACE = statement(
  'delivery_replace_content',
  `UPDATE delivery
      SET body = $2, content_deleted_at = coalesce(content_deleted_at, clock_timestamp()),
          url = CASE WHEN completed_at IS NULL THEN url ELSE '' END
    WHERE event_id = $1 AND ${inGivenMonths('id')}`,
);

/** A receiver may have sent the body back. Every answer recorded after `REPLACE` is dropped by the statement that records it. */
const FORGET_ANSWERS = statement(
  'delivery_forget_answers',
  `UPDATE attempt SET response_excerpt = NULL
     FROM delivery
    WHERE delivery.event_id = $1 AND attempt.delivery_id = delivery.id AND response_excerpt IS NOT NULL
      AND ${inGivenMonths('delivery.id')} AND ${inGivenMonths('attempt.delivery_id')}`,
);

/** By the primary key: ids begin with the time at which they were made. */
const LOCK_OLDEST = statement(
  'delivery_lock_oldest',
  `SELECT id FROM delivery WHERE id < $1 AND status <> 'pending' ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
);

const PRUNE = statement(
  'delivery_prune',
  `WITH forgotten AS (
     DELETE FROM attempt WHERE delivery_id = ANY ($1::uuid[]) AND ${inMonthsOfIds('delivery_id')}
   )
   DELETE FROM delivery WHERE id = ANY ($1::uuid[]) AND ${inMonthsOfIds('id')}`,
  { idsAt: 0 },
);

const PRUNE_EVENTS = statement(
  'delivery_event_prune',
  `DELETE FROM delivery_event WHERE event_id = ANY (ARRAY(
     SELECT event_id FROM delivery_event WHERE delivery_id < $1 ORDER BY delivery_id LIMIT $2 FOR UPDATE SKIP LOCKED))`,
);

/** Deletes what must not be kept: deliveries whose retention time has passed, and content that a client has deleted. */
@Injectable()
export class DeliveryDeletionRepository {
  constructor(private readonly database: Database) {}

  /** Of the event's first delivery and its redeliveries, which were written since the end of its job. */
  async replaceContent(eventId: string, body: string, since: Date): Promise<void> {
    const months = monthsOfRows(since, new Date());
    await this.database.transaction(async (transaction) => {
      await transaction.execute(LOCK, [eventId], months);
      await transaction.execute(REPLACE, [eventId, body], months);
    });
    // A statement of its own: it then sees the attempts that ended while the first one waited for their delivery's row.
    await this.database.execute(FORGET_ANSWERS, [eventId], months);
  }

  /** @returns how many were deleted, at most the limit. */
  prune(before: Date, limit: number): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const oldest = await transaction.query<{ id: string }>(LOCK_OLDEST, [firstIdOf(before), limit]);
      return oldest.length === 0 ? 0 : await transaction.execute(PRUNE, [oldest.map(({ id }) => id)]);
    });
  }

  /** Allows events to be written again; the sweep's horizon prevents it. @returns how many, at most the limit. */
  pruneEvents(before: Date, limit: number): Promise<number> {
    return this.database.execute(PRUNE_EVENTS, [firstIdOf(before), limit]);
  }
}
