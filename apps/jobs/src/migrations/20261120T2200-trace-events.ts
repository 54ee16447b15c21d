import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a background loop publishes an event later, without a request, so its row stores the trace that its subscribers
 * continue. Lock: ACCESS EXCLUSIVE on the table for a moment; no row is rewritten. Way back: drop the column.
 */
export class TraceEvents1795212000000 implements MigrationInterface {
  name = 'TraceEvents1795212000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox DROP COLUMN traceparent');
  }
}
