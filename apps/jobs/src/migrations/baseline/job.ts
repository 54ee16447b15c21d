/**
 * The rules of a job are in functions, and its table names each in one check: PostgreSQL plans a check anew for every statement
 * that writes to the table, but the body of a function once a connection. Twelve separate checks were a third of the cost of
 * storing a job.
 */
export const JOB_RULES = `
  -- The rules for the columns of a job, for each status and for all.
  CREATE FUNCTION job_is_sound(kind text, status text, moderation_status text, output_decision_id uuid, output json,
                               error_code text, deadline_at timestamptz, completed_at timestamptz, price_micros bigint,
                               retention_days integer)
  RETURNS boolean IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN kind IN ('image.generation', 'image.edit', 'image.variation', 'image.inpaint', 'video.generation')
      AND moderation_status IN ('pending', 'passed', 'blocked')
      AND price_micros >= 0
      AND retention_days BETWEEN 1 AND 365
      AND (output IS NOT NULL) = (status = 'succeeded')
      AND (error_code IS NOT NULL) = (status = 'failed')
      AND CASE
            WHEN status IN ('queued', 'processing') THEN deadline_at IS NOT NULL AND completed_at IS NULL
            WHEN status IN ('succeeded', 'failed', 'canceled') THEN deadline_at IS NULL AND completed_at IS NOT NULL
            ELSE false
          END
      AND (status <> 'succeeded' OR (moderation_status = 'passed' AND output_decision_id IS NOT NULL));
  END $$;
  -- A passed decision proves nothing about other content: a job waits only with the inputs that moderation has passed, and succeeds
  -- only with the outputs that it has passed. Inputs are compared only while the job waits, so that later updates hash no prompt.
  CREATE FUNCTION job_is_of_what_passed(status text, input json, images json, passed_input_sha256 text[], output json,
                                        passed_output_sha256 text[])
  RETURNS boolean IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN CASE status
      WHEN 'queued' THEN passed_input_sha256 IS NULL OR to_jsonb(passed_input_sha256) =
        to_jsonb(array_remove(ARRAY[encode(sha256(convert_to(input ->> 'prompt', 'UTF8')), 'hex'),
                                    encode(sha256(convert_to(input ->> 'negative_prompt', 'UTF8')), 'hex')], NULL))
        || jsonb_path_query_array(images::jsonb, '$[*].sha256')
      WHEN 'succeeded' THEN passed_output_sha256 IS NULL OR
        to_jsonb(passed_output_sha256) = jsonb_path_query_array(output::jsonb, '$[*].sha256')
      ELSE true
    END;
  END $$`;

/**
 * By default autovacuum runs when a fifth of a table is dead. In a table with a million jobs these are hours of dead rows, which
 * every sweep reads.
 */
export const JOB = `
  CREATE TABLE job (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    kind text NOT NULL,
    model text NOT NULL,
    status text NOT NULL DEFAULT 'queued',
    -- json, not jsonb: the echo keeps the client's order and spelling of numbers.
    input json NOT NULL,
    images json NOT NULL,
    provider text NOT NULL,
    plan json NOT NULL,
    metadata json,
    webhook_url text,
    price_micros bigint NOT NULL,
    gpu_ms bigint,
    moderation_status text NOT NULL DEFAULT 'pending',
    input_decision_id uuid NOT NULL,
    output_decision_id uuid,
    output json,
    error_code text,
    error_message text,
    retention_days integer NOT NULL,
    -- In whole milliseconds, so that a cursor made of it finds the same position again.
    created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    started_at timestamptz,
    completed_at timestamptz,
    expires_at timestamptz,
    -- When a dispatcher may claim the job; null while an attempt is open and after the end.
    claimable_at timestamptz DEFAULT clock_timestamp(),
    -- For the start while queued, for the result while processing.
    deadline_at timestamptz,
    -- When the hold is ended and the files are cleared.
    settled_at timestamptz,
    outputs_deleted_at timestamptz,
    -- The rank in the queue of the model, in micros: the cost of the same account's waiting jobs at its creation. An account with
    -- thousands of jobs thus does not delay all others.
    turn bigint NOT NULL DEFAULT 0,
    passed_input_sha256 text[],
    passed_output_sha256 text[],
    -- Background loops run, end and sweep a job without a request, and continue this trace.
    traceparent text,
    -- The hold, the files, the outputs and the content have a time of the next try each, so that none delays another.
    hold_ended_at timestamptz,
    hold_retry_at timestamptz,
    files_cleared_at timestamptz,
    files_retry_at timestamptz,
    outputs_retry_at timestamptz,
    -- No link is signed after the request of a deletion, and a sweep deletes what the request has left.
    deletion_requested_at timestamptz,
    content_deleted_at timestamptz,
    -- What the receipt states about the request and the price. It outlives the content of the job.
    accepted_facts json,
    quote_id text,
    list_micros bigint,
    content_retry_at timestamptz,
    CONSTRAINT job_is_sound CHECK (job_is_sound(kind, status, moderation_status, output_decision_id, output, error_code,
      deadline_at, completed_at, price_micros, retention_days)),
    CONSTRAINT job_is_of_what_passed CHECK (job_is_of_what_passed(status, input, images, passed_input_sha256, output,
      passed_output_sha256))
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`;

export const JOB_INDEXES = `
  -- Lists of an account: with the status in the index, any list is merged from one short range for each status.
  CREATE INDEX job_by_status ON job (account_id, status, created_at DESC, id DESC);
  CREATE INDEX job_by_model ON job (account_id, model, status, created_at DESC, id DESC);
  -- An account lists its videos by their time, however few they are among its jobs. Deleted ones are skipped without being read.
  CREATE INDEX job_listed_video ON job (account_id, created_at DESC, id DESC)
    WHERE kind = 'video.generation' AND content_deleted_at IS NULL;
  -- The queue of a model, and the ranks of an account's jobs in it.
  CREATE INDEX job_by_turn ON job (model, turn, claimable_at) WHERE claimable_at IS NOT NULL;
  CREATE INDEX job_by_turn_of_account ON job (model, account_id, turn) WHERE claimable_at IS NOT NULL;
  -- Sweeps, each in the order of the next try, so that jobs that cannot be swept delay no other.
  CREATE INDEX job_by_deadline ON job (deadline_at) WHERE deadline_at IS NOT NULL;
  CREATE INDEX job_unsettled ON job (completed_at) WHERE completed_at IS NOT NULL AND settled_at IS NULL;
  CREATE INDEX job_hold_to_end ON job ((coalesce(hold_retry_at, completed_at)))
    WHERE completed_at IS NOT NULL AND settled_at IS NULL AND hold_ended_at IS NULL;
  CREATE INDEX job_files_to_clear ON job ((coalesce(files_retry_at, completed_at)))
    WHERE completed_at IS NOT NULL AND settled_at IS NULL AND files_cleared_at IS NULL;
  CREATE INDEX job_outputs_to_delete ON job (expires_at) WHERE expires_at IS NOT NULL AND outputs_deleted_at IS NULL;
  CREATE INDEX job_outputs_to_expire ON job ((coalesce(outputs_retry_at, expires_at)))
    WHERE expires_at IS NOT NULL AND outputs_deleted_at IS NULL;
  CREATE INDEX job_content_to_delete ON job ((coalesce(content_retry_at, content_deleted_at)))
    WHERE content_deleted_at IS NOT NULL AND webhook_url IS NOT NULL;
  -- webhook-dispatcher lists the ended jobs that need a webhook.
  CREATE INDEX job_to_tell_of ON job (completed_at, id) WHERE completed_at IS NOT NULL AND webhook_url IS NOT NULL;
  -- Operators search failed jobs of all accounts, and jobs that a quote sold at another price than the list's. A creation writes
  -- nothing into the first, and little into the second.
  CREATE INDEX job_failed ON job (id, error_code) WHERE error_code IS NOT NULL;
  CREATE INDEX job_sold_under_quote ON job (created_at) WHERE list_micros <> price_micros`;

export const JOB_GUARDS = `
  -- An ended job never changes: its client, its webhook and its receipt have stated the end.
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
    FOR EACH ROW WHEN (OLD.completed_at IS NOT NULL) EXECUTE FUNCTION keep_ended_job_unchanged();
  -- The fields by which the roll-ups of usage count a job.
  CREATE FUNCTION refuse_change_of_counted_fields() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'job % is counted by what it was', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END $$;
  CREATE TRIGGER job_counted_fields_are_immutable BEFORE UPDATE ON job
    FOR EACH ROW WHEN (
      (OLD.account_id, OLD.model, OLD.created_at) IS DISTINCT FROM (NEW.account_id, NEW.model, NEW.created_at)
      OR (OLD.completed_at IS NOT NULL AND OLD.gpu_ms IS DISTINCT FROM NEW.gpu_ms))
    EXECUTE FUNCTION refuse_change_of_counted_fields()`;

/**
 * A job id belongs to a job or to a tombstone, never to both. Both triggers take the same lock, so each one sees what the other
 * has written. Jobs share the lock, and check it once a statement; a tombstone, which is rare, takes it exclusively.
 */
export const TOMBSTONE = `
  CREATE TABLE job_tombstone (
    job_id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX job_tombstone_by_age ON job_tombstone (created_at);
  CREATE FUNCTION refuse_tombstoned_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    given_up uuid;
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('kinora_job_tombstone', 0));
    SELECT job_id INTO given_up FROM stored JOIN job_tombstone ON job_tombstone.job_id = stored.id LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'job % was given up before it was stored', given_up
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'job_is_not_tombstoned';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER job_is_not_tombstoned AFTER INSERT ON job REFERENCING NEW TABLE AS stored
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_tombstoned_jobs();
  CREATE FUNCTION refuse_tombstone_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('kinora_job_tombstone', 0));
    IF EXISTS (SELECT FROM job WHERE id = NEW.job_id) THEN
      RETURN NULL;
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER job_tombstone_is_no_job BEFORE INSERT ON job_tombstone
    FOR EACH ROW EXECUTE FUNCTION refuse_tombstone_of_job()`;

/** Claims of creations. Only a stored job binds a key: until then `accepted_at` is null and `claimed_at` is a lease. */
export const IDEMPOTENCY_KEY = `
  CREATE TABLE idempotency_key (
    account_id uuid NOT NULL,
    key text NOT NULL,
    route text NOT NULL,
    body_sha256 text NOT NULL,
    job_id uuid NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    accepted_at timestamptz,
    PRIMARY KEY (account_id, key)
    -- Room on each page for updates that change no index (HOT updates): each key is updated once.
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX idempotency_key_by_age ON idempotency_key (claimed_at)`;

/**
 * A client without an Idempotency-Key repeats a request after a lost connection, and must not pay twice. One row a request says
 * whether its connection has closed before the answer; no process holds it.
 */
export const UNKEYED_REQUEST = `
  CREATE TABLE unkeyed_request (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    request_hash text NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'abandoned')),
    sending integer NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX unkeyed_request_newest ON unkeyed_request (account_id, request_hash, changed_at DESC);
  -- A client that sends one body again and again has many equal rows, of which an unmarked repeat reads the abandoned ones only.
  CREATE INDEX unkeyed_request_abandoned ON unkeyed_request (account_id, request_hash, changed_at DESC)
    WHERE state = 'abandoned';
  CREATE INDEX unkeyed_request_by_age ON unkeyed_request (changed_at)`;
