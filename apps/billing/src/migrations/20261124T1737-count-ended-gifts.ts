import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a revocation counted what the revoked key had spent as spent by the key that gave the budget, without the holds that
 * say so. The books of such a budget say now how much of it ended gifts have spent. A full verification reports budgets with
 * earlier revocations until their period ends.
 * Lock: ACCESS EXCLUSIVE on key_budget for a moment; the default is a constant, so no row is rewritten.
 * Way back: drop the columns. A full verification then reports these budgets until their period ends.
 */
export class CountEndedGifts1795541820000 implements MigrationInterface {
  name = 'CountEndedGifts1795541820000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE key_budget
        ADD COLUMN ended_gifts_micros bigint NOT NULL DEFAULT 0,
        ADD COLUMN ended_gifts_period date`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE key_budget DROP COLUMN ended_gifts_micros, DROP COLUMN ended_gifts_period');
  }
}
