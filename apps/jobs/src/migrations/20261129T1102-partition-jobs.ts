import { joinPartitions, partitionByRange } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MONTHLY_TABLES } from './20261129T1100-bound-first-jobs';

/**
 * Why: a month of jobs and their attempts is dropped as a whole, and indexes stay small.
 * Lock: job and attempt, for milliseconds; no row is read. An attempt's foreign key would forbid to drop the month of its job.
 * Way back: while there is a first partition, it takes the rows of the later ones, which locks the tables while they are copied.
 */
export class PartitionJobs1795950120000 implements MigrationInterface {
  name = 'PartitionJobs1795950120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE attempt DROP CONSTRAINT attempt_job_id_fkey');
    for (const table of MONTHLY_TABLES) await partitionByRange(runner, table);
    await runner.query('CREATE TABLE partition_lease (table_name text PRIMARY KEY, begun_at timestamptz NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE partition_lease');
    for (const table of MONTHLY_TABLES) await joinPartitions(runner, table);
    await runner.query(
      'ALTER TABLE attempt ADD CONSTRAINT attempt_job_id_fkey FOREIGN KEY (job_id) REFERENCES job (id) NOT VALID',
    );
  }
}
