import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a key of the scope `account` manages the keys of its account (decisions: Keys that manage keys). A rotated key keeps
 * its former secret for a while, a budget remembers which key gave it, and the audit trail names the key of a change.
 * Lock: ACCESS EXCLUSIVE on api_key, key_budget and operator_action for a moment each; new columns are null, so no row is
 * rewritten. The next migration builds the indexes and checks the budgets.
 * Way back: drop the columns. A key can then not be rotated; the audit trail loses who made a change.
 */
export class LetKeysManageKeys1795385700000 implements MigrationInterface {
  name = 'LetKeysManageKeys1795385700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_key
        ADD COLUMN created_by uuid REFERENCES api_key,
        ADD COLUMN former_hash bytea,
        ADD COLUMN former_valid_until timestamptz
          CONSTRAINT api_key_former_hash_ends CHECK ((former_hash IS NULL) = (former_valid_until IS NULL))`);
    // A key may give its whole budget away.
    await runner.query(`
      ALTER TABLE key_budget
        ADD COLUMN given_by uuid REFERENCES key_budget,
        DROP CONSTRAINT key_budget_cap_micros_check,
        ADD CONSTRAINT key_budget_cap_micros_check CHECK (cap_micros >= 0) NOT VALID`);
    await runner.query('ALTER TABLE operator_action ADD COLUMN api_key_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operator_action DROP COLUMN api_key_id');
    await runner.query('UPDATE key_budget SET cap_micros = 1 WHERE cap_micros = 0');
    await runner.query(`
      ALTER TABLE key_budget
        DROP COLUMN given_by,
        DROP CONSTRAINT key_budget_cap_micros_check,
        ADD CONSTRAINT key_budget_cap_micros_check CHECK (cap_micros > 0)`);
    await runner.query(
      'ALTER TABLE api_key DROP COLUMN created_by, DROP COLUMN former_hash, DROP COLUMN former_valid_until',
    );
  }
}
