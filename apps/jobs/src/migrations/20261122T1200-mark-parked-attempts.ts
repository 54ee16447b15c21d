import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a task that its backend has parked (it waits out a delay) uses nothing of the instance, and must not take one of its few
 * places. Places are counted from the rows, over all processes. Lock: ACCESS EXCLUSIVE on attempt for the moment in which a
 * column with a constant default is added. Way back: drop it.
 */
export class MarkParkedAttempts1795348800000 implements MigrationInterface {
  name = 'MarkParkedAttempts1795348800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt ADD COLUMN parked boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt DROP COLUMN parked');
  }
}
