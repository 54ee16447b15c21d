import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a session knows the member who signed in, and the member's role.
 * Lock: for a moment, the columns are empty. Way back: down().
 */
export class AddMembersSessions1795917480000 implements MigrationInterface {
  name = 'AddMembersSessions1795917480000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE session ADD COLUMN member_id uuid, ADD COLUMN member_role text, ADD COLUMN member_email text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session DROP COLUMN member_id, DROP COLUMN member_role, DROP COLUMN member_email');
  }
}
