import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a revocation counted what the revoked key had spent as spent by the key that gave the budget, without the holds that
 * say so. The books of such a budget say now how much of it ended gifts have spent. Earlier revocations of the present period
 * are mended by the difference.
 * Lock: ACCESS EXCLUSIVE on key_budget for a moment; the default is a constant, so no row is rewritten. The update writes
 * only budgets of which a revoked key had a part.
 * Way back: drop the columns. A full verification then reports these budgets until their period ends.
 */
export class CountEndedGifts1795541820000 implements MigrationInterface {
  name = 'CountEndedGifts1795541820000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE key_budget
        ADD COLUMN ended_gifts_micros bigint NOT NULL DEFAULT 0,
        ADD COLUMN ended_gifts_period date`);
    await runner.query(`
      UPDATE key_budget AS giver SET ended_gifts_micros = spent_micros - held, ended_gifts_period = period_start
      FROM (SELECT known.api_key_id, coalesce(sum(amount_micros), 0)::bigint AS held
            FROM key_budget AS known LEFT JOIN hold
              ON state IN ('held', 'captured') AND (budget_key_id, budget_period_start) = (known.api_key_id, known.period_start)
            WHERE EXISTS (SELECT FROM key_budget AS gift JOIN api_key ON api_key.id = gift.api_key_id
                          WHERE gift.given_by = known.api_key_id AND revoked_at IS NOT NULL)
            GROUP BY known.api_key_id) AS counted
      WHERE counted.api_key_id = giver.api_key_id AND spent_micros > held`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE key_budget DROP COLUMN ended_gifts_micros, DROP COLUMN ended_gifts_period');
  }
}
