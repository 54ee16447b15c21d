import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: background loops run, end and sweep a job without a request, so its row stores the trace that it belongs to. Lock:
 * ACCESS EXCLUSIVE on the table for a moment; no row is rewritten. Way back: drop the column.
 */
export class TraceJobs1795210800000 implements MigrationInterface {
  name = 'TraceJobs1795210800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job DROP COLUMN traceparent');
  }
}
