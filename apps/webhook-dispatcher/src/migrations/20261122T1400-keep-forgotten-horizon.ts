import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the sweep made deliveries again that retention had pruned. It now begins no earlier than this time, which also
 * holds when the setting is raised later.
 * Lock: ACCESS EXCLUSIVE on sweep, which has one row, for a moment.
 * Way back: drop the column; the sweep then begins again where it had ended.
 */
export class KeepForgottenHorizon1795356000000 implements MigrationInterface {
  name = 'KeepForgottenHorizon1795356000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sweep ADD COLUMN forgotten_before timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sweep DROP COLUMN forgotten_before');
  }
}
