import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: by default a table is vacuumed when a fifth of it is dead. Of a million jobs that is hours of dead rows, which every sweep steps over; an
 * outbox and the list of what is to be added up are empty most of the time, and are nothing but dead rows. What is updated without
 * touching an index has room on its page, so that no index has to learn of it.
 * Lock: SHARE UPDATE EXCLUSIVE on each table for a moment, for which no reader and no writer waits; rows stay where they are.
 * Way back: down().
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
