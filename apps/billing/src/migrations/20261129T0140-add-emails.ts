import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: e-mail to customers is stored in the transaction of its cause, and sent by a loop.
 * Lock: none, the table is new. Way back: down().
 */
export class AddEmails1795916400000 implements MigrationInterface {
  name = 'AddEmails1795916400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE email (
        id uuid PRIMARY KEY,
        kind text NOT NULL,
        recipient text NOT NULL,
        account_id uuid REFERENCES account,
        subject text NOT NULL,
        -- Texts hold links that sign in, so they are encrypted under a key that is not in the database.
        sealed bytea,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        failure text,
        created_at timestamptz NOT NULL DEFAULT now(),
        sent_at timestamptz,
        ended_at timestamptz,
        CONSTRAINT email_waits_with_its_texts CHECK (ended_at IS NOT NULL OR sealed IS NOT NULL),
        CONSTRAINT email_sent_has_ended CHECK (sent_at IS NULL OR ended_at IS NOT NULL)
      );
      CREATE INDEX email_due ON email (next_attempt_at) WHERE ended_at IS NULL;
      CREATE INDEX email_ended ON email (ended_at) WHERE ended_at IS NOT NULL;
      CREATE INDEX email_to_recipient ON email (recipient)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE email');
  }
}
