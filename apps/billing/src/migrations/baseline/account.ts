export const ACCOUNT = `
  CREATE TABLE account (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'suspended', 'closed')),
    status_reason text,
    rate_limit_rpm bigint NOT NULL CHECK (rate_limit_rpm > 0),
    retention_days integer NOT NULL CHECK (retention_days BETWEEN 1 AND 365),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  -- Operators list the accounts of one status. Most accounts are active, and the primary key finds these.
  CREATE INDEX account_inactive ON account (status, id) WHERE status <> 'active'`;

export const API_KEY = `
  CREATE TABLE api_key (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    name text NOT NULL,
    prefix text NOT NULL,
    -- HMAC-SHA256 of the key's SHA-256 under a pepper that is not in the database.
    hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    allowed_models text[] CONSTRAINT api_key_allows_some_model CHECK (cardinality(allowed_models) > 0),
    scope text NOT NULL DEFAULT 'jobs' CHECK (scope IN ('read', 'jobs', 'account')),
    created_by uuid REFERENCES api_key,
    -- A rotated key keeps its former secret for a while.
    former_hash bytea,
    former_valid_until timestamptz,
    -- Made by a link of the console, for its pages and for no program.
    is_portal boolean NOT NULL DEFAULT false,
    CONSTRAINT api_key_former_hash_ends CHECK ((former_hash IS NULL) = (former_valid_until IS NULL))
  );
  CREATE INDEX api_key_of_account ON api_key (account_id, id);
  -- An account may have any number of revoked keys, which no request of its keys may have to read.
  CREATE INDEX api_key_unrevoked ON api_key (account_id, id) WHERE revoked_at IS NULL;
  CREATE UNIQUE INDEX api_key_by_former_hash ON api_key (former_hash) WHERE former_hash IS NOT NULL;
  CREATE INDEX api_key_created_by ON api_key (created_by) WHERE created_by IS NOT NULL`;

export const PORTAL_LINK = `
  CREATE TABLE portal_link (
    token_hash bytea PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    scope text NOT NULL CHECK (scope IN ('read', 'jobs', 'account')),
    created_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT portal_link_token_is_a_hash CHECK (octet_length(token_hash) = 32)
  );
  CREATE INDEX portal_link_of_account ON portal_link (account_id);
  CREATE INDEX portal_link_by_expiry ON portal_link (expires_at)`;

export const WEBHOOK_SECRET = `
  CREATE TABLE webhook_secret (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    -- In clear text, because signing needs it.
    secret text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Null for the current secret.
    valid_until timestamptz
  );
  CREATE INDEX webhook_secret_of_account ON webhook_secret (account_id, id);
  CREATE UNIQUE INDEX webhook_secret_current ON webhook_secret (account_id) WHERE valid_until IS NULL;
  -- Retired secrets are deleted by age.
  CREATE INDEX webhook_secret_retired ON webhook_secret (valid_until) WHERE valid_until IS NOT NULL`;

/**
 * Unlogged: after a crash of PostgreSQL the table is empty and every bucket full, which is acceptable. A logged table would need
 * a flush of the write-ahead log per request. Buckets are few rows that change often: their pages fill with dead versions, so the
 * table is vacuumed by their number, and half-empty pages allow updates that change no index (HOT updates).
 */
export const RATE_BUCKET = `
  CREATE UNLOGGED TABLE rate_bucket (
    api_key_id uuid PRIMARY KEY,
    -- GCRA's theoretical arrival time: when the bucket will be full again.
    full_at timestamptz NOT NULL,
    -- A statement that takes several tokens returns how many it got, and UPDATE … RETURNING returns only the new row.
    granted bigint NOT NULL DEFAULT 0,
    -- Gateways lease tokens. Billing recalls them before it refuses a request, and answers a command only after the leases of the
    -- account have ended.
    leased_micros bigint NOT NULL DEFAULT 0,
    leased_until timestamptz
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`;

/** Append-only, also for the owner of the table. */
export const OPERATOR_ACTION = `
  CREATE TABLE operator_action (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    action text NOT NULL,
    -- The operator as named in the request; null if the request names none.
    actor text,
    reason text,
    details json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    api_key_id uuid
  );
  CREATE INDEX operator_action_of_account ON operator_action (account_id, id);
  REVOKE UPDATE, DELETE, TRUNCATE ON operator_action FROM PUBLIC, CURRENT_USER;
  CREATE TRIGGER operator_action_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_action
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ALTER TABLE operator_action ENABLE ALWAYS TRIGGER operator_action_is_append_only`;

/**
 * Moderation's events can arrive twice and out of order: the inbox makes each take effect once, and the latest count of each
 * account decides, so that a strike that arrives after it was lifted does not suspend.
 */
export const STRIKES = `
  CREATE TABLE inbox (
    consumer text NOT NULL,
    message_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, message_id)
  );
  CREATE INDEX inbox_by_age ON inbox (received_at);
  CREATE TABLE strike_standing (
    account_id uuid PRIMARY KEY,
    strikes integer NOT NULL,
    counted_at_us bigint NOT NULL
  )`;
