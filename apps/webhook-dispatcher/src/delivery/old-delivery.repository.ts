import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import { firstIdOf } from './delivery-id';

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

/** Deletes deliveries whose retention time has passed. */
@Injectable()
export class OldDeliveryRepository {
  constructor(private readonly database: Database) {}

  /** @returns how many were deleted, at most the limit. */
  prune(before: Date, limit: number): Promise<number> {
    return this.database.execute(PRUNE, [firstIdOf(before), limit]);
  }
}
