import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an operator may lift a strike, with a reason; the strike stays on record. An outbox publishes strikes to other
 * contexts.
 * Lock: ACCESS EXCLUSIVE on `strike` for the change of its definition; no row is rewritten. Way back: drop the new table and
 * columns; lifted strikes then count again.
 */
export class LiftStrikes1795201800000 implements MigrationInterface {
  name = 'LiftStrikes1795201800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE strike
        ADD COLUMN lifted_at timestamptz,
        ADD COLUMN lifted_by text,
        ADD COLUMN lift_reason text,
        ADD CONSTRAINT strike_lifted_for_a_reason CHECK ((lifted_at IS NULL) = (lift_reason IS NULL))`);
    await runner.query(`
      CREATE TABLE outbox (
        id         uuid PRIMARY KEY,
        subject    text NOT NULL,
        payload    json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
    await runner.query('ALTER TABLE strike DROP COLUMN lifted_at, DROP COLUMN lifted_by, DROP COLUMN lift_reason');
  }
}
