import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

/**
 * From the oldest one on, through the primary key: ids begin with the time at which they were made. What a younger delivery
 * repeats stays as long as that one; what is pending is never old. How many there are, the planner does not know: joined, both
 * tables would be read from one end to the other, and the ids of an array are looked up one by one.
 */
const FORGET = statement(
  'delivery_forget',
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

/** Deliveries that nobody asks about any more. */
@Injectable()
export class OldDeliveryRepository {
  constructor(private readonly database: Database) {}

  /** @returns how many, at most the limit. */
  forget(before: Date, limit: number): Promise<number> {
    return this.database.execute(FORGET, [firstIdOf(before), limit]);
  }
}

/** Sorts before every id (UUID, version 7) that was made at that time or later. */
function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
