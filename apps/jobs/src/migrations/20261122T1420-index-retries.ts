import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UNSETTLED = 'completed_at IS NOT NULL AND settled_at IS NULL';
const INDEXES = [
  {
    name: 'job_hold_to_end',
    definition: `ON job ((coalesce(hold_retry_at, completed_at))) WHERE ${UNSETTLED} AND hold_ended_at IS NULL`,
  },
  {
    name: 'job_files_to_clear',
    definition: `ON job ((coalesce(files_retry_at, completed_at))) WHERE ${UNSETTLED} AND files_cleared_at IS NULL`,
  },
  {
    name: 'job_outputs_to_expire',
    definition:
      'ON job ((coalesce(outputs_retry_at, expires_at))) WHERE expires_at IS NOT NULL AND outputs_deleted_at IS NULL',
  },
];

/**
 * Why: the sweeps of ended jobs read a page in the order of the next try, however many jobs cannot be swept. The previous
 * release uses `job_outputs_to_delete` and the order of `job_unsettled`. Lock: none that a statement waits for. Repeatable as a
 * whole. Way back: drop the indexes.
 */
export class IndexRetries1795357200000 implements MigrationInterface {
  name = 'IndexRetries1795357200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await buildIndex(runner, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
