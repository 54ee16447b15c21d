import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the overview shows the last results of the checks that operators run. Lock: none on tables that exist. Way back: down(),
 * which loses the results.
 */
export class KeepCheckResults1795411200000 implements MigrationInterface {
  name = 'KeepCheckResults1795411200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE check_result (
        name     text PRIMARY KEY,
        ok       boolean NOT NULL,
        summary  text NOT NULL,
        problems jsonb NOT NULL,
        actor    text NOT NULL,
        ran_at   timestamptz NOT NULL,
        CONSTRAINT check_result_name_check CHECK (name IN ('doctor', 'ledger_verify'))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE check_result');
  }
}
