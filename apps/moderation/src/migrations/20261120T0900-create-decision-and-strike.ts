import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: each verdict of the gate is kept, to show later what was judged, when, and by which engine.
 * Lock: none, the tables are new. Way back: drop them; jobs then keep ids of decisions that no longer exist.
 */
export class CreateDecisionAndStrike1795165200000 implements MigrationInterface {
  name = 'CreateDecisionAndStrike1795165200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE decision (
        id             uuid PRIMARY KEY,
        account_id     uuid NOT NULL,
        job_id         uuid NOT NULL,
        stage          text NOT NULL CHECK (stage IN ('input', 'output')),
        verdict        text NOT NULL CHECK (verdict IN ('passed', 'blocked')),
        engine         text,
        reason         text,
        content_sha256 text[] NOT NULL,
        created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT decision_blocked_has_reason
          CHECK ((verdict = 'blocked') = (engine IS NOT NULL AND reason IS NOT NULL)),
        CONSTRAINT decision_judged_something CHECK (cardinality(content_sha256) > 0)
      )`);
    await runner.query('CREATE INDEX decision_by_job ON decision (job_id)');
    await runner.query(`
      CREATE TABLE strike (
        id          uuid PRIMARY KEY,
        account_id  uuid NOT NULL,
        job_id      uuid NOT NULL CONSTRAINT strike_once_a_job UNIQUE,
        decision_id uuid NOT NULL REFERENCES decision (id),
        created_at  timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE INDEX strike_by_account ON strike (account_id, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE strike');
    await runner.query('DROP TABLE decision');
  }
}
