import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a list with a filter by status or model read every job of the account that the filter excluded. With the status in the
 * index, any list is merged from one short range for each status, so the index without the status is dropped. Lock: writes of
 * jobs wait while the two indexes are built, some seconds for a million. Way back: down().
 */
export class IndexJobLists1795185600000 implements MigrationInterface {
  name = 'IndexJobLists1795185600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL statement_timeout = '10min'`);
    await runner.query('CREATE INDEX job_by_status ON job (account_id, status, created_at DESC, id DESC)');
    await runner.query('CREATE INDEX job_by_model ON job (account_id, model, status, created_at DESC, id DESC)');
    await runner.query('DROP INDEX job_newest_first');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX job_newest_first ON job (account_id, created_at DESC, id DESC)');
    await runner.query('DROP INDEX job_by_status, job_by_model');
  }
}
