import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: one condition and one sweep covered all work after the end of a job, so files that could not be deleted delayed the
 * refunds of other jobs. The hold, the files and expired outputs now have a time of the next try each. `settled_at` keeps its
 * meaning: the hold and the files are done. Lock: ACCESS EXCLUSIVE on job, for the moment in which columns without a default
 * are added. Way back: drop them.
 */
export class RetryEndsApart1795356600000 implements MigrationInterface {
  name = 'RetryEndsApart1795356600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE job
        ADD COLUMN hold_ended_at timestamptz,
        ADD COLUMN hold_retry_at timestamptz,
        ADD COLUMN files_cleared_at timestamptz,
        ADD COLUMN files_retry_at timestamptz,
        ADD COLUMN outputs_retry_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE job
        DROP COLUMN hold_ended_at,
        DROP COLUMN hold_retry_at,
        DROP COLUMN files_cleared_at,
        DROP COLUMN files_retry_at,
        DROP COLUMN outputs_retry_at`);
  }
}
