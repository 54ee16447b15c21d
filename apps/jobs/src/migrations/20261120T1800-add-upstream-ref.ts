import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: most backends choose the id of a task themselves, and return the addresses at which it can be polled. Lock: ACCESS
 * EXCLUSIVE on attempt for a moment; a column without a default rewrites no rows. Way back: down().
 */
export class AddUpstreamRef1795197600000 implements MigrationInterface {
  name = 'AddUpstreamRef1795197600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt ADD COLUMN upstream_ref json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt DROP COLUMN upstream_ref');
  }
}
