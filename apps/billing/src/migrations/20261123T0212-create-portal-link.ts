import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a link signs a customer in to the console once. The key that it makes is told from the keys of the account's programs.
 * Lock: ACCESS EXCLUSIVE on api_key, for the moment in which a column with a constant default is added; none otherwise, the
 * table is new. Way back: drop the table and the column; links that are not used then stop working.
 */
export class CreatePortalLink1795399920000 implements MigrationInterface {
  name = 'CreatePortalLink1795399920000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE portal_link (
        token_hash bytea PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES account (id),
        scope      text NOT NULL,
        created_by text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT portal_link_scope_check CHECK (scope IN ('read', 'jobs', 'account')),
        CONSTRAINT portal_link_token_is_a_hash CHECK (octet_length(token_hash) = 32)
      )`);
    await runner.query('CREATE INDEX portal_link_of_account ON portal_link (account_id)');
    await runner.query('CREATE INDEX portal_link_by_expiry ON portal_link (expires_at)');
    await runner.query('ALTER TABLE api_key ADD COLUMN is_portal boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN is_portal');
    await runner.query('DROP TABLE portal_link');
  }
}
