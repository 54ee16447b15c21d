import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: by default a table is vacuumed when a fifth of it is dead. In a table with a month of deliveries that takes
 * days, and by then the index of due deliveries holds only dead versions.
 * Lock: SHARE UPDATE EXCLUSIVE on each table for a moment, which blocks no reader and no writer; rows stay where they
 * are.
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
