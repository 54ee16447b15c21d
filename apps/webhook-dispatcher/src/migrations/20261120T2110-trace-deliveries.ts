import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a delivery is attempted for hours, by loops that work for nobody: its row says which trace its attempts belong to.
 * Lock: the table is closed for the moment that its definition changes; no row is rewritten. Way back: drop the column.
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
