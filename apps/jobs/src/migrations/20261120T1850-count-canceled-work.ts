import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a cancel is free for the account, but the GPU may have worked on the job. Operators need the cost of an account's
 * cancels. Lock: none that a statement waits for, because the table is new. Way back: down(), which loses the counts.
 */
export class CountCanceledWork1795200600000 implements MigrationInterface {
  name = 'CountCanceledWork1795200600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE canceled_work (
        account_id uuid PRIMARY KEY,
        -- Attempts that were canceled at providers, those that were done by then, and the known GPU time of all of them.
        attempts bigint NOT NULL,
        too_late bigint NOT NULL,
        gpu_ms bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE canceled_work');
  }
}
