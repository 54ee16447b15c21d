import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: billing suspends an account when moderation publishes too many strikes; the inbox makes each event take effect
 * once.
 * Lock: none, the table is new. Way back: drop it; suspensions stay as they are.
 */
export class CreateInbox1795201200000 implements MigrationInterface {
  /** The name in the table of applied migrations: with another one, a running installation would repeat the migration. */
  name = 'HearOfStrikes1795201200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE inbox (
        consumer    text NOT NULL,
        message_id  text NOT NULL,
        received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (consumer, message_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE inbox');
  }
}
