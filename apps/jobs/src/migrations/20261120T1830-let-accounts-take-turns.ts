import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the jobs of a model were claimed in the order of their creation, so one account with thousands of jobs delayed all
 * others. Now a job has a rank in the queue of its model, by the cost of its account's jobs before it. Lock: writes of jobs
 * wait for a moment while the indexes of waiting jobs are built. Waiting jobs keep their order, because they all have the first
 * rank. Way back: down().
 */
export class LetAccountsTakeTurns1795199400000 implements MigrationInterface {
  name = 'LetAccountsTakeTurns1795199400000';

  async up(runner: QueryRunner): Promise<void> {
    // The rank in the queue of a model, in micros: the cost of the same account's waiting jobs at its creation.
    await runner.query('ALTER TABLE job ADD COLUMN turn bigint NOT NULL DEFAULT 0');
    await runner.query('CREATE INDEX job_by_turn ON job (model, turn, claimable_at) WHERE claimable_at IS NOT NULL');
    await runner.query(
      'CREATE INDEX job_by_turn_of_account ON job (model, account_id, turn) WHERE claimable_at IS NOT NULL',
    );
    await runner.query('DROP INDEX job_claimable, job_backlog');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX job_claimable ON job (provider, claimable_at) WHERE claimable_at IS NOT NULL');
    await runner.query('CREATE INDEX job_backlog ON job (model) WHERE claimable_at IS NOT NULL');
    await runner.query('DROP INDEX job_by_turn, job_by_turn_of_account');
    await runner.query('ALTER TABLE job DROP COLUMN turn');
  }
}
