import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';

/** A concurrent event of the same account waits here for the row lock. */
const NOTE = statement(
  'strike_standing_note',
  `INSERT INTO strike_standing AS known (account_id, strikes, counted_at_us) VALUES ($1, $2, $3)
   ON CONFLICT (account_id) DO UPDATE
   SET strikes = CASE WHEN known.counted_at_us < excluded.counted_at_us THEN excluded.strikes ELSE known.strikes END,
       counted_at_us = greatest(known.counted_at_us, excluded.counted_at_us)
   RETURNING strikes`,
);

/** If two replicas reconcile at the same time, only one of them updates the row. */
const NOTE_LATER = statement(
  'strike_standing_note_later',
  `INSERT INTO strike_standing AS known (account_id, strikes, counted_at_us) VALUES ($1, $2, $3)
   ON CONFLICT (account_id) DO UPDATE SET strikes = excluded.strikes, counted_at_us = excluded.counted_at_us
   WHERE known.counted_at_us < excluded.counted_at_us`,
);

const FIND_TIMES = statement(
  'strike_standing_find_times',
  'SELECT account_id, counted_at_us FROM strike_standing WHERE account_id = ANY($1::uuid[])',
);

/** The last strike count of each account. */
@Injectable()
export class StrikeStandingRepository {
  constructor(private readonly database: Database) {}

  /** @returns the strikes of the latest count, which may be newer than the given one. */
  async noteAndReadLast(
    transaction: Queryable,
    { account_id, strikes, counted_at_us }: StrikeStanding,
  ): Promise<number> {
    const last = await transaction.findOne<{ strikes: number }>(NOTE, [account_id, strikes, counted_at_us]);
    return last?.strikes ?? strikes;
  }

  /** @returns false if a standing of the same time or later is stored. */
  async noteLater(transaction: Queryable, accountId: string, strikes: number, countedAtUs: number): Promise<boolean> {
    return (await transaction.execute(NOTE_LATER, [accountId, strikes, countedAtUs])) === 1;
  }

  /** The time of the last stored standing, for each of the accounts that have one. */
  async findTimes(accountIds: string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ account_id: string; counted_at_us: number }>(FIND_TIMES, [accountIds]);
    return new Map(rows.map(({ account_id, counted_at_us }) => [account_id, counted_at_us]));
  }
}
