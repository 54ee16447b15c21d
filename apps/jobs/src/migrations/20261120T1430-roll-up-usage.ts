import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a usage report read every job of its period. Ended jobs never change, so they are added to sums by minute and by day.
 * `usage_pending` holds ended jobs that are not added yet, including those that ended before this migration. Lock: writes of
 * jobs wait while the ended jobs are listed, about a second for a million. They are added later, page by page. Way back: down()
 * drops the sums, and the older code counts jobs again.
 */
export class RollUpUsage1795185000000 implements MigrationInterface {
  name = 'RollUpUsage1795185000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL statement_timeout = '10min'`);
    await runner.query(ROLL_UPS);
    await runner.query(PENDING);
    await runner.query(COUNTED_FIELDS_ARE_IMMUTABLE);
    await runner.query(
      'INSERT INTO usage_pending (account_id, job_id) SELECT account_id, id FROM job WHERE completed_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER job_counted_fields_are_immutable ON job');
    await runner.query('DROP TRIGGER job_ended_awaits_roll_up ON job');
    await runner.query('DROP TRIGGER job_stored_as_ended_awaits_roll_up ON job');
    await runner.query('DROP FUNCTION refuse_change_of_counted_fields(), await_usage_roll_up()');
    await runner.query('DROP TABLE usage_pending, usage_minute, usage_day');
  }
}

const COUNTERS = `
    succeeded bigint NOT NULL,
    failed bigint NOT NULL,
    canceled bigint NOT NULL,
    charged_micros bigint NOT NULL,
    gpu_ms bigint NOT NULL`;

/** By the minute and the UTC day in which the jobs were created. */
const ROLL_UPS = `
  CREATE TABLE usage_minute (
    account_id uuid NOT NULL,
    minute timestamptz NOT NULL,
    model text NOT NULL,${COUNTERS},
    PRIMARY KEY (account_id, minute, model)
  );
  CREATE TABLE usage_day (
    account_id uuid NOT NULL,
    day date NOT NULL,
    model text NOT NULL,${COUNTERS},
    PRIMARY KEY (account_id, day, model)
  )`;

/**
 * A trigger, so that every way to end a job adds it. It does not update the counters themselves, because all jobs of an account
 * that end at the same time would contend for one row.
 */
const PENDING = `
  CREATE TABLE usage_pending (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    PRIMARY KEY (account_id, job_id)
  );
  CREATE FUNCTION await_usage_roll_up() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_pending (account_id, job_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER job_ended_awaits_roll_up AFTER UPDATE ON job
    FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION await_usage_roll_up();
  CREATE TRIGGER job_stored_as_ended_awaits_roll_up AFTER INSERT ON job
    FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL) EXECUTE FUNCTION await_usage_roll_up()`;

const COUNTED_FIELDS_ARE_IMMUTABLE = `
  CREATE FUNCTION refuse_change_of_counted_fields() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'job % is counted by what it was', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END $$;
  CREATE TRIGGER job_counted_fields_are_immutable BEFORE UPDATE ON job
    FOR EACH ROW WHEN (
      (OLD.account_id, OLD.model, OLD.created_at) IS DISTINCT FROM (NEW.account_id, NEW.model, NEW.created_at)
      OR (OLD.completed_at IS NOT NULL AND OLD.gpu_ms IS DISTINCT FROM NEW.gpu_ms))
    EXECUTE FUNCTION refuse_change_of_counted_fields()`;
