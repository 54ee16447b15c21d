import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: gateways lease tokens of a bucket. Billing must see how many are leased and until when: it recalls them before it
 * refuses a request, and it answers a command only after the leases of the account have ended.
 * Lock: ACCESS EXCLUSIVE on rate_bucket for a moment; the default is in the catalog, so no row is rewritten.
 * Way back: drop the columns, after the code that leases tokens is gone.
 */
export class LeaseTokens1795374420000 implements MigrationInterface {
  name = 'LeaseTokens1795374420000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE rate_bucket ADD COLUMN leased_micros bigint NOT NULL DEFAULT 0, ADD COLUMN leased_until timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rate_bucket DROP COLUMN leased_micros, DROP COLUMN leased_until');
  }
}
