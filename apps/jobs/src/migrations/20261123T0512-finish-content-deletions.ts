import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a sweep completes deletions of content that could not reach the dispatcher; the column is the time of its next try. Lock:
 * ACCESS EXCLUSIVE on job, for the moment in which a column without a default is added. Way back: drop it; such a deletion then
 * waits for a repeat of its client.
 */
export class FinishContentDeletions1795410720000 implements MigrationInterface {
  name = 'FinishContentDeletions1795410720000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job ADD COLUMN content_retry_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job DROP COLUMN content_retry_at');
  }
}
