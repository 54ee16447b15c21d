import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: whoever claims an attempt goes on with the trace of its job, and has no look at the job for that.
 * Lock: the table is closed for the moment that its definition changes; no row is rewritten. Way back: drop the column.
 */
export class TraceAttempts1795211400000 implements MigrationInterface {
  name = 'TraceAttempts1795211400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt DROP COLUMN traceparent');
  }
}
