import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a key that a member's sign-in has made does what the member's role allows.
 * Lock: for a moment, the columns are empty. Way back: down().
 */
export class MarkSessionKeys1795917540000 implements MigrationInterface {
  name = 'MarkSessionKeys1795917540000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key ADD COLUMN user_id uuid, ADD COLUMN member_role text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN user_id, DROP COLUMN member_role');
  }
}
