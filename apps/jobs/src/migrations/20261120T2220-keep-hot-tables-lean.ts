import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: by default autovacuum runs when a fifth of a table is dead. In a table with a million jobs these are hours of dead rows,
 * which every sweep reads. The outbox and `usage_pending` are empty most of the time, and then consist of dead rows. A lower
 * fill factor leaves room on each page for updates that change no index (HOT updates). Lock: SHARE UPDATE EXCLUSIVE on each
 * table for a moment, which blocks no reader and no writer; rows stay where they are. Way back: down().
 */
export class KeepHotTablesLean1795213200000 implements MigrationInterface {
  name = 'KeepHotTablesLean1795213200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE job SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
      ALTER TABLE attempt SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
      ALTER TABLE idempotency_key SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
      ALTER TABLE usage_minute SET (fillfactor = 70);
      ALTER TABLE usage_day SET (fillfactor = 70);
      ALTER TABLE canceled_work SET (fillfactor = 50);
      ALTER TABLE usage_pending SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
      ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE job RESET (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor);
      ALTER TABLE attempt RESET (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor);
      ALTER TABLE idempotency_key RESET (fillfactor, autovacuum_vacuum_scale_factor);
      ALTER TABLE usage_minute RESET (fillfactor);
      ALTER TABLE usage_day RESET (fillfactor);
      ALTER TABLE canceled_work RESET (fillfactor);
      ALTER TABLE usage_pending RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
      ALTER TABLE outbox RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)`);
  }
}
