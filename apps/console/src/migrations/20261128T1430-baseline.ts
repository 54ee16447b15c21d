import { BaselineMigration } from '@kinora/database/without-nest';

/** Sessions end for every process of the console at the same moment, and outlive a restart. */
const SESSION = `
  CREATE TABLE session (
    id bytea PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('customer', 'operator')),
    account_id uuid,
    api_key_id uuid,
    key_prefix text,
    scope text,
    is_portal boolean NOT NULL DEFAULT false,
    credential bytea,
    user_id uuid,
    confirmed_until timestamptz,
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT session_id_is_a_hash CHECK (octet_length(id) = 32),
    CONSTRAINT session_of_customer CHECK (
      (kind = 'customer') = (account_id IS NOT NULL AND credential IS NOT NULL AND scope IS NOT NULL)),
    CONSTRAINT session_of_operator CHECK ((kind = 'operator') = (user_id IS NOT NULL))
  );
  CREATE INDEX session_of_account ON session (account_id, created_at) WHERE account_id IS NOT NULL;
  CREATE INDEX session_of_user ON session (user_id, created_at) WHERE user_id IS NOT NULL;
  CREATE INDEX session_by_expiry ON session (expires_at)`;

/** Operators, and the links with which they set their first password. */
const OPERATOR_USER = `
  CREATE TABLE operator_user (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'finance', 'support', 'viewer')),
    password text,
    subject text,
    created_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz,
    CONSTRAINT operator_user_email_is_lower CHECK (email = lower(email))
  );
  CREATE UNIQUE INDEX operator_user_email ON operator_user (email);
  CREATE UNIQUE INDEX operator_user_subject ON operator_user (subject) WHERE subject IS NOT NULL;
  CREATE TABLE setup_link (
    id bytea PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES operator_user (id),
    expires_at timestamptz NOT NULL,
    CONSTRAINT setup_link_id_is_a_hash CHECK (octet_length(id) = 32)
  );
  CREATE INDEX setup_link_of_user ON setup_link (user_id)`;

/** What operators did. An entry is written before the request is sent; only its outcome is added, once. */
const AUDIT_ENTRY = `
  CREATE TABLE audit_entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    user_id uuid,
    actor text NOT NULL,
    action text NOT NULL,
    target text,
    account_id uuid,
    reason text,
    before jsonb,
    after jsonb,
    outcome text NOT NULL DEFAULT 'unknown',
    request_id text NOT NULL
  );
  CREATE INDEX audit_entry_of_account ON audit_entry (account_id, id) WHERE account_id IS NOT NULL;
  CREATE INDEX audit_entry_of_user ON audit_entry (user_id, id) WHERE user_id IS NOT NULL;
  CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND OLD.outcome = 'unknown' AND (to_jsonb(NEW) - 'outcome' - 'after') = (to_jsonb(OLD) - 'outcome' - 'after') THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'audit entries cannot change' USING ERRCODE = 'object_not_in_prerequisite_state';
  END $$;
  CREATE TRIGGER audit_entry_is_kept BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION keep_audit_entry()`;

/** The last results of the checks that operators run, for the overview. */
const CHECK_RESULT = `
  CREATE TABLE check_result (
    name text PRIMARY KEY CHECK (name IN ('doctor', 'ledger_verify')),
    ok boolean NOT NULL,
    summary text NOT NULL,
    problems jsonb NOT NULL,
    actor text NOT NULL,
    ran_at timestamptz NOT NULL
  )`;

/**
 * The requests of the last days. A partition holds one day of UTC, so that old rows are dropped as a whole, without a scan and
 * without dead rows. A function creates and drops partitions, because their names depend on the date.
 */
const REQUEST_LOG = `
  CREATE TABLE request_log (
    at timestamptz NOT NULL,
    id text NOT NULL,
    account_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    method text NOT NULL,
    route text,
    status integer,
    code text,
    duration_ms real NOT NULL,
    job_id uuid,
    -- The pages of the console poll the API with the key of their session. A customer looks for the requests of programs.
    from_console boolean NOT NULL DEFAULT false,
    PRIMARY KEY (id, at)
  ) PARTITION BY RANGE (at);
  CREATE INDEX request_log_of_account ON request_log (account_id, at, id);
  CREATE INDEX request_log_by_time ON request_log (at, id);
  CREATE FUNCTION keep_request_days(ahead integer, kept integer) RETURNS void LANGUAGE plpgsql AS $$
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
  END $$`;

/**
 * Why: sessions, operators and their actions, and the log of requests.
 * Lock: none, the tables are new. Way back: none, it is the first migration.
 */
export class Baseline1795876200000 extends BaselineMigration {
  readonly name = 'Baseline1795876200000';
  readonly replaces = 'MarkConsoleRequests1795425360000';
  protected readonly schema = [SESSION, OPERATOR_USER, AUDIT_ENTRY, CHECK_RESULT, REQUEST_LOG];
}
