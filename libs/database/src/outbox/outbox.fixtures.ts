import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that a context with events creates in one of its migrations. */
export class CreateOutboxAndInbox1795165200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id uuid PRIMARY KEY,
        subject text NOT NULL,
        payload json NOT NULL,
        traceparent text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE TABLE inbox (
        consumer text NOT NULL,
        message_id text NOT NULL,
        received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (consumer, message_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox, inbox');
  }
}
