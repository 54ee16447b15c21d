import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: operators see the ledger by day. Entries of ended hours never change, so they are summed up once; the BRIN index finds
 * the entries of an hour, and costs an insert next to nothing. Lock: none that a statement waits for. Repeatable as a whole.
 * Way back: down().
 */
export class SumLedgerHours1795397520000 implements MigrationInterface {
  name = 'SumLedgerHours1795397520000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'ledger_entry_by_time',
      definition: 'ON ledger_entry USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on)',
    });
    await runner.query(`
      CREATE TABLE IF NOT EXISTS ledger_hour (
        hour timestamptz NOT NULL,
        kind text NOT NULL,
        entries bigint NOT NULL,
        amount_micros bigint NOT NULL,
        PRIMARY KEY (hour, kind)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS ledger_hour');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ledger_entry_by_time');
  }
}
