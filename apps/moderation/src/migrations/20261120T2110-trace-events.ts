import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the outbox loop publishes an event later, outside the trace that caused it. The row stores the trace for the consumers.
 * Lock: ACCESS EXCLUSIVE for the change of the definition; no row is rewritten. Way back: drop the column.
 */
export class TraceEvents1795209000000 implements MigrationInterface {
  name = 'TraceEvents1795209000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox DROP COLUMN traceparent');
  }
}
