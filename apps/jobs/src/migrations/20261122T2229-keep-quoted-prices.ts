import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a quote holds a price for ten minutes, so a job may cost something else than the price list says. The operator sees these
 * jobs by the price that the list had.
 * Lock: ACCESS EXCLUSIVE on job, for the moment in which columns without a default are added. The index is built beside reads and
 * writes. Repeatable as a whole, as a migration without a transaction must be. Way back: down(), which drops all three.
 */
export class KeepQuotedPrices1795386540000 implements MigrationInterface {
  name = 'KeepQuotedPrices1795386540000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE job ADD COLUMN IF NOT EXISTS quote_id text, ADD COLUMN IF NOT EXISTS list_micros bigint',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS job_sold_under_quote');
    await runner.query(
      'CREATE INDEX CONCURRENTLY job_sold_under_quote ON job (created_at) WHERE list_micros <> price_micros',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS job_sold_under_quote');
    await runner.query('ALTER TABLE job DROP COLUMN IF EXISTS quote_id, DROP COLUMN IF EXISTS list_micros');
  }
}
