import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: …
 * Lock: … Way back: …
 */
export class AddInstanceRuns1795892220000 implements MigrationInterface {
  name = 'AddInstanceRuns1795892220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('');
  }
}
