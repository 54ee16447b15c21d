import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the page of a request shows its error and the size of its body, and never the body.
 * Lock: for a moment, also of the partitions; the columns are empty. Way back: down().
 */
export class DescribeRequests1795937760000 implements MigrationInterface {
  name = 'DescribeRequests1795937760000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE request_log ADD COLUMN message text, ADD COLUMN param text, ADD COLUMN bytes bigint',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE request_log DROP COLUMN message, DROP COLUMN param, DROP COLUMN bytes');
  }
}
