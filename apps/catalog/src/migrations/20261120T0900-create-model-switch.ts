import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: models are defined in files; a row is needed only for a model that an operator switches at run time.
 * Lock: none, the table is new. Way back: drop it, after which every model is enabled.
 */
export class CreateModelSwitch1795165200000 implements MigrationInterface {
  name = 'CreateModelSwitch1795165200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE model_switch (
        model_id   text PRIMARY KEY,
        enabled    boolean NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE model_switch');
  }
}
