import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a key has a scope (decisions: Scopes of keys). Existing keys, and keys that the release before makes during an
 * upgrade, get what they could do already.
 * Lock: ACCESS EXCLUSIVE on api_key for the moment in which the check reads it; the default is in the catalog, so no row is
 * rewritten.
 * Way back: drop the column; every key can then do what `jobs` allows, also a key that was made to read only.
 */
export class AddKeyScopes1795385040000 implements MigrationInterface {
  name = 'AddKeyScopes1795385040000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_key ADD COLUMN scope text NOT NULL DEFAULT 'jobs'
        CONSTRAINT api_key_scope_check CHECK (scope IN ('read', 'jobs', 'account'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN scope');
  }
}
