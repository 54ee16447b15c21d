/**
 * The ledger is the source of truth, and the wallet is derived from it in the same statement, so that one row lock decides what may
 * be reserved. Half-empty pages allow HOT updates: the row changes twice per job, and no index covers the changed columns. Dead
 * versions, which every reserve would scan under the row lock, are vacuumed by their number.
 */
export const WALLET = `
  CREATE TABLE wallet (
    account_id uuid PRIMARY KEY REFERENCES account,
    available_micros bigint NOT NULL DEFAULT 0 CHECK (available_micros >= 0),
    held_micros bigint NOT NULL DEFAULT 0 CHECK (held_micros >= 0),
    spent_micros bigint NOT NULL DEFAULT 0 CHECK (spent_micros >= 0),
    in_flight_jobs bigint NOT NULL DEFAULT 0 CHECK (in_flight_jobs >= 0),
    -- In the same row as the count that it limits: a statement that waited for the row lock must read both in their current version.
    max_concurrent_jobs bigint NOT NULL CHECK (max_concurrent_jobs > 0),
    -- The largest integer that JavaScript represents exactly.
    CONSTRAINT wallet_is_countable CHECK (available_micros + held_micros + spent_micros <= 9007199254740991)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`;

export const HOLD = `
  CREATE TABLE hold (
    job_id uuid PRIMARY KEY,
    -- The wallet, not the account: the inserting statement has already locked the wallet's row.
    account_id uuid REFERENCES wallet,
    amount_micros bigint NOT NULL CHECK (amount_micros >= 0),
    state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'captured', 'refunded', 'barred')),
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    -- The capped key and the period that counted the hold: a refund subtracts from that period, or from none.
    budget_key_id uuid,
    budget_period_start date,
    -- A capture adds to the sum of this key's day.
    api_key_id uuid,
    CONSTRAINT hold_has_ended CHECK ((state = 'held') = (ended_at IS NULL)),
    -- Barred: refunded before it was reserved, so its account is unknown.
    CONSTRAINT hold_has_owner CHECK ((state = 'barred') = (account_id IS NULL)),
    CONSTRAINT hold_is_counted_in_a_period CHECK ((budget_key_id IS NULL) = (budget_period_start IS NULL))
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
  -- Ordered by job, because a page of old open holds would read all ended ones in the order of accounts.
  CREATE INDEX hold_open_by_job ON hold (job_id, account_id) WHERE state = 'held';
  -- A full verification compares each key's budget with the holds of its period, and the revocation of a key moves its open holds.
  CREATE INDEX hold_of_budget ON hold (budget_key_id, budget_period_start) WHERE budget_key_id IS NOT NULL;
  CREATE INDEX hold_open_of_budget ON hold (budget_key_id) WHERE state = 'held' AND budget_key_id IS NOT NULL`;

/**
 * Automatic charges of accounts whose balance is low. Before the ledger, because a top-up names its payment. The records of the
 * sandbox provider, which a real provider keeps itself, must survive a restart.
 */
export const PAYMENT = `
  CREATE TABLE auto_recharge (
    account_id uuid PRIMARY KEY REFERENCES account,
    enabled boolean NOT NULL,
    threshold_micros bigint NOT NULL CHECK (threshold_micros > 0),
    amount_micros bigint NOT NULL CHECK (amount_micros > 0),
    monthly_cap_micros bigint CHECK (monthly_cap_micros >= amount_micros),
    payment_method text NOT NULL,
    customer text,
    -- Consecutive failures since the last successful charge or the last setup by an operator.
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    retry_at timestamptz NOT NULL DEFAULT now(),
    stopped_reason text,
    CONSTRAINT auto_recharge_stops CHECK (NOT (enabled AND stopped_reason IS NOT NULL))
  );
  CREATE INDEX auto_recharge_enabled ON auto_recharge (account_id) WHERE enabled;
  CREATE TABLE payment (
    -- Also the provider's idempotency key.
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES auto_recharge,
    provider text NOT NULL,
    amount_micros bigint NOT NULL CHECK (amount_micros > 0),
    payment_method text NOT NULL,
    customer text,
    -- Begun: no charge was sent. Unknown: the charge was sent, and its outcome is not known yet.
    state text NOT NULL DEFAULT 'begun' CHECK (state IN ('begun', 'unknown', 'succeeded', 'failed')),
    -- The provider's id of the charge.
    reference text,
    failure text,
    checks integer NOT NULL DEFAULT 0,
    next_check_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    CONSTRAINT payment_was_opened CHECK (reference IS NOT NULL OR state IN ('begun', 'failed')),
    CONSTRAINT payment_has_ended CHECK ((state IN ('succeeded', 'failed')) = (ended_at IS NOT NULL)),
    CONSTRAINT payment_says_why CHECK ((state = 'failed') = (failure IS NOT NULL))
  );
  -- An account is never charged while the outcome of its previous charge is unknown.
  CREATE UNIQUE INDEX payment_one_at_a_time ON payment (account_id) WHERE ended_at IS NULL;
  CREATE INDEX payment_open ON payment (next_check_at) WHERE ended_at IS NULL;
  CREATE INDEX payment_of_account ON payment (account_id, created_at);
  CREATE TABLE sandbox_payment (
    reference text PRIMARY KEY,
    payment_id uuid NOT NULL UNIQUE,
    method text NOT NULL,
    amount_micros bigint NOT NULL,
    state text NOT NULL DEFAULT 'unpaid' CHECK (state IN ('unpaid', 'paid', 'declined')),
    -- How many charge requests arrived.
    requests integer NOT NULL DEFAULT 0
  )`;

/**
 * A row is a transfer from one book to another, so debits always equal credits. Identities are drawn under the lock of the wallet's
 * row, so within an account their order is the order of events.
 */
export const LEDGER_ENTRY = `
  CREATE TABLE ledger_entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES wallet,
    kind text NOT NULL,
    debit text NOT NULL,
    credit text NOT NULL,
    amount_micros bigint NOT NULL,
    job_id uuid,
    reason text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    payment_id uuid REFERENCES payment,
    -- The operator's own id of the entry: a command that is repeated after a lost response does not pay in twice.
    reference text,
    -- One text comparison: seven moves compared column by column took a sixth of the time of a reserve, because PostgreSQL plans a
    -- check anew for every statement.
    CONSTRAINT ledger_entry_is_known_move CHECK (kind || ' ' || debit || ' ' || credit IN (
      'top_up top_ups available', 'credit credits available', 'adjustment credits available', 'adjustment available credits',
      'reserve available held', 'capture held revenue', 'refund held available')),
    -- A job of a free model has entries of 0.
    CONSTRAINT ledger_entry_moves_forward CHECK (amount_micros > 0 OR (amount_micros = 0 AND job_id IS NOT NULL)),
    CONSTRAINT ledger_entry_has_job CHECK ((kind IN ('top_up', 'credit', 'adjustment')) = (job_id IS NULL)),
    CONSTRAINT ledger_entry_pays_in CHECK (payment_id IS NULL OR kind = 'top_up')
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
  -- One reserve per job, and one end: a capture or a refund.
  CREATE UNIQUE INDEX ledger_entry_once_per_job ON ledger_entry (job_id, (kind = 'reserve')) WHERE job_id IS NOT NULL;
  CREATE UNIQUE INDEX ledger_entry_of_payment ON ledger_entry (payment_id) WHERE payment_id IS NOT NULL;
  CREATE UNIQUE INDEX ledger_entry_of_reference ON ledger_entry (account_id, reference) WHERE reference IS NOT NULL;
  CREATE INDEX ledger_entry_of_account ON ledger_entry (account_id, id);
  -- Finds the entries of an hour, and costs an insert next to nothing.
  CREATE INDEX ledger_entry_by_time ON ledger_entry USING brin (created_at)
    WITH (pages_per_range = 32, autosummarize = on)`;

/** The ledger refuses changes by its owner too. */
export const LEDGER_GUARD = `
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only: a mistake is corrected by another entry', TG_TABLE_NAME
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END $$;
  REVOKE UPDATE, DELETE, TRUNCATE ON ledger_entry FROM PUBLIC, CURRENT_USER;
  CREATE TRIGGER ledger_entry_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  -- Always: also in replica mode (session_replication_role), which skips ordinary triggers.
  ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_is_append_only`;

/**
 * What is derived from entries that do not change any more. A checkpoint keeps the sums of an account's entries up to one of them,
 * with a hash chain over all before it, so a verification reads only new entries, and a full one detects a changed old entry.
 * Operators see the sums of ended hours.
 */
export const LEDGER_SUMS = `
  CREATE TABLE ledger_checkpoint (
    account_id uuid PRIMARY KEY REFERENCES wallet,
    -- The last counted entry. No entry with an earlier id is added later.
    entry_id bigint NOT NULL,
    entries bigint NOT NULL,
    available_micros bigint NOT NULL,
    held_micros bigint NOT NULL,
    revenue_micros bigint NOT NULL,
    top_ups_micros bigint NOT NULL,
    credits_micros bigint NOT NULL,
    chain text NOT NULL,
    checked_at timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 70);
  CREATE FUNCTION link_ledger_entry(chain text, start text, entry text) RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT encode(sha256(convert_to(coalesce(chain, start) || entry, 'UTF8')), 'hex') $$;
  CREATE AGGREGATE chain_ledger_entries(text, text) (SFUNC = link_ledger_entry, STYPE = text);
  CREATE TABLE ledger_hour (
    hour timestamptz NOT NULL,
    kind text NOT NULL,
    entries bigint NOT NULL,
    amount_micros bigint NOT NULL,
    PRIMARY KEY (hour, kind)
  )`;

/** What a key may spend, and what it has spent. */
export const KEY_SPEND = `
  -- One row per capped key. It counts one period; the first job of a later period resets it.
  CREATE TABLE key_budget (
    api_key_id uuid PRIMARY KEY REFERENCES api_key,
    -- 0 where the key has given its whole budget away.
    cap_micros bigint NOT NULL CHECK (cap_micros >= 0),
    period text NOT NULL CHECK (period IN ('day', 'month')),
    period_start date NOT NULL,
    spent_micros bigint NOT NULL DEFAULT 0,
    given_by uuid REFERENCES key_budget,
    -- What revoked keys have spent of budgets that this one gave: no hold of this key says so.
    ended_gifts_micros bigint NOT NULL DEFAULT 0,
    ended_gifts_period date,
    CONSTRAINT key_budget_is_kept CHECK (spent_micros BETWEEN 0 AND cap_micros)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  CREATE INDEX key_budget_given_by ON key_budget (given_by) WHERE given_by IS NOT NULL;
  -- Customers see what each of their keys has spent: a page reads sums and never the ledger.
  CREATE TABLE key_spend_day (
    account_id uuid NOT NULL,
    day date NOT NULL,
    api_key_id uuid NOT NULL,
    jobs bigint NOT NULL,
    charged_micros bigint NOT NULL,
    PRIMARY KEY (account_id, day, api_key_id)
  ) WITH (fillfactor = 70)`;
