import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

export const TOMBSTONE_PAGE = 1_000;

/**
 * A tombstone keeps a job from being stored after its hold was given back. A creation takes less than a minute, and a dead one
 * is resumed under its job id for as long as its idempotency key is kept, 48 hours.
 */
const PRUNE = statement(
  'job_tombstone_prune',
  `DELETE FROM job_tombstone WHERE job_id IN (
     SELECT job_id FROM job_tombstone WHERE created_at < statement_timestamp() - interval '7 days'
     ORDER BY created_at LIMIT ${TOMBSTONE_PAGE})`,
);

/** The ids of jobs that were given up before they were stored. */
@Injectable()
export class TombstoneRepository {
  constructor(private readonly database: Database) {}

  /** Deletes a page of those that no creation can meet any more. @returns how many */
  prune(): Promise<number> {
    return this.database.execute(PRUNE);
  }
}
