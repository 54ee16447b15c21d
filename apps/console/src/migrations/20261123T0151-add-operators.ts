import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: operators have accounts of their own in the console, and what they do is on record.
 * Lock: none, the tables are new. Way back: drop them, after which no operator can sign in.
 */
export class AddOperators1795398660000 implements MigrationInterface {
  name = 'AddOperators1795398660000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operator_user (
        id          uuid PRIMARY KEY,
        email       text NOT NULL,
        role        text NOT NULL,
        password    text,
        subject     text,
        created_by  text,
        created_at  timestamptz NOT NULL DEFAULT now(),
        disabled_at timestamptz,
        CONSTRAINT operator_user_role_check CHECK (role IN ('owner', 'finance', 'support', 'viewer')),
        CONSTRAINT operator_user_email_is_lower CHECK (email = lower(email))
      )`);
    await runner.query('CREATE UNIQUE INDEX operator_user_email ON operator_user (email)');
    await runner.query(
      'CREATE UNIQUE INDEX operator_user_subject ON operator_user (subject) WHERE subject IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE setup_link (
        id         bytea PRIMARY KEY,
        user_id    uuid NOT NULL REFERENCES operator_user (id),
        expires_at timestamptz NOT NULL,
        CONSTRAINT setup_link_id_is_a_hash CHECK (octet_length(id) = 32)
      )`);
    await runner.query('CREATE INDEX setup_link_of_user ON setup_link (user_id)');
    await runner.query(`
      CREATE TABLE audit_entry (
        id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at         timestamptz NOT NULL DEFAULT clock_timestamp(),
        user_id    uuid,
        actor      text NOT NULL,
        action     text NOT NULL,
        target     text,
        account_id uuid,
        reason     text,
        before     jsonb,
        after      jsonb,
        outcome    text NOT NULL DEFAULT 'unknown',
        request_id text NOT NULL
      )`);
    await runner.query(
      'CREATE INDEX audit_entry_of_account ON audit_entry (account_id, id) WHERE account_id IS NOT NULL',
    );
    await runner.query('CREATE INDEX audit_entry_of_user ON audit_entry (user_id, id) WHERE user_id IS NOT NULL');
    await runner.query(`
      CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $function$
      BEGIN
        IF TG_OP = 'UPDATE' AND OLD.outcome = 'unknown' AND (to_jsonb(NEW) - 'outcome' - 'after') = (to_jsonb(OLD) - 'outcome' - 'after') THEN
          RETURN NEW;
        END IF;
        RAISE EXCEPTION 'audit entries cannot change' USING ERRCODE = 'object_not_in_prerequisite_state';
      END $function$`);
    await runner.query(
      'CREATE TRIGGER audit_entry_is_kept BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION keep_audit_entry()',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entry');
    await runner.query('DROP FUNCTION keep_audit_entry');
    await runner.query('DROP TABLE setup_link');
    await runner.query('DROP TABLE operator_user');
  }
}
