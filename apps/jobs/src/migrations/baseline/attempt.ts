export const ATTEMPT = `
  CREATE TABLE attempt (
    job_id uuid NOT NULL REFERENCES job,
    number integer NOT NULL,
    provider text NOT NULL,
    state text NOT NULL DEFAULT 'submitting'
      CHECK (state IN ('submitting', 'answering', 'unknown', 'accepted', 'running', 'collecting', 'ended')),
    upstream_id text NOT NULL,
    -- Fencing token. Each claim raises it, so a worker that was paused writes under an old token and changes no row.
    fence integer NOT NULL DEFAULT 1,
    -- The time of the next poll; while a process works on the attempt, the end of its lease.
    next_check_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome text CHECK (outcome IN ('succeeded', 'failed', 'lost', 'refused', 'interrupted', 'canceled', 'timed_out')),
    problem text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    -- Most backends choose the id of a task themselves, and return the addresses at which it can be polled.
    upstream_ref json,
    -- Some backends answer a submission with the result itself, minutes later. The answer is stored at once, so that any process
    -- can collect it.
    spooled json,
    gpu_ms bigint,
    -- The cancel of an ended attempt that its backend may still hold. In columns, so that it outlives the process.
    cancel_at timestamptz,
    cancel_tries integer NOT NULL DEFAULT 0,
    cancel_outcome text CHECK (cancel_outcome IN ('stopped', 'too_late', 'gave_up')),
    -- The process that claims an attempt continues the trace of its job without reading the job.
    traceparent text,
    -- A parked task (it waits out a delay) takes none of the few places of its instance.
    parked boolean NOT NULL DEFAULT false,
    reason text,
    -- The part of gpu_ms that canceled_work contains, so that each millisecond is counted once.
    counted_gpu_ms bigint,
    progress real,
    progress_at timestamptz,
    queued_ahead integer,
    CONSTRAINT attempt_has_outcome_if_and_only_if_it_ended CHECK ((outcome IS NOT NULL) = (state = 'ended')),
    PRIMARY KEY (job_id, number)
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
  CREATE UNIQUE INDEX attempt_one_open_a_job ON attempt (job_id) WHERE state <> 'ended';
  CREATE INDEX attempt_due ON attempt (provider, next_check_at) WHERE state <> 'ended';
  CREATE INDEX attempt_to_cancel ON attempt (cancel_at) WHERE cancel_at IS NOT NULL;
  -- Every claim counts the places that are taken at an instance. attempt_due also holds parked and collecting attempts, which take
  -- none, so a count by it would read thousands of rows where ten places are taken.
  CREATE INDEX attempt_with_a_place ON attempt
    ((CASE WHEN state <> 'ended' AND state <> 'collecting' AND NOT parked THEN provider END))
    WHERE CASE WHEN state <> 'ended' AND state <> 'collecting' AND NOT parked THEN provider END IS NOT NULL`;

/** A cancel is free for the account, but the GPU may have worked on the job: operators see what an account's cancels cost. */
export const CANCELED_WORK = `
  CREATE TABLE canceled_work (
    account_id uuid PRIMARY KEY,
    attempts bigint NOT NULL,
    too_late bigint NOT NULL,
    gpu_ms bigint NOT NULL
  ) WITH (fillfactor = 50)`;

/** Run times of ended jobs by the minute, so that an estimate reads a few hundred rows and not the jobs of an hour. */
export const RUN_TIME = `
  CREATE TABLE run_time (
    minute timestamptz NOT NULL,
    model text NOT NULL,
    kind text NOT NULL,
    size_class integer NOT NULL,
    provider text NOT NULL,
    bucket integer NOT NULL,
    jobs integer NOT NULL,
    PRIMARY KEY (minute, model, kind, size_class, provider, bucket)
  )`;

/** One process at a time lists the object store. Its position is stored, so that a pass continues after a restart. */
export const ORPHAN_SWEEP = `
  CREATE TABLE orphan_sweep (
    name text PRIMARY KEY CHECK (name = 'object_store'),
    holder uuid,
    leased_until timestamptz NOT NULL DEFAULT '-infinity',
    begun_at timestamptz NOT NULL DEFAULT '-infinity',
    folder text,
    after_key text
  );
  INSERT INTO orphan_sweep (name) VALUES ('object_store')`;
