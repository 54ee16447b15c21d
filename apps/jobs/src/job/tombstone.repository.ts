import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

export const TOMBSTONE_PAGE = 1_000;

/**
 * A tombstone prevents that a job is stored after its hold was refunded, or its creation was given up. A create takes less than a
 * minute. A dead create can
 * be resumed under its job id while its idempotency key is kept, 48 hours.
 */
const PRUNE = statement(
  'job_tombstone_prune',
  `DELETE FROM job_tombstone WHERE job_id IN (
     SELECT job_id FROM job_tombstone WHERE created_at < statement_timestamp() - interval '7 days'
     ORDER BY created_at LIMIT ${TOMBSTONE_PAGE})`,
);

/** The ids of jobs that can never be stored. */
@Injectable()
export class TombstoneRepository {
  constructor(private readonly database: Database) {}

  /** Deletes a page of tombstones that are too old for any create to meet them. @returns how many */
  prune(): Promise<number> {
    return this.database.execute(PRUNE);
  }
}
