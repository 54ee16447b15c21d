import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: clients ask how far a job is and when it will end. An attempt keeps what its backend reports; `run_time` counts the run
 * times of ended jobs by the minute, so that an estimate reads a few hundred rows and not the jobs of an hour. Lock: ACCESS
 * EXCLUSIVE on attempt for the moment in which columns without a default are added. Way back: drop them.
 */
export class RecordProgress1795386000000 implements MigrationInterface {
  name = 'RecordProgress1795386000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE attempt ADD COLUMN progress real, ADD COLUMN progress_at timestamptz, ADD COLUMN queued_ahead integer`);
    await runner.query(`
      CREATE TABLE run_time (
        minute timestamptz NOT NULL,
        model text NOT NULL,
        kind text NOT NULL,
        size_class integer NOT NULL,
        provider text NOT NULL,
        bucket integer NOT NULL,
        jobs integer NOT NULL,
        CONSTRAINT run_time_pkey PRIMARY KEY (minute, model, kind, size_class, provider, bucket)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE run_time');
    await runner.query('ALTER TABLE attempt DROP COLUMN progress, DROP COLUMN progress_at, DROP COLUMN queued_ahead');
  }
}
