import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a task that waits at its backend behind another one begins when that one ends; and operators see the last hour of an instance.
 * Lock: ACCESS EXCLUSIVE for an instant, since a nullable column rewrites nothing. Way back: drops it.
 */
export class AddEndsOfInstanceRuns1795902600000 implements MigrationInterface {
  name = 'AddEndsOfInstanceRuns1795902600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instance_run ADD COLUMN ended_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instance_run DROP COLUMN ended_at');
  }
}
