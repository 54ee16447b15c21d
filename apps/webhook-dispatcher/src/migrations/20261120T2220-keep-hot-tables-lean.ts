import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: by default a table is vacuumed when a fifth of it is dead. Of a month of deliveries that is days of them, and the index of what is due
 * is all dead versions by then.
 * Lock: SHARE UPDATE EXCLUSIVE on each table for a moment, for which no reader and no writer waits; rows stay where they are.
 * Way back: down().
 */
export class KeepHotTablesLean1795213200000 implements MigrationInterface {
  name = 'KeepHotTablesLean1795213200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE delivery SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
      ALTER TABLE attempt SET (autovacuum_vacuum_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE delivery RESET (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor);
      ALTER TABLE attempt RESET (autovacuum_vacuum_scale_factor)`);
  }
}
