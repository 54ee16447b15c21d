import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: by default, autovacuum runs when a fifth of a table is dead. Wallets, budgets and buckets are few rows that change
 * often: their pages fill with dead versions, which every reserve then scans under the row lock.
 * Lock: SHARE UPDATE EXCLUSIVE on each table for a moment, which blocks no reader and no writer. No row is rewritten.
 * Way back: down().
 */
export class KeepHotTablesLean1795213200000 implements MigrationInterface {
  name = 'KeepHotTablesLean1795213200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wallet SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
      ALTER TABLE key_budget SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
      ALTER TABLE rate_bucket SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
      ALTER TABLE hold SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
      ALTER TABLE ledger_entry SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wallet RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
      ALTER TABLE key_budget RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
      ALTER TABLE rate_bucket RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
      ALTER TABLE hold RESET (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor);
      ALTER TABLE ledger_entry RESET (autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor)`);
  }
}
