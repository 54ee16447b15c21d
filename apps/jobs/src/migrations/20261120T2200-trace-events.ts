import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an event is sent later, by a loop that works for nobody: its row says which trace goes on where it is heard.
 * Lock: the table is closed for the moment that its definition changes; no row is rewritten. Way back: drop the column.
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
