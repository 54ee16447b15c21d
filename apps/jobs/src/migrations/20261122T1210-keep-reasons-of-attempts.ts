import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an operator who looks at a job is to see why an attempt failed, which only the log said.
 * Lock: ACCESS EXCLUSIVE on attempt for the moment in which a column without a default is added. Way back: drop it.
 */
export class KeepReasonsOfAttempts1795349400000 implements MigrationInterface {
  name = 'KeepReasonsOfAttempts1795349400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt ADD COLUMN reason text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt DROP COLUMN reason');
  }
}
