import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a client can delete the outputs and the content of an ended job. The row keeps when that was requested and done, so that no
 * link is signed from then on, and so that a sweep deletes the files which a failed request has left. Lock: ACCESS EXCLUSIVE on
 * job, for the moment in which columns without a default are added. Way back: drop them; what is deleted stays deleted.
 */
export class DeleteOnRequest1795385160000 implements MigrationInterface {
  name = 'DeleteOnRequest1795385160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE job ADD COLUMN deletion_requested_at timestamptz, ADD COLUMN content_deleted_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job DROP COLUMN deletion_requested_at, DROP COLUMN content_deleted_at');
  }
}
