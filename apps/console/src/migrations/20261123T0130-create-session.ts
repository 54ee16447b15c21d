import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: sessions must end for every process of the console at the same moment, and outlive a restart.
 * Lock: none, the table is new. Way back: drop it, after which everybody signs in again.
 */
export class CreateSession1795397400000 implements MigrationInterface {
  name = 'CreateSession1795397400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE session (
        id              bytea PRIMARY KEY,
        kind            text NOT NULL,
        account_id      uuid,
        api_key_id      uuid,
        key_prefix      text,
        scope           text,
        is_portal       boolean NOT NULL DEFAULT false,
        credential      bytea,
        user_id         uuid,
        confirmed_until timestamptz,
        address         text NOT NULL,
        user_agent      text NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        expires_at      timestamptz NOT NULL,
        CONSTRAINT session_kind_check CHECK (kind IN ('customer', 'operator')),
        CONSTRAINT session_id_is_a_hash CHECK (octet_length(id) = 32),
        CONSTRAINT session_of_customer CHECK (
          (kind = 'customer') = (account_id IS NOT NULL AND credential IS NOT NULL AND scope IS NOT NULL)),
        CONSTRAINT session_of_operator CHECK ((kind = 'operator') = (user_id IS NOT NULL))
      )`);
    await runner.query(
      'CREATE INDEX session_of_account ON session (account_id, created_at) WHERE account_id IS NOT NULL',
    );
    await runner.query('CREATE INDEX session_of_user ON session (user_id, created_at) WHERE user_id IS NOT NULL');
    await runner.query('CREATE INDEX session_by_expiry ON session (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE session');
  }
}
