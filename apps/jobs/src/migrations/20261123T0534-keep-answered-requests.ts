import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an answer that was sent in full may be lost on its way, and the marked repeat of its request must not be paid for again.
 * Lock: a moment, because the column has no default. Way back: drop it, once no answered request is in the table.
 */
export class KeepAnsweredRequests1795412040000 implements MigrationInterface {
  name = 'KeepAnsweredRequests1795412040000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE unanswered_request ADD COLUMN answered_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM unanswered_request WHERE answered_at IS NOT NULL');
    await runner.query('ALTER TABLE unanswered_request DROP COLUMN answered_at');
  }
}
