import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: operators search failed jobs of all accounts, and see the errors of the last hour and day. A scan of all jobs would read
 * the succeeded ones too. A creation writes nothing into the index. Lock: none that a statement waits for. Repeatable as a whole.
 * Way back: drop the index.
 */
export class IndexFailedJobs1795397520000 implements MigrationInterface {
  name = 'IndexFailedJobs1795397520000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'job_failed',
      definition: 'ON job (id, error_code) WHERE error_code IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS job_failed');
  }
}
