import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the process that claims an attempt continues the trace of its job without reading the job. Lock: ACCESS EXCLUSIVE on the
 * table for a moment; no row is rewritten. Way back: drop the column.
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
