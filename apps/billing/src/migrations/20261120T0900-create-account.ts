import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: stores accounts, their API keys, and the secrets that sign their webhooks.
 * Lock: none, the tables are new. Way back: drop them, after the tables that refer to them.
 */
export class CreateAccount1795165200000 implements MigrationInterface {
  name = 'CreateAccount1795165200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account (
        id             uuid PRIMARY KEY,
        name           text NOT NULL,
        status         text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'suspended', 'closed')),
        status_reason  text,
        rate_limit_rpm bigint NOT NULL CHECK (rate_limit_rpm > 0),
        retention_days integer NOT NULL CHECK (retention_days BETWEEN 1 AND 365),
        created_at     timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE api_key (
        id           uuid PRIMARY KEY,
        account_id   uuid NOT NULL REFERENCES account,
        name         text NOT NULL,
        prefix       text NOT NULL,
        -- HMAC-SHA256 of the key's SHA-256 under a pepper that is not in the database.
        hash         bytea NOT NULL UNIQUE,
        created_at   timestamptz NOT NULL DEFAULT now(),
        expires_at   timestamptz,
        revoked_at   timestamptz,
        last_used_at timestamptz
      )`);
    await runner.query('CREATE INDEX api_key_of_account ON api_key (account_id, id)');
    await runner.query(`
      CREATE TABLE webhook_secret (
        id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id  uuid NOT NULL REFERENCES account,
        -- In clear text, because signing needs it.
        secret      text NOT NULL,
        created_at  timestamptz NOT NULL DEFAULT now(),
        -- Null for the current secret.
        valid_until timestamptz
      )`);
    await runner.query('CREATE INDEX webhook_secret_of_account ON webhook_secret (account_id, id)');
    await runner.query(
      'CREATE UNIQUE INDEX webhook_secret_current ON webhook_secret (account_id) WHERE valid_until IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_secret, api_key, account');
  }
}
