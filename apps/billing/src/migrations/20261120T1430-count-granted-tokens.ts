import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a statement that takes several tokens of a bucket must tell how many it got, and an update returns only what the
 * row has become.
 * Lock: ACCESS EXCLUSIVE on rate_bucket for a moment; the default is in the catalog, so that no row is rewritten.
 * Way back: drop the column, after the code that takes several tokens at once.
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
