import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: operators set prices, and factors of price groups, without a restart.
 * Lock: none, the table is new. Way back: down() loses what was set; the prices of the catalog hold again.
 */
export class AddPriceChanges1795938000000 implements MigrationInterface {
  name = 'AddPriceChanges1795938000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE price_change (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        model_id text NOT NULL,
        price_group text NOT NULL,
        per text,
        micros bigint,
        micros_by_size jsonb NOT NULL DEFAULT '{}',
        factor_basis_points integer,
        effective_from timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        actor text,
        reason text,
        CONSTRAINT price_change_sets_one CHECK (
          CASE WHEN model_id = '' THEN price_group <> '' AND factor_basis_points IS NOT NULL AND micros IS NULL
               ELSE factor_basis_points IS NULL END
        ),
        CONSTRAINT price_change_amounts CHECK (micros >= 0 AND factor_basis_points >= 0)
      );
      CREATE INDEX price_change_in_force ON price_change (model_id, price_group, effective_from, id);
      CREATE INDEX price_change_of_model ON price_change (model_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE price_change');
  }
}
