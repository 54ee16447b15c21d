import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the tables of jobs, attempts, idempotency keys and the outbox. Only new tables: it blocks no other statement. Back:
 * down() drops them with their rows.
 */
export class CreateJobs1795165200000 implements MigrationInterface {
  name = 'CreateJobs1795165200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(JOB);
    await runner.query(JOB_GUARDS);
    await runner.query(TOMBSTONE);
    await runner.query(ATTEMPT);
    await runner.query(IDEMPOTENCY_KEY);
    await runner.query(OUTBOX);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox, idempotency_key, attempt, job_tombstone, job');
    await runner.query('DROP FUNCTION keep_ended_job_unchanged(), refuse_tombstoned_job(), refuse_tombstone_of_job()');
  }
}

const JOB = `
  CREATE TABLE job (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('image.generation', 'image.edit', 'image.variation', 'image.inpaint', 'video.generation')),
    model text NOT NULL,
    status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'processing', 'succeeded', 'failed', 'canceled')),
    -- json, not jsonb: the echo keeps the client's order and spelling of numbers.
    input json NOT NULL,
    images json NOT NULL,
    provider text NOT NULL,
    plan json NOT NULL,
    metadata json,
    webhook_url text,
    price_micros bigint NOT NULL CHECK (price_micros >= 0),
    gpu_ms bigint,
    moderation_status text NOT NULL DEFAULT 'pending' CHECK (moderation_status IN ('pending', 'passed', 'blocked')),
    input_decision_id uuid NOT NULL,
    output_decision_id uuid,
    output json,
    error_code text,
    error_message text,
    retention_days integer NOT NULL CHECK (retention_days BETWEEN 1 AND 365),
    created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    started_at timestamptz,
    completed_at timestamptz,
    expires_at timestamptz,
    -- When a dispatcher may claim the job; null while an attempt is open and after the end.
    claimable_at timestamptz DEFAULT clock_timestamp(),
    -- The deadline: for the start while queued, for the result while processing.
    deadline_at timestamptz,
    -- When billing has acknowledged the capture or the refund.
    settled_at timestamptz,
    outputs_deleted_at timestamptz,
    CONSTRAINT job_succeeds_only_past_the_output_gate
      CHECK (status <> 'succeeded' OR (moderation_status = 'passed' AND output_decision_id IS NOT NULL)),
    CONSTRAINT job_has_output_if_and_only_if_it_succeeded CHECK ((output IS NOT NULL) = (status = 'succeeded')),
    CONSTRAINT job_has_error_if_and_only_if_it_failed CHECK ((error_code IS NOT NULL) = (status = 'failed')),
    CONSTRAINT job_is_completed_if_and_only_if_it_ended
      CHECK ((completed_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled'))),
    CONSTRAINT job_in_flight_has_a_deadline CHECK ((deadline_at IS NOT NULL) = (status IN ('queued', 'processing')))
  );
  CREATE INDEX job_newest_first ON job (account_id, created_at DESC, id DESC);
  CREATE INDEX job_claimable ON job (provider, claimable_at) WHERE claimable_at IS NOT NULL;
  CREATE INDEX job_backlog ON job (model) WHERE claimable_at IS NOT NULL;
  CREATE INDEX job_by_deadline ON job (deadline_at) WHERE deadline_at IS NOT NULL;
  CREATE INDEX job_unsettled ON job (completed_at) WHERE completed_at IS NOT NULL AND settled_at IS NULL;
  CREATE INDEX job_to_tell_of ON job (completed_at, id) WHERE completed_at IS NOT NULL AND webhook_url IS NOT NULL;
  CREATE INDEX job_outputs_to_delete ON job (expires_at) WHERE expires_at IS NOT NULL AND outputs_deleted_at IS NULL`;

const JOB_GUARDS = `
  CREATE FUNCTION keep_ended_job_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (NEW.status, NEW.output::text, NEW.error_code, NEW.moderation_status, NEW.completed_at, NEW.expires_at, NEW.price_micros)
       IS DISTINCT FROM
       (OLD.status, OLD.output::text, OLD.error_code, OLD.moderation_status, OLD.completed_at, OLD.expires_at, OLD.price_micros)
    THEN
      RAISE EXCEPTION 'job % has ended as % and cannot change', OLD.id, OLD.status USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER job_ended_is_immutable BEFORE UPDATE ON job
    FOR EACH ROW WHEN (OLD.completed_at IS NOT NULL) EXECUTE FUNCTION keep_ended_job_unchanged()`;

/**
 * A job id belongs to a job or to a tombstone, never to both. Both triggers take the same lock, so each one sees what the other
 * has written.
 */
const TOMBSTONE = `
  CREATE TABLE job_tombstone (
    job_id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE FUNCTION refuse_tombstoned_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.id::text, 0));
    IF EXISTS (SELECT FROM job_tombstone WHERE job_id = NEW.id) THEN
      RAISE EXCEPTION 'job % was given up before it was stored', NEW.id
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'job_is_not_tombstoned';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER job_is_not_tombstoned BEFORE INSERT ON job FOR EACH ROW EXECUTE FUNCTION refuse_tombstoned_job();
  CREATE FUNCTION refuse_tombstone_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.job_id::text, 0));
    IF EXISTS (SELECT FROM job WHERE id = NEW.job_id) THEN
      RETURN NULL;
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER job_tombstone_is_no_job BEFORE INSERT ON job_tombstone
    FOR EACH ROW EXECUTE FUNCTION refuse_tombstone_of_job()`;

const ATTEMPT = `
  CREATE TABLE attempt (
    job_id uuid NOT NULL REFERENCES job,
    number integer NOT NULL,
    provider text NOT NULL,
    state text NOT NULL DEFAULT 'submitting'
      CHECK (state IN ('submitting', 'unknown', 'accepted', 'running', 'collecting', 'ended')),
    upstream_id text NOT NULL,
    -- Fencing token. Each claim raises it, so a worker that was paused writes under an old token and changes no row.
    fence integer NOT NULL DEFAULT 1,
    -- The time of the next poll; while a process works on the attempt, the end of its lease.
    next_check_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome text CHECK (outcome IN ('succeeded', 'failed', 'lost', 'refused', 'canceled', 'timed_out')),
    -- What has kept the job from ending so far, as a code of Job.error.
    problem text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    CONSTRAINT attempt_has_outcome_if_and_only_if_it_ended CHECK ((outcome IS NOT NULL) = (state = 'ended')),
    PRIMARY KEY (job_id, number)
  );
  CREATE UNIQUE INDEX attempt_one_open_a_job ON attempt (job_id) WHERE state <> 'ended';
  CREATE INDEX attempt_due ON attempt (provider, next_check_at) WHERE state <> 'ended'`;

const IDEMPOTENCY_KEY = `
  CREATE TABLE idempotency_key (
    account_id uuid NOT NULL,
    key text NOT NULL,
    route text NOT NULL,
    body_sha256 text NOT NULL,
    job_id uuid NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Null while a request is in progress; only a stored job binds a key.
    accepted_at timestamptz,
    PRIMARY KEY (account_id, key)
  );
  CREATE INDEX idempotency_key_by_age ON idempotency_key (claimed_at)`;

const OUTBOX = `
  CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    subject text NOT NULL,
    payload json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`;
