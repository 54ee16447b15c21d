import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a strike may be lifted, with a reason, and stays on record; who must act on strikes hears of them through an outbox.
 * Lock: `strike` is closed for the moment that its definition changes; no row is rewritten. Way back: drop what is new; lifted
 * strikes count again.
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
