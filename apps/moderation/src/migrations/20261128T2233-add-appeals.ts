import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a customer may ask an operator to look at a block once more.
 * Lock: none, the table is new. Way back: drops it with the appeals; strikes that they have lifted stay lifted.
 */
export class AddAppeals1795905180000 implements MigrationInterface {
  name = 'AddAppeals1795905180000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE appeal (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        job_id uuid NOT NULL CONSTRAINT appeal_once_a_job UNIQUE,
        decision_id uuid NOT NULL REFERENCES decision (id),
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'upheld', 'lifted')),
        decided_at timestamptz,
        decided_by text,
        reason text,
        CONSTRAINT appeal_decided_for_a_reason CHECK
          ((status = 'open') = (decided_at IS NULL) AND (status = 'open') = (reason IS NULL))
      );
      CREATE INDEX appeal_by_status ON appeal (status, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE appeal');
  }
}
