import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: people with an e-mail and a password are members of accounts.
 * Lock: none, the tables are new. Way back: down().
 */
export class AddUsers1795917480000 implements MigrationInterface {
  name = 'AddUsers1795917480000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE customer_user (
        id uuid PRIMARY KEY,
        -- In lower case.
        email text NOT NULL,
        -- Parameters and salt of scrypt, and the SHA-256 of what it derives.
        password_salt text,
        password_hash bytea,
        -- Issuer and subject at an identity provider.
        subject text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT customer_user_has_whole_password CHECK ((password_salt IS NULL) = (password_hash IS NULL))
      );
      CREATE UNIQUE INDEX customer_user_by_email ON customer_user (email);
      CREATE UNIQUE INDEX customer_user_by_subject ON customer_user (subject) WHERE subject IS NOT NULL;
      CREATE TABLE account_member (
        account_id uuid NOT NULL REFERENCES account,
        user_id uuid NOT NULL REFERENCES customer_user,
        role text NOT NULL CHECK (role IN ('owner', 'billing', 'developer', 'viewer')),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, user_id)
      );
      CREATE INDEX account_member_of_user ON account_member (user_id, created_at);
      CREATE TABLE user_link (
        token_hash bytea PRIMARY KEY,
        purpose text NOT NULL CHECK (purpose IN ('sign_up', 'reset', 'invitation')),
        email text NOT NULL,
        domain text NOT NULL,
        account_id uuid REFERENCES account,
        role text CHECK (role IN ('owner', 'billing', 'developer', 'viewer')),
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        CONSTRAINT user_link_token_is_a_hash CHECK (octet_length(token_hash) = 32),
        CONSTRAINT user_link_of_invitation CHECK ((purpose = 'invitation') = (account_id IS NOT NULL AND role IS NOT NULL))
      );
      CREATE INDEX user_link_to_email ON user_link (email, created_at);
      CREATE INDEX user_link_to_domain ON user_link (domain, created_at);
      CREATE INDEX user_link_of_account ON user_link (account_id, created_at) WHERE account_id IS NOT NULL;
      CREATE INDEX user_link_by_expiry ON user_link (expires_at);
      -- Who has had the credit of a sign-up; a hash, because it outlives the user.
      CREATE TABLE sign_up_credit (
        address_hash bytea PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES account
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_up_credit, user_link, account_member, customer_user');
  }
}
