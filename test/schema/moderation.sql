-- What the migrations make of an empty schema: written by `npm run generate`, never edited.

CREATE TABLE decision (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  job_id uuid NOT NULL,
  stage text NOT NULL,
  verdict text NOT NULL,
  engine text,
  reason text,
  content_sha256 text[] NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  policy_version text,
  engines json,
  findings json,
  texts integer,
  CONSTRAINT decision_blocked_has_reason CHECK (((verdict = 'blocked'::text) = ((engine IS NOT NULL) AND (reason IS NOT NULL)))),
  CONSTRAINT decision_judged_something CHECK ((cardinality(content_sha256) > 0)),
  CONSTRAINT decision_pkey PRIMARY KEY (id),
  CONSTRAINT decision_says_how CHECK (((policy_version IS NOT NULL) AND (engines IS NOT NULL) AND (findings IS NOT NULL))) NOT VALID,
  CONSTRAINT decision_stage_check CHECK ((stage = ANY (ARRAY['input'::text, 'output'::text]))),
  CONSTRAINT decision_verdict_check CHECK ((verdict = ANY (ARRAY['passed'::text, 'blocked'::text])))
) WITH (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);

CREATE TABLE migration (
  id integer NOT NULL DEFAULT nextval('migration_id_seq'::regclass),
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_3043fc6b8af7c99b8b98830094f" PRIMARY KEY (id)
);

CREATE TABLE outbox (
  id uuid NOT NULL,
  subject text NOT NULL,
  payload json NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  traceparent text,
  CONSTRAINT outbox_pkey PRIMARY KEY (id)
);

CREATE TABLE rehearsal_account (
  account_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT rehearsal_account_pkey PRIMARY KEY (account_id)
);

CREATE TABLE strike (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  job_id uuid NOT NULL,
  decision_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  lifted_at timestamp with time zone,
  lifted_by text,
  lift_reason text,
  CONSTRAINT strike_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES decision(id),
  CONSTRAINT strike_lifted_for_a_reason CHECK (((lifted_at IS NULL) = (lift_reason IS NULL))),
  CONSTRAINT strike_once_a_job UNIQUE (job_id),
  CONSTRAINT strike_pkey PRIMARY KEY (id)
);

CREATE INDEX decision_blocked ON moderation.decision USING btree (id) WHERE (verdict = 'blocked'::text);

CREATE INDEX decision_blocked_of_account ON moderation.decision USING btree (account_id, id) WHERE (verdict = 'blocked'::text);

CREATE INDEX decision_by_account ON moderation.decision USING btree (account_id, id);

CREATE INDEX decision_by_job ON moderation.decision USING btree (job_id);

CREATE INDEX strike_by_account ON moderation.strike USING btree (account_id, created_at);
