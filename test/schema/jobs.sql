-- What the migrations make of an empty schema: written by `npm run generate`, never edited.

CREATE TABLE attempt (
  job_id uuid NOT NULL,
  number integer NOT NULL,
  provider text NOT NULL,
  state text NOT NULL DEFAULT 'submitting'::text,
  upstream_id text NOT NULL,
  fence integer NOT NULL DEFAULT 1,
  next_check_at timestamp with time zone NOT NULL,
  checked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  outcome text,
  problem text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamp with time zone,
  upstream_ref json,
  spooled json,
  gpu_ms bigint,
  cancel_at timestamp with time zone,
  cancel_tries integer NOT NULL DEFAULT 0,
  cancel_outcome text,
  traceparent text,
  parked boolean NOT NULL DEFAULT false,
  reason text,
  counted_gpu_ms bigint,
  progress real,
  progress_at timestamp with time zone,
  queued_ahead integer,
  CONSTRAINT attempt_cancel_outcome_check CHECK ((cancel_outcome = ANY (ARRAY['stopped'::text, 'too_late'::text, 'gave_up'::text]))),
  CONSTRAINT attempt_has_outcome_if_and_only_if_it_ended CHECK (((outcome IS NOT NULL) = (state = 'ended'::text))),
  CONSTRAINT attempt_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id),
  CONSTRAINT attempt_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'lost'::text, 'refused'::text, 'interrupted'::text, 'canceled'::text, 'timed_out'::text]))),
  CONSTRAINT attempt_pkey PRIMARY KEY (job_id, number),
  CONSTRAINT attempt_state_check CHECK ((state = ANY (ARRAY['submitting'::text, 'answering'::text, 'unknown'::text, 'accepted'::text, 'running'::text, 'collecting'::text, 'ended'::text])))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

CREATE TABLE canceled_work (
  account_id uuid NOT NULL,
  attempts bigint NOT NULL,
  too_late bigint NOT NULL,
  gpu_ms bigint NOT NULL,
  CONSTRAINT canceled_work_pkey PRIMARY KEY (account_id)
) WITH (fillfactor=50);

CREATE TABLE event_feed (
  account_id uuid NOT NULL,
  last_number bigint NOT NULL DEFAULT 0,
  last_token uuid,
  last_numbered_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  pruned_number bigint,
  pruned_token uuid,
  pruned_job_id uuid,
  CONSTRAINT event_feed_pkey PRIMARY KEY (account_id)
) WITH (fillfactor=70);

CREATE TABLE event_pending (
  account_id uuid NOT NULL,
  job_id uuid NOT NULL,
  CONSTRAINT event_pending_pkey PRIMARY KEY (account_id, job_id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

CREATE TABLE feed_event (
  account_id uuid NOT NULL,
  number bigint NOT NULL,
  token uuid NOT NULL,
  job_id uuid NOT NULL,
  type text NOT NULL,
  numbered_at timestamp with time zone NOT NULL,
  CONSTRAINT feed_event_pkey PRIMARY KEY (account_id, number),
  CONSTRAINT feed_event_type_check CHECK ((type = ANY (ARRAY['job.succeeded'::text, 'job.failed'::text, 'job.canceled'::text])))
);

CREATE TABLE idempotency_key (
  account_id uuid NOT NULL,
  key text NOT NULL,
  route text NOT NULL,
  body_sha256 text NOT NULL,
  job_id uuid NOT NULL,
  claimed_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  accepted_at timestamp with time zone,
  CONSTRAINT idempotency_key_pkey PRIMARY KEY (account_id, key)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);

CREATE TABLE job (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL,
  model text NOT NULL,
  status text NOT NULL DEFAULT 'queued'::text,
  input json NOT NULL,
  images json NOT NULL,
  provider text NOT NULL,
  plan json NOT NULL,
  metadata json,
  webhook_url text,
  price_micros bigint NOT NULL,
  gpu_ms bigint,
  moderation_status text NOT NULL DEFAULT 'pending'::text,
  input_decision_id uuid NOT NULL,
  output_decision_id uuid,
  output json,
  error_code text,
  error_message text,
  retention_days integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, clock_timestamp()),
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  expires_at timestamp with time zone,
  claimable_at timestamp with time zone DEFAULT clock_timestamp(),
  deadline_at timestamp with time zone,
  settled_at timestamp with time zone,
  outputs_deleted_at timestamp with time zone,
  turn bigint NOT NULL DEFAULT 0,
  passed_input_sha256 text[],
  passed_output_sha256 text[],
  traceparent text,
  hold_ended_at timestamp with time zone,
  hold_retry_at timestamp with time zone,
  files_cleared_at timestamp with time zone,
  files_retry_at timestamp with time zone,
  outputs_retry_at timestamp with time zone,
  deletion_requested_at timestamp with time zone,
  content_deleted_at timestamp with time zone,
  accepted_facts json,
  quote_id text,
  list_micros bigint,
  content_retry_at timestamp with time zone,
  CONSTRAINT job_is_of_what_passed CHECK (job_is_of_what_passed(status, input, images, passed_input_sha256, output, passed_output_sha256)) NOT VALID,
  CONSTRAINT job_is_sound CHECK (job_is_sound(kind, status, moderation_status, output_decision_id, output, error_code, deadline_at, completed_at, price_micros, retention_days)),
  CONSTRAINT job_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

CREATE TABLE job_tombstone (
  job_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT job_tombstone_pkey PRIMARY KEY (job_id)
);

CREATE TABLE migration (
  id integer NOT NULL DEFAULT nextval('migration_id_seq'::regclass),
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_3043fc6b8af7c99b8b98830094f" PRIMARY KEY (id)
);

CREATE TABLE orphan_sweep (
  name text NOT NULL,
  holder uuid,
  leased_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  begun_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  folder text,
  after_key text,
  CONSTRAINT orphan_sweep_name_check CHECK ((name = 'object_store'::text)),
  CONSTRAINT orphan_sweep_pkey PRIMARY KEY (name)
);

CREATE TABLE outbox (
  id uuid NOT NULL,
  subject text NOT NULL,
  payload json NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  traceparent text,
  CONSTRAINT outbox_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

CREATE TABLE receipt_key (
  kid text NOT NULL,
  x text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  withdrawn_at timestamp with time zone,
  CONSTRAINT receipt_key_pkey PRIMARY KEY (kid)
);

CREATE TABLE run_time (
  minute timestamp with time zone NOT NULL,
  model text NOT NULL,
  kind text NOT NULL,
  size_class integer NOT NULL,
  provider text NOT NULL,
  bucket integer NOT NULL,
  jobs integer NOT NULL,
  CONSTRAINT run_time_pkey PRIMARY KEY (minute, model, kind, size_class, provider, bucket)
);

CREATE TABLE unkeyed_request (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  request_hash text NOT NULL,
  state text NOT NULL DEFAULT 'open'::text,
  sending integer NOT NULL DEFAULT 1,
  changed_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT unkeyed_request_pkey PRIMARY KEY (id),
  CONSTRAINT unkeyed_request_state_check CHECK ((state = ANY (ARRAY['open'::text, 'answered'::text, 'abandoned'::text])))
);

CREATE TABLE usage_day (
  account_id uuid NOT NULL,
  day date NOT NULL,
  model text NOT NULL,
  succeeded bigint NOT NULL,
  failed bigint NOT NULL,
  canceled bigint NOT NULL,
  charged_micros bigint NOT NULL,
  gpu_ms bigint NOT NULL,
  CONSTRAINT usage_day_pkey PRIMARY KEY (account_id, day, model)
) WITH (fillfactor=70);

CREATE TABLE usage_hour (
  account_id uuid NOT NULL,
  hour timestamp with time zone NOT NULL,
  model text NOT NULL,
  succeeded bigint NOT NULL,
  failed bigint NOT NULL,
  canceled bigint NOT NULL,
  charged_micros bigint NOT NULL,
  gpu_ms bigint NOT NULL,
  CONSTRAINT usage_hour_pkey PRIMARY KEY (account_id, hour, model)
) WITH (fillfactor=70);

CREATE TABLE usage_minute (
  account_id uuid NOT NULL,
  minute timestamp with time zone NOT NULL,
  model text NOT NULL,
  succeeded bigint NOT NULL,
  failed bigint NOT NULL,
  canceled bigint NOT NULL,
  charged_micros bigint NOT NULL,
  gpu_ms bigint NOT NULL,
  CONSTRAINT usage_minute_pkey PRIMARY KEY (account_id, minute, model)
) WITH (fillfactor=70);

CREATE TABLE usage_pending (
  account_id uuid NOT NULL,
  job_id uuid NOT NULL,
  CONSTRAINT usage_pending_pkey PRIMARY KEY (account_id, job_id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

CREATE INDEX attempt_due ON jobs.attempt USING btree (provider, next_check_at) WHERE (state <> 'ended'::text);

CREATE UNIQUE INDEX attempt_one_open_a_job ON jobs.attempt USING btree (job_id) WHERE (state <> 'ended'::text);

CREATE INDEX attempt_to_cancel ON jobs.attempt USING btree (cancel_at) WHERE (cancel_at IS NOT NULL);

CREATE INDEX attempt_with_a_place ON jobs.attempt USING btree ((
CASE
    WHEN ((state <> 'ended'::text) AND (state <> 'collecting'::text) AND (NOT parked)) THEN provider
    ELSE NULL::text
END)) WHERE (
CASE
    WHEN ((state <> 'ended'::text) AND (state <> 'collecting'::text) AND (NOT parked)) THEN provider
    ELSE NULL::text
END IS NOT NULL);

CREATE INDEX feed_event_by_age ON jobs.feed_event USING btree (numbered_at, number);

CREATE UNIQUE INDEX feed_event_of_job ON jobs.feed_event USING btree (job_id);

CREATE INDEX feed_event_of_type ON jobs.feed_event USING btree (account_id, type, number);

CREATE INDEX idempotency_key_by_age ON jobs.idempotency_key USING btree (claimed_at);

CREATE INDEX job_by_deadline ON jobs.job USING btree (deadline_at) WHERE (deadline_at IS NOT NULL);

CREATE INDEX job_by_model ON jobs.job USING btree (account_id, model, status, created_at DESC, id DESC);

CREATE INDEX job_by_status ON jobs.job USING btree (account_id, status, created_at DESC, id DESC);

CREATE INDEX job_by_turn ON jobs.job USING btree (model, turn, claimable_at) WHERE (claimable_at IS NOT NULL);

CREATE INDEX job_by_turn_of_account ON jobs.job USING btree (model, account_id, turn) WHERE (claimable_at IS NOT NULL);

CREATE INDEX job_content_to_delete ON jobs.job USING btree (COALESCE(content_retry_at, content_deleted_at)) WHERE ((content_deleted_at IS NOT NULL) AND (webhook_url IS NOT NULL));

CREATE INDEX job_failed ON jobs.job USING btree (id, error_code) WHERE (error_code IS NOT NULL);

CREATE INDEX job_files_to_clear ON jobs.job USING btree (COALESCE(files_retry_at, completed_at)) WHERE ((completed_at IS NOT NULL) AND (settled_at IS NULL) AND (files_cleared_at IS NULL));

CREATE INDEX job_hold_to_end ON jobs.job USING btree (COALESCE(hold_retry_at, completed_at)) WHERE ((completed_at IS NOT NULL) AND (settled_at IS NULL) AND (hold_ended_at IS NULL));

CREATE INDEX job_listed_video ON jobs.job USING btree (account_id, created_at DESC, id DESC) WHERE ((kind = 'video.generation'::text) AND (content_deleted_at IS NULL));

CREATE INDEX job_outputs_to_delete ON jobs.job USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (outputs_deleted_at IS NULL));

CREATE INDEX job_outputs_to_expire ON jobs.job USING btree (COALESCE(outputs_retry_at, expires_at)) WHERE ((expires_at IS NOT NULL) AND (outputs_deleted_at IS NULL));

CREATE INDEX job_sold_under_quote ON jobs.job USING btree (created_at) WHERE (list_micros <> price_micros);

CREATE INDEX job_to_tell_of ON jobs.job USING btree (completed_at, id) WHERE ((completed_at IS NOT NULL) AND (webhook_url IS NOT NULL));

CREATE INDEX job_tombstone_by_age ON jobs.job_tombstone USING btree (created_at);

CREATE INDEX job_unsettled ON jobs.job USING btree (completed_at) WHERE ((completed_at IS NOT NULL) AND (settled_at IS NULL));

CREATE INDEX unkeyed_request_abandoned ON jobs.unkeyed_request USING btree (account_id, request_hash, changed_at DESC) WHERE (state = 'abandoned'::text);

CREATE INDEX unkeyed_request_by_age ON jobs.unkeyed_request USING btree (changed_at);

CREATE INDEX unkeyed_request_newest ON jobs.unkeyed_request USING btree (account_id, request_hash, changed_at DESC);

CREATE OR REPLACE FUNCTION jobs.add_minute_to_hour()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
  END $function$;

CREATE OR REPLACE FUNCTION jobs.await_event_number()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    INSERT INTO event_pending (account_id, job_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION jobs.await_usage_roll_up()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    INSERT INTO usage_pending (account_id, job_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION jobs.job_is_of_what_passed(status text, input json, images json, passed_input_sha256 text[], output json, passed_output_sha256 text[])
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
  END $function$;

CREATE OR REPLACE FUNCTION jobs.job_is_sound(kind text, status text, moderation_status text, output_decision_id uuid, output json, error_code text, deadline_at timestamp with time zone, completed_at timestamp with time zone, price_micros bigint, retention_days integer)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
  END $function$;

CREATE OR REPLACE FUNCTION jobs.keep_ended_job_unchanged()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    IF (NEW.status, NEW.output::text, NEW.error_code, NEW.moderation_status, NEW.completed_at, NEW.expires_at, NEW.price_micros)
       IS DISTINCT FROM
       (OLD.status, OLD.output::text, OLD.error_code, OLD.moderation_status, OLD.completed_at, OLD.expires_at, OLD.price_micros)
    THEN
      RAISE EXCEPTION 'job % has ended as % and cannot change', OLD.id, OLD.status USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION jobs.number_events(given_account uuid, most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
  END $function$;

CREATE OR REPLACE FUNCTION jobs.refuse_change_of_counted_fields()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    RAISE EXCEPTION 'job % is counted by what it was', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END $function$;

CREATE OR REPLACE FUNCTION jobs.refuse_tombstone_of_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('kinora_job_tombstone', 0));
        IF EXISTS (SELECT FROM job WHERE id = NEW.job_id) THEN
          RETURN NULL;
        END IF;
        RETURN NEW;
      END $function$;

CREATE OR REPLACE FUNCTION jobs.refuse_tombstoned_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
      END $function$;

CREATE TRIGGER job_counted_fields_are_immutable BEFORE UPDATE ON jobs.job FOR EACH ROW WHEN (((((old.account_id IS DISTINCT FROM new.account_id) OR (old.model IS DISTINCT FROM new.model)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.completed_at IS NOT NULL) AND (old.gpu_ms IS DISTINCT FROM new.gpu_ms)))) EXECUTE FUNCTION refuse_change_of_counted_fields();

CREATE TRIGGER job_ended_awaits_event_number AFTER UPDATE ON jobs.job FOR EACH ROW WHEN (((old.completed_at IS NULL) AND (new.completed_at IS NOT NULL))) EXECUTE FUNCTION await_event_number();

CREATE TRIGGER job_ended_awaits_roll_up AFTER UPDATE ON jobs.job FOR EACH ROW WHEN (((old.completed_at IS NULL) AND (new.completed_at IS NOT NULL))) EXECUTE FUNCTION await_usage_roll_up();

CREATE TRIGGER job_ended_is_immutable BEFORE UPDATE ON jobs.job FOR EACH ROW WHEN ((old.completed_at IS NOT NULL)) EXECUTE FUNCTION keep_ended_job_unchanged();

CREATE TRIGGER job_is_not_tombstoned AFTER INSERT ON jobs.job REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION refuse_tombstoned_jobs();

CREATE TRIGGER job_stored_as_ended_awaits_roll_up AFTER INSERT ON jobs.job FOR EACH ROW WHEN ((new.completed_at IS NOT NULL)) EXECUTE FUNCTION await_usage_roll_up();

CREATE TRIGGER job_tombstone_is_no_job BEFORE INSERT ON jobs.job_tombstone FOR EACH ROW EXECUTE FUNCTION refuse_tombstone_of_job();

CREATE TRIGGER usage_minute_adds_to_hour AFTER INSERT OR UPDATE ON jobs.usage_minute FOR EACH ROW EXECUTE FUNCTION add_minute_to_hour();
