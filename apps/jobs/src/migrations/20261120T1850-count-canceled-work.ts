import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a cancel is free for the account, and the GPU may have worked for it all the same; an operator wants to see whose
 * cancels cost how much. Lock: none that anybody waits for, the table is new. Way back: down(), which forgets the counts.
 */
export class CountCanceledWork1795200600000 implements MigrationInterface {
  name = 'CountCanceledWork1795200600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE canceled_work (
        account_id uuid PRIMARY KEY,
        -- Attempts that providers were told to stop, those that were done by then, and what all of them are known to have taken.
        attempts bigint NOT NULL,
        too_late bigint NOT NULL,
        gpu_ms bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE canceled_work');
  }
}
