-- What the migrations make of an empty schema: written by `npm run generate`, never edited.

CREATE TABLE attempt (
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  response_status integer,
  error text,
  latency_ms integer NOT NULL,
  ended_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  response_excerpt text,
  CONSTRAINT attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES delivery(id),
  CONSTRAINT attempt_number_check CHECK ((number > 0)),
  CONSTRAINT attempt_pkey PRIMARY KEY (delivery_id, number)
) WITH (autovacuum_vacuum_scale_factor=0.05);

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
  host text NOT NULL DEFAULT ''::text,
  last_latency_ms integer,
  redelivery_of uuid,
  traceparent text,
  content_deleted_at timestamp with time zone,
  requested_by uuid,
  CONSTRAINT delivery_event_type_check CHECK ((event_type = ANY (ARRAY['job.succeeded'::text, 'job.failed'::text, 'job.canceled'::text]))),
  CONSTRAINT delivery_is_completed_if_and_only_if_it_ended CHECK (((completed_at IS NULL) = (status = 'pending'::text))),
  CONSTRAINT delivery_is_due_if_and_only_if_it_is_pending CHECK (((next_attempt_at IS NOT NULL) = (status = 'pending'::text))),
  CONSTRAINT delivery_pkey PRIMARY KEY (id),
  CONSTRAINT delivery_redelivery_of_fkey FOREIGN KEY (redelivery_of) REFERENCES delivery(id),
  CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'exhausted'::text])))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

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
  forgotten_before timestamp with time zone,
  CONSTRAINT sweep_name_check CHECK ((name = 'finished_jobs'::text)),
  CONSTRAINT sweep_pkey PRIMARY KEY (name)
);

CREATE INDEX delivery_due ON webhook_dispatcher.delivery USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE INDEX delivery_exhausted ON webhook_dispatcher.delivery USING btree (completed_at) WHERE (status = 'exhausted'::text);

CREATE INDEX delivery_exhausted_newest ON webhook_dispatcher.delivery USING btree (id) WHERE (status = 'exhausted'::text);

CREATE INDEX delivery_exhausted_of_account ON webhook_dispatcher.delivery USING btree (account_id, id) WHERE (status = 'exhausted'::text);

CREATE UNIQUE INDEX delivery_first_of_event ON webhook_dispatcher.delivery USING btree (event_id) WHERE (redelivery_of IS NULL);

CREATE INDEX delivery_of_account ON webhook_dispatcher.delivery USING btree (account_id, id);

CREATE INDEX delivery_of_event ON webhook_dispatcher.delivery USING btree (event_id);

CREATE INDEX delivery_of_host ON webhook_dispatcher.delivery USING btree (account_id, host, id);

CREATE INDEX delivery_of_job ON webhook_dispatcher.delivery USING btree (job_id);

CREATE INDEX delivery_redelivery_of ON webhook_dispatcher.delivery USING btree (redelivery_of) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_requested ON webhook_dispatcher.delivery USING btree (account_id, id) WHERE (requested_by IS NOT NULL);
