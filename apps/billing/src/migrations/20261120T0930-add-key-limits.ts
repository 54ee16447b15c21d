import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a key may be bound to some models, and to a sum that its jobs may cost in a day or a month.
 * Lock: ACCESS EXCLUSIVE on api_key and hold for a moment; the new columns are null, so that no row is rewritten.
 * Way back: drop the table and the columns; every key is then bound by its account's balance only.
 */
export class AddKeyLimits1795167000000 implements MigrationInterface {
  name = 'AddKeyLimits1795167000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_key ADD COLUMN allowed_models text[]
        CONSTRAINT api_key_allows_some_model CHECK (cardinality(allowed_models) > 0)`);
    // One row for each capped key, which counts one period and is turned to the next by the first job of that.
    await runner.query(`
      CREATE TABLE key_budget (
        api_key_id   uuid PRIMARY KEY REFERENCES api_key,
        cap_micros   bigint NOT NULL CHECK (cap_micros > 0),
        period       text NOT NULL CHECK (period IN ('day', 'month')),
        period_start date NOT NULL,
        spent_micros bigint NOT NULL DEFAULT 0,
        CONSTRAINT key_budget_is_kept CHECK (spent_micros BETWEEN 0 AND cap_micros)
      ) WITH (fillfactor = 50)`);
    // In which period of which capped key a hold was counted: a refund gives it back to that one, or to none.
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
