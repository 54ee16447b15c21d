-- What the migrations make of an empty schema: written by `npm run generate`, never edited.

CREATE TABLE audit_entry (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  user_id uuid,
  actor text NOT NULL,
  action text NOT NULL,
  target text,
  account_id uuid,
  reason text,
  before jsonb,
  after jsonb,
  outcome text NOT NULL DEFAULT 'unknown'::text,
  request_id text NOT NULL,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (id)
);

CREATE TABLE check_result (
  name text NOT NULL,
  ok boolean NOT NULL,
  summary text NOT NULL,
  problems jsonb NOT NULL,
  actor text NOT NULL,
  ran_at timestamp with time zone NOT NULL,
  CONSTRAINT check_result_name_check CHECK ((name = ANY (ARRAY['doctor'::text, 'ledger_verify'::text]))),
  CONSTRAINT check_result_pkey PRIMARY KEY (name)
);

CREATE TABLE migration (
  id integer NOT NULL DEFAULT nextval('migration_id_seq'::regclass),
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_3043fc6b8af7c99b8b98830094f" PRIMARY KEY (id)
);

CREATE TABLE operator_user (
  id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  password text,
  subject text,
  created_by text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  disabled_at timestamp with time zone,
  CONSTRAINT operator_user_email_is_lower CHECK ((email = lower(email))),
  CONSTRAINT operator_user_pkey PRIMARY KEY (id),
  CONSTRAINT operator_user_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'finance'::text, 'support'::text, 'viewer'::text])))
);

CREATE TABLE request_log (
  at timestamp with time zone NOT NULL,
  id text NOT NULL,
  account_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  method text NOT NULL,
  route text,
  status integer,
  code text,
  duration_ms real NOT NULL,
  job_id uuid,
  from_console boolean NOT NULL DEFAULT false,
  CONSTRAINT request_log_pkey PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);

CREATE TABLE session (
  id bytea NOT NULL,
  kind text NOT NULL,
  account_id uuid,
  api_key_id uuid,
  key_prefix text,
  scope text,
  is_portal boolean NOT NULL DEFAULT false,
  credential bytea,
  user_id uuid,
  confirmed_until timestamp with time zone,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT session_id_is_a_hash CHECK ((octet_length(id) = 32)),
  CONSTRAINT session_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'operator'::text]))),
  CONSTRAINT session_of_customer CHECK (((kind = 'customer'::text) = ((account_id IS NOT NULL) AND (credential IS NOT NULL) AND (scope IS NOT NULL)))),
  CONSTRAINT session_of_operator CHECK (((kind = 'operator'::text) = (user_id IS NOT NULL))),
  CONSTRAINT session_pkey PRIMARY KEY (id)
);

CREATE TABLE setup_link (
  id bytea NOT NULL,
  user_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT setup_link_id_is_a_hash CHECK ((octet_length(id) = 32)),
  CONSTRAINT setup_link_pkey PRIMARY KEY (id),
  CONSTRAINT setup_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES operator_user(id)
);

CREATE INDEX audit_entry_of_account ON console.audit_entry USING btree (account_id, id) WHERE (account_id IS NOT NULL);

CREATE INDEX audit_entry_of_user ON console.audit_entry USING btree (user_id, id) WHERE (user_id IS NOT NULL);

CREATE UNIQUE INDEX operator_user_email ON console.operator_user USING btree (email);

CREATE UNIQUE INDEX operator_user_subject ON console.operator_user USING btree (subject) WHERE (subject IS NOT NULL);

CREATE INDEX request_log_by_time ON ONLY console.request_log USING btree (at, id);

CREATE INDEX request_log_of_account ON ONLY console.request_log USING btree (account_id, at, id);

CREATE INDEX session_by_expiry ON console.session USING btree (expires_at);

CREATE INDEX session_of_account ON console.session USING btree (account_id, created_at) WHERE (account_id IS NOT NULL);

CREATE INDEX session_of_user ON console.session USING btree (user_id, created_at) WHERE (user_id IS NOT NULL);

CREATE INDEX setup_link_of_user ON console.setup_link USING btree (user_id);

CREATE OR REPLACE FUNCTION console.keep_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF TG_OP = 'UPDATE' AND OLD.outcome = 'unknown' AND (to_jsonb(NEW) - 'outcome' - 'after') = (to_jsonb(OLD) - 'outcome' - 'after') THEN
          RETURN NEW;
        END IF;
        RAISE EXCEPTION 'audit entries cannot change' USING ERRCODE = 'object_not_in_prerequisite_state';
      END $function$;

CREATE OR REPLACE FUNCTION console.keep_request_days(ahead integer, kept integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
      DECLARE
        today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
        day date;
        old text;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('kinora_request_log', 0));
        FOR day IN SELECT generate_series(today - 1, today + ahead, interval '1 day')::date LOOP
          EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF request_log FOR VALUES FROM (%L) TO (%L)',
                         'request_log_' || to_char(day, 'YYYYMMDD'), day::text || ' 00:00+00', (day + 1)::text || ' 00:00+00');
        END LOOP;
        FOR old IN SELECT part.relname FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
                    WHERE inhparent = 'request_log'::regclass
                      AND part.relname < 'request_log_' || to_char(today - kept, 'YYYYMMDD') LOOP
          EXECUTE format('DROP TABLE %I', old);
        END LOOP;
      END $function$;

CREATE TRIGGER audit_entry_is_kept BEFORE DELETE OR UPDATE ON console.audit_entry FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
