import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a decision records its policy, the versions of the engines and their findings, so that it can be explained and replayed
 * under another policy. Older decisions lack them, so the check applies to new rows only.
 * Lock: ACCESS EXCLUSIVE for the change of the definition; no row is rewritten. Way back: drop the columns.
 */
export class RecordScores1795201200000 implements MigrationInterface {
  name = 'RecordScores1795201200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE decision ADD COLUMN policy_version text, ADD COLUMN engines json, ADD COLUMN findings json',
    );
    await runner.query(`
      ALTER TABLE decision ADD CONSTRAINT decision_says_how
        CHECK (policy_version IS NOT NULL AND engines IS NOT NULL AND findings IS NOT NULL) NOT VALID`);
    await runner.query('CREATE INDEX decision_by_account ON decision (account_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX decision_by_account');
    await runner.query('ALTER TABLE decision DROP COLUMN policy_version, DROP COLUMN engines, DROP COLUMN findings');
  }
}
