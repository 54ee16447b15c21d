import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: operators who inspect a job need the reason why an attempt failed, which only the log contained. Lock: ACCESS EXCLUSIVE
 * on attempt for the moment in which a column without a default is added. Way back: drop it.
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
