import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: tombstones are deleted by their age. Lock: none that a statement waits for, because the index is built concurrently. Way
 * back: down().
 */
export class IndexTombstones1795353000000 implements MigrationInterface {
  name = 'IndexTombstones1795353000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, { name: 'job_tombstone_by_age', definition: 'ON job_tombstone (created_at)' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS job_tombstone_by_age');
  }
}
