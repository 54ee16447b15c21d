import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a statement that takes several tokens of a bucket must return how many it got, and UPDATE … RETURNING returns only
 * the new row.
 * Lock: ACCESS EXCLUSIVE on rate_bucket for a moment; the default is in the catalog, so no row is rewritten.
 * Way back: drop the column, after the code that takes several tokens at once is gone.
 */
export class CountGrantedTokens1795185000000 implements MigrationInterface {
  name = 'CountGrantedTokens1795185000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rate_bucket ADD COLUMN granted bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rate_bucket DROP COLUMN granted');
  }
}
