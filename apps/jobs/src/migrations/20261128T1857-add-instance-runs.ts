import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: which model an instance runs next depends on what it has loaded, on what a load costs there, and on how long others wait.
 * Lock: none, the table is new. Way back: drops it; the costs are measured anew.
 */
export class AddInstanceRuns1795892220000 implements MigrationInterface {
  name = 'AddInstanceRuns1795892220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE instance_run (
        job_id uuid NOT NULL,
        number integer NOT NULL,
        provider text NOT NULL,
        account_id uuid NOT NULL,
        model text NOT NULL,
        template text NOT NULL,
        arrived_at timestamptz NOT NULL,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        is_load boolean NOT NULL,
        is_loaded boolean NOT NULL DEFAULT true,
        gpu_ms bigint,
        PRIMARY KEY (job_id, number)
      );
      CREATE INDEX instance_run_by_start ON instance_run (provider, started_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE instance_run');
  }
}
