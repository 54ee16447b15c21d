import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: GPU time that was known before the cancel of an attempt, such as that of a failure, was missing in the account's
 * canceled work. The new column holds the part that is counted already, so that each millisecond is counted once. Earlier
 * attempts count nothing. Lock: ACCESS EXCLUSIVE on attempt for the moment in which a column without a default is added. Way
 * back: drop it.
 */
export class CountGpuTimeOfFailures1795350000000 implements MigrationInterface {
  name = 'CountGpuTimeOfFailures1795350000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt ADD COLUMN counted_gpu_ms bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt DROP COLUMN counted_gpu_ms');
  }
}
