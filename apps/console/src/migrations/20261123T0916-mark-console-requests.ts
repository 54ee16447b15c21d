import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the pages of the console poll the API with the key of their session, and would fill the request log of a customer who
 * looks for the requests of programs. Earlier rows count as those of programs until their partitions are dropped.
 * Lock: ACCESS EXCLUSIVE on request_log for a moment; the default is in the catalog, so no row is rewritten. Way back: down().
 */
export class MarkConsoleRequests1795425360000 implements MigrationInterface {
  name = 'MarkConsoleRequests1795425360000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE request_log ADD COLUMN from_console boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE request_log DROP COLUMN from_console');
  }
}
