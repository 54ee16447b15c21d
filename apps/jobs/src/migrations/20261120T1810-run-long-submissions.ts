import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: some backends answer a submission with the result itself, minutes later. The answer is spooled, so that any process can
 * collect it. Cancels of ended attempts become columns, so that they outlive processes, and the GPU time of the attempt is
 * stored. Lock: ACCESS EXCLUSIVE on attempt while its rows are checked against the two constraints, about a second for a
 * million. Way back: down(), once no attempt is `answering` or `interrupted`.
 */
export class RunLongSubmissions1795198200000 implements MigrationInterface {
  name = 'RunLongSubmissions1795198200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE attempt
        DROP CONSTRAINT attempt_state_check,
        DROP CONSTRAINT attempt_outcome_check,
        ADD CONSTRAINT attempt_state_check
          CHECK (state IN ('submitting', 'answering', 'unknown', 'accepted', 'running', 'collecting', 'ended')),
        ADD CONSTRAINT attempt_outcome_check
          CHECK (outcome IN ('succeeded', 'failed', 'lost', 'refused', 'interrupted', 'canceled', 'timed_out')),
        -- Where the outputs of the answer are stored; deleted when cancel_outcome is set.
        ADD COLUMN spooled json,
        ADD COLUMN gpu_ms bigint,
        -- For an ended attempt that its backend may still hold: when its cancel is sent next.
        ADD COLUMN cancel_at timestamptz,
        ADD COLUMN cancel_tries integer NOT NULL DEFAULT 0,
        ADD COLUMN cancel_outcome text CHECK (cancel_outcome IN ('stopped', 'too_late', 'gave_up'))`);
    await runner.query('CREATE INDEX attempt_to_cancel ON attempt (cancel_at) WHERE cancel_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX attempt_to_cancel');
    await runner.query(`
      ALTER TABLE attempt
        DROP CONSTRAINT attempt_state_check,
        DROP CONSTRAINT attempt_outcome_check,
        ADD CONSTRAINT attempt_state_check
          CHECK (state IN ('submitting', 'unknown', 'accepted', 'running', 'collecting', 'ended')),
        ADD CONSTRAINT attempt_outcome_check
          CHECK (outcome IN ('succeeded', 'failed', 'lost', 'refused', 'canceled', 'timed_out')),
        DROP COLUMN spooled, DROP COLUMN gpu_ms,
        DROP COLUMN cancel_at, DROP COLUMN cancel_tries, DROP COLUMN cancel_outcome`);
  }
}
