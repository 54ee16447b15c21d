import { Injectable } from '@nestjs/common';
import { type Queryable, statement } from '@kinora/database';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';

/** Whoever is told of the same account at the same time waits here for the other's transaction. */
const NOTE = statement(
  'strike_standing_note',
  `INSERT INTO strike_standing AS known (account_id, strikes, counted_at_us) VALUES ($1, $2, $3)
   ON CONFLICT (account_id) DO UPDATE
   SET strikes = CASE WHEN known.counted_at_us < excluded.counted_at_us THEN excluded.strikes ELSE known.strikes END,
       counted_at_us = greatest(known.counted_at_us, excluded.counted_at_us)
   RETURNING strikes`,
);

/** How accounts stood with their strikes when moderation last counted them. */
@Injectable()
export class StrikeStandingRepository {
  /** @returns how many strikes the last count found, which may be another one than this. */
  async noteAndReadLast(
    transaction: Queryable,
    { account_id, strikes, counted_at_us }: StrikeStanding,
  ): Promise<number> {
    if (counted_at_us === undefined) return strikes;
    const last = await transaction.findOne<{ strikes: number }>(NOTE, [account_id, strikes, counted_at_us]);
    return last?.strikes ?? strikes;
  }
}
