import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

/** A lease: the replica that updates the row sweeps, so that at most one sweeps per interval. */
const ACQUIRE_LEASE = statement(
  'sweep_acquire_lease',
  `UPDATE sweep SET begun_at = clock_timestamp()
   WHERE name = 'finished_jobs' AND begun_at <= clock_timestamp() - $1 * interval '1 millisecond'
   RETURNING reached_at - $2 * interval '1 millisecond' AS begin_at`,
);

const REACH = statement(
  'sweep_reach',
  `UPDATE sweep SET reached_at = greatest(reached_at, $1::timestamptz) WHERE name = 'finished_jobs'`,
);

const RAISE_HORIZON = statement(
  'sweep_raise_horizon',
  `UPDATE sweep SET forgotten_before = greatest(forgotten_before, $1::timestamptz) WHERE name = 'finished_jobs'
   RETURNING forgotten_before`,
);

interface SweepLease {
  /** Where to begin; null before the very first job. */
  beginAt: Date | null;
}

@Injectable()
export class SweepRepository {
  constructor(private readonly database: Database) {}

  /** Null while the last sweep, of this or another replica, is more recent than `everyMs`. */
  async acquireLease({ everyMs, overlapMs }: { everyMs: number; overlapMs: number }): Promise<SweepLease | null> {
    const row = await this.database.findOne<{ begin_at: Date | null }>(ACQUIRE_LEASE, [everyMs, overlapMs]);
    return row && { beginAt: row.begin_at };
  }

  async reach(time: string): Promise<void> {
    await this.database.execute(REACH, [time]);
  }

  /**
   * Records that deliveries from before this time are pruned, or soon will be.
   * @returns the latest time ever recorded: raising the retention does not bring back what a shorter one has pruned.
   */
  async raiseHorizon(forgottenBefore: Date): Promise<Date> {
    const row = await this.database.findOne<{ forgotten_before: Date }>(RAISE_HORIZON, [forgottenBefore]);
    if (!row)
      throw new Error('The sweep table has no row finished_jobs; the migration that creates it inserts that row.');
    return row.forgotten_before;
  }
}
