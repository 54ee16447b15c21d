-- What the migrations make of an empty schema: written by `npm run generate`, never edited.

CREATE TABLE delivery (
  id uuid NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  account_id uuid NOT NULL,
  job_id uuid NOT NULL,
  url text NOT NULL,
  body text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone DEFAULT clock_timestamp(),
  fence integer NOT NULL DEFAULT 0,
  last_response_status integer,
  last_error text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamp with time zone,
  CONSTRAINT delivery_event_id_key UNIQUE (event_id),
  CONSTRAINT delivery_event_type_check CHECK ((event_type = ANY (ARRAY['job.succeeded'::text, 'job.failed'::text, 'job.canceled'::text]))),
  CONSTRAINT delivery_is_completed_if_and_only_if_it_ended CHECK (((completed_at IS NULL) = (status = 'pending'::text))),
  CONSTRAINT delivery_is_due_if_and_only_if_it_is_pending CHECK (((next_attempt_at IS NOT NULL) = (status = 'pending'::text))),
  CONSTRAINT delivery_pkey PRIMARY KEY (id),
  CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

CREATE TABLE inbox (
  consumer text NOT NULL,
  message_id text NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id)
);

CREATE TABLE migration (
  id integer NOT NULL DEFAULT nextval('migration_id_seq'::regclass),
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_3043fc6b8af7c99b8b98830094f" PRIMARY KEY (id)
);

CREATE TABLE sweep (
  name text NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  reached_at timestamp with time zone,
  CONSTRAINT sweep_name_check CHECK ((name = 'finished_jobs'::text)),
  CONSTRAINT sweep_pkey PRIMARY KEY (name)
);

CREATE INDEX delivery_due ON webhook_dispatcher.delivery USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE INDEX delivery_of_account ON webhook_dispatcher.delivery USING btree (account_id, id);

CREATE INDEX delivery_of_job ON webhook_dispatcher.delivery USING btree (job_id);

CREATE INDEX inbox_by_age ON webhook_dispatcher.inbox USING btree (received_at);
