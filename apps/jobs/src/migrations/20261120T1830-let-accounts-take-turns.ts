import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: jobs of a model were taken in the order in which they came, so that one account's thousands held up everybody.
 * Now a job has a place in its lane, by what its account has waiting before it.
 * Lock: nobody can write jobs while the indexes of those that wait are built, a moment. Jobs that wait already keep their
 * order, since they all have the first place. Way back: down().
 */
export class LetAccountsTakeTurns1795199400000 implements MigrationInterface {
  name = 'LetAccountsTakeTurns1795199400000';

  async up(runner: QueryRunner): Promise<void> {
    // A place in the line of a model, in micros: by how much work of the same account was in line when it came.
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
