import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a delivery is attempted for hours, by loops outside any request: its row stores the trace that its attempts
 * belong to.
 * Lock: ACCESS EXCLUSIVE for a moment, while the table's definition changes; no row is rewritten.
 * Way back: drop the column.
 */
export class TraceDeliveries1795209000000 implements MigrationInterface {
  name = 'TraceDeliveries1795209000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE delivery ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE delivery DROP COLUMN traceparent');
  }
}
