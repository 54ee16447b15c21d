import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: by default a table is vacuumed when a fifth of it is dead. Wallets, budgets and buckets are few rows that change all the time: their
 * pages fill with dead versions, which every reserve then steps over under the lock of the row.
 * Lock: SHARE UPDATE EXCLUSIVE on each table for a moment, for which no reader and no writer waits; rows stay where they are.
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
