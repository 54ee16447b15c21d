import { Injectable } from '@nestjs/common';
import { Database, firstIdOf, statement } from '@kinora/database';

/**
 * Waits for redeliveries of the event that are being written, because they copy the old body. Those that begin later wait for the
 * end of this transaction: a redelivery locks the row that it copies.
 */
const LOCK = statement('delivery_lock_event', 'SELECT id FROM delivery WHERE event_id = $1 FOR UPDATE');

/** A pending delivery needs its address until it has ended; the statement that ends it deletes the address then. */
const REPLACE = statement(
  'delivery_replace_content',
  `UPDATE delivery
      SET body = $2, content_deleted_at = coalesce(content_deleted_at, clock_timestamp()),
          url = CASE WHEN completed_at IS NULL THEN url ELSE '' END
    WHERE event_id = $1`,
);

/** A receiver may have sent the body back. Every answer recorded after `REPLACE` is dropped by the statement that records it. */
const FORGET_ANSWERS = statement(
  'delivery_forget_answers',
  `UPDATE attempt SET response_excerpt = NULL
     FROM delivery
    WHERE delivery.event_id = $1 AND attempt.delivery_id = delivery.id AND response_excerpt IS NOT NULL`,
);

/**
 * Deletes the oldest rows first, by the primary key: ids begin with the time at which they were made. A delivery that a
 * younger one repeats stays as long as the younger one. The ids are passed as an array: the planner cannot estimate the
 * number of rows, and a join would scan both tables.
 */
const PRUNE = statement(
  'delivery_prune',
  `WITH old AS (
     SELECT id FROM delivery
     WHERE id < $1 AND status <> 'pending'
       AND NOT EXISTS (SELECT FROM delivery AS repeat WHERE repeat.redelivery_of = delivery.id)
     ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
   ), forgotten AS (
     DELETE FROM attempt WHERE delivery_id = ANY (ARRAY(SELECT id FROM old))
   )
   DELETE FROM delivery WHERE id = ANY (ARRAY(SELECT id FROM old))`,
);

/** Deletes what must not be kept: deliveries whose retention time has passed, and content that a client has deleted. */
@Injectable()
export class DeliveryDeletionRepository {
  constructor(private readonly database: Database) {}

  /** Of the event's first delivery and its redeliveries. */
  async replaceContent(eventId: string, body: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await transaction.execute(LOCK, [eventId]);
      await transaction.execute(REPLACE, [eventId, body]);
    });
    // A statement of its own: it then sees the attempts that ended while the first one waited for their delivery's row.
    await this.database.execute(FORGET_ANSWERS, [eventId]);
  }

  /** @returns how many were deleted, at most the limit. */
  prune(before: Date, limit: number): Promise<number> {
    return this.database.execute(PRUNE, [firstIdOf(before), limit]);
  }
}
