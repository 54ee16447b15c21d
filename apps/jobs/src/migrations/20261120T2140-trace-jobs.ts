import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a job is run, ended and swept by loops that work for nobody: its row says which trace it belongs to, and keeps it.
 * Lock: the table is closed for the moment that its definition changes; no row is rewritten. Way back: drop the column.
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
