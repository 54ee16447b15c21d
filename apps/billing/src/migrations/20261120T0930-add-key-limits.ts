import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a key may be limited to some models, and to a spending cap per day or month.
 * Lock: ACCESS EXCLUSIVE on api_key and hold for a moment; the new columns are null, so no row is rewritten.
 * Way back: drop the table and the columns; every key is then bound by its account's balance only.
 */
export class AddKeyLimits1795167000000 implements MigrationInterface {
  name = 'AddKeyLimits1795167000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_key ADD COLUMN allowed_models text[]
        CONSTRAINT api_key_allows_some_model CHECK (cardinality(allowed_models) > 0)`);
    // One row per capped key. It counts one period; the first job of a later period resets it.
    await runner.query(`
      CREATE TABLE key_budget (
        api_key_id   uuid PRIMARY KEY REFERENCES api_key,
        cap_micros   bigint NOT NULL CHECK (cap_micros > 0),
        period       text NOT NULL CHECK (period IN ('day', 'month')),
        period_start date NOT NULL,
        spent_micros bigint NOT NULL DEFAULT 0,
        CONSTRAINT key_budget_is_kept CHECK (spent_micros BETWEEN 0 AND cap_micros)
      ) WITH (fillfactor = 50)`);
    // The capped key and the period that counted the hold: a refund subtracts from that period, or from none.
    await runner.query(`
      ALTER TABLE hold
        ADD COLUMN budget_key_id uuid,
        ADD COLUMN budget_period_start date,
        ADD CONSTRAINT hold_is_counted_in_a_period CHECK ((budget_key_id IS NULL) = (budget_period_start IS NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE hold DROP COLUMN budget_key_id, DROP COLUMN budget_period_start');
    await runner.query('DROP TABLE key_budget');
    await runner.query('ALTER TABLE api_key DROP COLUMN allowed_models');
  }
}
