import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a decision says by which policy and which versions of the engines it was made, and what they found, so that it can be
 * explained, and looked at again under another policy. Decisions of before cannot say it, so the rule holds for new ones only.
 * Lock: the table is closed for the moment that its definition changes; no row is rewritten. Way back: drop the columns.
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
