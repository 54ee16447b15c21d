const COUNTERS = `
    succeeded bigint NOT NULL,
    failed bigint NOT NULL,
    canceled bigint NOT NULL,
    charged_micros bigint NOT NULL,
    gpu_ms bigint NOT NULL`;

/**
 * Sums of ended jobs by the minute, the hour and the UTC day in which they were created, because a report must not read every job
 * of its period. The fill factor leaves room on each page for updates that change no index (HOT updates).
 */
export const USAGE = `
  CREATE TABLE usage_minute (
    account_id uuid NOT NULL,
    minute timestamptz NOT NULL,
    model text NOT NULL,${COUNTERS},
    PRIMARY KEY (account_id, minute, model)
  ) WITH (fillfactor = 70);
  CREATE TABLE usage_hour (
    account_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    model text NOT NULL,${COUNTERS},
    PRIMARY KEY (account_id, hour, model)
  ) WITH (fillfactor = 70);
  CREATE TABLE usage_day (
    account_id uuid NOT NULL,
    day date NOT NULL,
    model text NOT NULL,${COUNTERS},
    PRIMARY KEY (account_id, day, model)
  ) WITH (fillfactor = 70);
  -- Adds the increase of a minute's sums.
  CREATE FUNCTION add_minute_to_hour() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_hour AS known (account_id, hour, model, succeeded, failed, canceled, charged_micros, gpu_ms)
    VALUES (NEW.account_id, date_trunc('hour', NEW.minute, 'UTC'), NEW.model,
            NEW.succeeded - coalesce(OLD.succeeded, 0), NEW.failed - coalesce(OLD.failed, 0),
            NEW.canceled - coalesce(OLD.canceled, 0), NEW.charged_micros - coalesce(OLD.charged_micros, 0),
            NEW.gpu_ms - coalesce(OLD.gpu_ms, 0))
    ON CONFLICT (account_id, hour, model) DO UPDATE
       SET succeeded = known.succeeded + excluded.succeeded, failed = known.failed + excluded.failed,
           canceled = known.canceled + excluded.canceled, charged_micros = known.charged_micros + excluded.charged_micros,
           gpu_ms = known.gpu_ms + excluded.gpu_ms;
    RETURN NULL;
  END $$;
  CREATE TRIGGER usage_minute_adds_to_hour AFTER INSERT OR UPDATE ON usage_minute
    FOR EACH ROW EXECUTE FUNCTION add_minute_to_hour()`;

/**
 * Triggers, so that every way to end a job counts it. They do not update the sums themselves, because all jobs of an account that
 * end at the same time would contend for one row. The table is empty most of the time and then consists of dead rows, so it is
 * vacuumed by their number.
 */
export const USAGE_PENDING = `
  CREATE TABLE usage_pending (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    PRIMARY KEY (account_id, job_id)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  CREATE FUNCTION await_usage_roll_up() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_pending (account_id, job_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER job_ended_awaits_roll_up AFTER UPDATE ON job
    FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION await_usage_roll_up();
  CREATE TRIGGER job_stored_as_ended_awaits_roll_up AFTER INSERT ON job
    FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL) EXECUTE FUNCTION await_usage_roll_up()`;

/**
 * The events of all jobs of an account in one feed. Ended jobs are numbered after their commit, because positions that are drawn
 * before a commit become visible in another order than they were drawn.
 */
export const EVENT_FEED = `
  CREATE TABLE event_pending (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    PRIMARY KEY (account_id, job_id)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  CREATE TABLE event_feed (
    account_id uuid PRIMARY KEY,
    last_number bigint NOT NULL DEFAULT 0,
    last_token uuid,
    last_numbered_at timestamptz NOT NULL DEFAULT '-infinity',
    pruned_number bigint,
    pruned_token uuid,
    pruned_job_id uuid
  ) WITH (fillfactor = 70);
  CREATE TABLE feed_event (
    account_id uuid NOT NULL,
    number bigint NOT NULL,
    token uuid NOT NULL,
    job_id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('job.succeeded', 'job.failed', 'job.canceled')),
    numbered_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, number)
  );
  CREATE UNIQUE INDEX feed_event_of_job ON feed_event (job_id);
  CREATE INDEX feed_event_of_type ON feed_event (account_id, type, number);
  -- Events are pruned by their age.
  CREATE INDEX feed_event_by_age ON feed_event (numbered_at, number);
  CREATE FUNCTION await_event_number() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO event_pending (account_id, job_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER job_ended_awaits_event_number AFTER UPDATE ON job
    FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION await_event_number()`;

/**
 * Positions are drawn under the lock of the account's row, and the lock is held until the commit. So a position is visible only
 * together with all positions before it, in whatever order the jobs have committed. Each statement of the function has a snapshot
 * of its own, so the one after the lock sees what the holder before has numbered.
 */
export const NUMBER_EVENTS = `
  CREATE FUNCTION number_events(given_account uuid, most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    head event_feed%ROWTYPE;
    moment timestamptz;
    taken_count integer;
  BEGIN
    IF NOT EXISTS (SELECT FROM event_pending WHERE account_id = given_account) THEN
      RETURN 0;
    END IF;
    INSERT INTO event_feed (account_id) VALUES (given_account) ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM event_feed WHERE account_id = given_account FOR UPDATE;
    -- Never earlier than the event before, although the clock may be: events are pruned by this time, oldest position first.
    moment := greatest(clock_timestamp(), head.last_numbered_at);
    WITH taken AS (
      DELETE FROM event_pending WHERE account_id = given_account AND job_id IN (
        SELECT job_id FROM event_pending WHERE account_id = given_account ORDER BY job_id LIMIT most)
      RETURNING job_id
    ), numbered AS (
      INSERT INTO feed_event (account_id, number, token, job_id, type, numbered_at)
      SELECT given_account, head.last_number + row_number() OVER (ORDER BY job.completed_at, job.id), gen_random_uuid(), job.id,
             'job.' || job.status, moment
        FROM taken JOIN job ON job.id = taken.job_id
      RETURNING number, token
    ), newest AS (
      SELECT * FROM numbered ORDER BY number DESC LIMIT 1
    ), moved AS (
      UPDATE event_feed
         SET last_number = newest.number, last_token = newest.token, last_numbered_at = moment
        FROM newest WHERE account_id = given_account
    )
    SELECT count(*) INTO taken_count FROM numbered;
    RETURN taken_count;
  END $$`;

/** Every public key that has signed, so that a receipt can be verified after its private key was replaced. */
export const RECEIPT_KEY = `
  CREATE TABLE receipt_key (
    kid text PRIMARY KEY,
    x text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    withdrawn_at timestamptz
  )`;

/** Events that a relay publishes after the commit, each with the trace that its subscribers continue. */
export const OUTBOX = `
  CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    subject text NOT NULL,
    payload json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    traceparent text
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`;
