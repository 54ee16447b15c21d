import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a client can delete the content of a job; its deliveries then carry what is left, and lose their address when they have
 * ended. Lock: ACCESS EXCLUSIVE on delivery, for the moment in which a column without a default is added. Way back: drop it.
 */
export class DeleteContent1795385700000 implements MigrationInterface {
  name = 'DeleteContent1795385700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE delivery ADD COLUMN content_deleted_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE delivery DROP COLUMN content_deleted_at');
  }
}
