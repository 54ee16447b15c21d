-- What the migrations make of an empty schema: written by `npm run generate`, never edited.

CREATE TABLE account (
  id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  status_reason text,
  rate_limit_rpm bigint NOT NULL,
  retention_days integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT account_pkey PRIMARY KEY (id),
  CONSTRAINT account_rate_limit_rpm_check CHECK ((rate_limit_rpm > 0)),
  CONSTRAINT account_retention_days_check CHECK (((retention_days >= 1) AND (retention_days <= 365))),
  CONSTRAINT account_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'suspended'::text, 'closed'::text])))
);

CREATE TABLE api_key (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  allowed_models text[],
  scope text NOT NULL DEFAULT 'jobs'::text,
  created_by uuid,
  former_hash bytea,
  former_valid_until timestamp with time zone,
  is_portal boolean NOT NULL DEFAULT false,
  CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT api_key_allows_some_model CHECK ((cardinality(allowed_models) > 0)),
  CONSTRAINT api_key_created_by_fkey FOREIGN KEY (created_by) REFERENCES api_key(id),
  CONSTRAINT api_key_former_hash_ends CHECK (((former_hash IS NULL) = (former_valid_until IS NULL))),
  CONSTRAINT api_key_hash_key UNIQUE (hash),
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'jobs'::text, 'account'::text])))
);

CREATE TABLE auto_recharge (
  account_id uuid NOT NULL,
  enabled boolean NOT NULL,
  threshold_micros bigint NOT NULL,
  amount_micros bigint NOT NULL,
  monthly_cap_micros bigint,
  payment_method text NOT NULL,
  customer text,
  failures integer NOT NULL DEFAULT 0,
  retry_at timestamp with time zone NOT NULL DEFAULT now(),
  stopped_reason text,
  CONSTRAINT auto_recharge_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT auto_recharge_amount_micros_check CHECK ((amount_micros > 0)),
  CONSTRAINT auto_recharge_check CHECK ((monthly_cap_micros >= amount_micros)),
  CONSTRAINT auto_recharge_failures_check CHECK ((failures >= 0)),
  CONSTRAINT auto_recharge_pkey PRIMARY KEY (account_id),
  CONSTRAINT auto_recharge_stops CHECK ((NOT (enabled AND (stopped_reason IS NOT NULL)))),
  CONSTRAINT auto_recharge_threshold_micros_check CHECK ((threshold_micros > 0))
);

CREATE TABLE hold (
  job_id uuid NOT NULL,
  account_id uuid,
  amount_micros bigint NOT NULL,
  state text NOT NULL DEFAULT 'held'::text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  budget_key_id uuid,
  budget_period_start date,
  api_key_id uuid,
  CONSTRAINT hold_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallet(account_id),
  CONSTRAINT hold_amount_micros_check CHECK ((amount_micros >= 0)),
  CONSTRAINT hold_has_ended CHECK (((state = 'held'::text) = (ended_at IS NULL))),
  CONSTRAINT hold_has_owner CHECK (((state = 'barred'::text) = (account_id IS NULL))),
  CONSTRAINT hold_is_counted_in_a_period CHECK (((budget_key_id IS NULL) = (budget_period_start IS NULL))),
  CONSTRAINT hold_pkey PRIMARY KEY (job_id),
  CONSTRAINT hold_state_check CHECK ((state = ANY (ARRAY['held'::text, 'captured'::text, 'refunded'::text, 'barred'::text])))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

CREATE TABLE inbox (
  consumer text NOT NULL,
  message_id text NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id)
);

CREATE TABLE key_budget (
  api_key_id uuid NOT NULL,
  cap_micros bigint NOT NULL,
  period text NOT NULL,
  period_start date NOT NULL,
  spent_micros bigint NOT NULL DEFAULT 0,
  given_by uuid,
  ended_gifts_micros bigint NOT NULL DEFAULT 0,
  ended_gifts_period date,
  CONSTRAINT key_budget_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_key(id),
  CONSTRAINT key_budget_cap_micros_check CHECK ((cap_micros >= 0)),
  CONSTRAINT key_budget_given_by_fkey FOREIGN KEY (given_by) REFERENCES key_budget(api_key_id),
  CONSTRAINT key_budget_is_kept CHECK (((spent_micros >= 0) AND (spent_micros <= cap_micros))),
  CONSTRAINT key_budget_period_check CHECK ((period = ANY (ARRAY['day'::text, 'month'::text]))),
  CONSTRAINT key_budget_pkey PRIMARY KEY (api_key_id)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

CREATE TABLE key_spend_day (
  account_id uuid NOT NULL,
  day date NOT NULL,
  api_key_id uuid NOT NULL,
  jobs bigint NOT NULL,
  charged_micros bigint NOT NULL,
  CONSTRAINT key_spend_day_pkey PRIMARY KEY (account_id, day, api_key_id)
) WITH (fillfactor=70);

CREATE TABLE ledger_checkpoint (
  account_id uuid NOT NULL,
  entry_id bigint NOT NULL,
  entries bigint NOT NULL,
  available_micros bigint NOT NULL,
  held_micros bigint NOT NULL,
  revenue_micros bigint NOT NULL,
  top_ups_micros bigint NOT NULL,
  credits_micros bigint NOT NULL,
  chain text NOT NULL,
  checked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT ledger_checkpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallet(account_id),
  CONSTRAINT ledger_checkpoint_pkey PRIMARY KEY (account_id)
) WITH (fillfactor=70);

CREATE TABLE ledger_entry (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  kind text NOT NULL,
  debit text NOT NULL,
  credit text NOT NULL,
  amount_micros bigint NOT NULL,
  job_id uuid,
  reason text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  payment_id uuid,
  reference text,
  CONSTRAINT ledger_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallet(account_id),
  CONSTRAINT ledger_entry_has_job CHECK (((kind = ANY (ARRAY['top_up'::text, 'credit'::text, 'adjustment'::text])) = (job_id IS NULL))),
  CONSTRAINT ledger_entry_is_known_move CHECK ((((((kind || ' '::text) || debit) || ' '::text) || credit) = ANY (ARRAY['top_up top_ups available'::text, 'credit credits available'::text, 'adjustment credits available'::text, 'adjustment available credits'::text, 'reserve available held'::text, 'capture held revenue'::text, 'refund held available'::text]))),
  CONSTRAINT ledger_entry_moves_forward CHECK (((amount_micros > 0) OR ((amount_micros = 0) AND (job_id IS NOT NULL)))),
  CONSTRAINT ledger_entry_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  CONSTRAINT ledger_entry_pays_in CHECK (((payment_id IS NULL) OR (kind = 'top_up'::text))),
  CONSTRAINT ledger_entry_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);

CREATE TABLE ledger_hour (
  hour timestamp with time zone NOT NULL,
  kind text NOT NULL,
  entries bigint NOT NULL,
  amount_micros bigint NOT NULL,
  CONSTRAINT ledger_hour_pkey PRIMARY KEY (hour, kind)
);

CREATE TABLE migration (
  id integer NOT NULL DEFAULT nextval('migration_id_seq'::regclass),
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_3043fc6b8af7c99b8b98830094f" PRIMARY KEY (id)
);

CREATE TABLE operator_action (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  action text NOT NULL,
  actor text,
  reason text,
  details json NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  api_key_id uuid,
  CONSTRAINT operator_action_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT operator_action_pkey PRIMARY KEY (id)
);

CREATE TABLE payment (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  provider text NOT NULL,
  amount_micros bigint NOT NULL,
  payment_method text NOT NULL,
  customer text,
  state text NOT NULL DEFAULT 'begun'::text,
  reference text,
  failure text,
  checks integer NOT NULL DEFAULT 0,
  next_check_at timestamp with time zone NOT NULL DEFAULT now(),
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  CONSTRAINT payment_account_id_fkey FOREIGN KEY (account_id) REFERENCES auto_recharge(account_id),
  CONSTRAINT payment_amount_micros_check CHECK ((amount_micros > 0)),
  CONSTRAINT payment_has_ended CHECK (((state = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (ended_at IS NOT NULL))),
  CONSTRAINT payment_pkey PRIMARY KEY (id),
  CONSTRAINT payment_says_why CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
  CONSTRAINT payment_state_check CHECK ((state = ANY (ARRAY['begun'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT payment_was_opened CHECK (((reference IS NOT NULL) OR (state = ANY (ARRAY['begun'::text, 'failed'::text]))))
);

CREATE TABLE portal_link (
  token_hash bytea NOT NULL,
  account_id uuid NOT NULL,
  scope text NOT NULL,
  created_by text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT portal_link_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT portal_link_pkey PRIMARY KEY (token_hash),
  CONSTRAINT portal_link_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'jobs'::text, 'account'::text]))),
  CONSTRAINT portal_link_token_is_a_hash CHECK ((octet_length(token_hash) = 32))
);

CREATE UNLOGGED TABLE rate_bucket (
  api_key_id uuid NOT NULL,
  full_at timestamp with time zone NOT NULL,
  granted bigint NOT NULL DEFAULT 0,
  leased_micros bigint NOT NULL DEFAULT 0,
  leased_until timestamp with time zone,
  CONSTRAINT rate_bucket_pkey PRIMARY KEY (api_key_id)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

CREATE TABLE sandbox_payment (
  reference text NOT NULL,
  payment_id uuid NOT NULL,
  method text NOT NULL,
  amount_micros bigint NOT NULL,
  state text NOT NULL DEFAULT 'unpaid'::text,
  requests integer NOT NULL DEFAULT 0,
  CONSTRAINT sandbox_payment_payment_id_key UNIQUE (payment_id),
  CONSTRAINT sandbox_payment_pkey PRIMARY KEY (reference),
  CONSTRAINT sandbox_payment_state_check CHECK ((state = ANY (ARRAY['unpaid'::text, 'paid'::text, 'declined'::text])))
);

CREATE TABLE strike_standing (
  account_id uuid NOT NULL,
  strikes integer NOT NULL,
  counted_at_us bigint NOT NULL,
  CONSTRAINT strike_standing_pkey PRIMARY KEY (account_id)
);

CREATE TABLE wallet (
  account_id uuid NOT NULL,
  available_micros bigint NOT NULL DEFAULT 0,
  held_micros bigint NOT NULL DEFAULT 0,
  spent_micros bigint NOT NULL DEFAULT 0,
  in_flight_jobs bigint NOT NULL DEFAULT 0,
  max_concurrent_jobs bigint NOT NULL,
  CONSTRAINT wallet_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT wallet_available_micros_check CHECK ((available_micros >= 0)),
  CONSTRAINT wallet_held_micros_check CHECK ((held_micros >= 0)),
  CONSTRAINT wallet_in_flight_jobs_check CHECK ((in_flight_jobs >= 0)),
  CONSTRAINT wallet_is_countable CHECK ((((available_micros + held_micros) + spent_micros) <= '9007199254740991'::bigint)),
  CONSTRAINT wallet_max_concurrent_jobs_check CHECK ((max_concurrent_jobs > 0)),
  CONSTRAINT wallet_pkey PRIMARY KEY (account_id),
  CONSTRAINT wallet_spent_micros_check CHECK ((spent_micros >= 0))
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

CREATE TABLE webhook_secret (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  secret text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  valid_until timestamp with time zone,
  CONSTRAINT webhook_secret_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT webhook_secret_pkey PRIMARY KEY (id)
);

CREATE INDEX account_inactive ON billing.account USING btree (status, id) WHERE (status <> 'active'::text);

CREATE UNIQUE INDEX api_key_by_former_hash ON billing.api_key USING btree (former_hash) WHERE (former_hash IS NOT NULL);

CREATE INDEX api_key_created_by ON billing.api_key USING btree (created_by) WHERE (created_by IS NOT NULL);

CREATE INDEX api_key_of_account ON billing.api_key USING btree (account_id, id);

CREATE INDEX api_key_unrevoked ON billing.api_key USING btree (account_id, id) WHERE (revoked_at IS NULL);

CREATE INDEX auto_recharge_enabled ON billing.auto_recharge USING btree (account_id) WHERE enabled;

CREATE INDEX hold_of_budget ON billing.hold USING btree (budget_key_id, budget_period_start) WHERE (budget_key_id IS NOT NULL);

CREATE INDEX hold_open_by_job ON billing.hold USING btree (job_id, account_id) WHERE (state = 'held'::text);

CREATE INDEX hold_open_of_budget ON billing.hold USING btree (budget_key_id) WHERE ((state = 'held'::text) AND (budget_key_id IS NOT NULL));

CREATE INDEX inbox_by_age ON billing.inbox USING btree (received_at);

CREATE INDEX key_budget_given_by ON billing.key_budget USING btree (given_by) WHERE (given_by IS NOT NULL);

CREATE INDEX ledger_entry_by_time ON billing.ledger_entry USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX ledger_entry_of_account ON billing.ledger_entry USING btree (account_id, id);

CREATE UNIQUE INDEX ledger_entry_of_payment ON billing.ledger_entry USING btree (payment_id) WHERE (payment_id IS NOT NULL);

CREATE UNIQUE INDEX ledger_entry_of_reference ON billing.ledger_entry USING btree (account_id, reference) WHERE (reference IS NOT NULL);

CREATE UNIQUE INDEX ledger_entry_once_per_job ON billing.ledger_entry USING btree (job_id, ((kind = 'reserve'::text))) WHERE (job_id IS NOT NULL);

CREATE INDEX operator_action_of_account ON billing.operator_action USING btree (account_id, id);

CREATE INDEX payment_of_account ON billing.payment USING btree (account_id, created_at);

CREATE UNIQUE INDEX payment_one_at_a_time ON billing.payment USING btree (account_id) WHERE (ended_at IS NULL);

CREATE INDEX payment_open ON billing.payment USING btree (next_check_at) WHERE (ended_at IS NULL);

CREATE INDEX portal_link_by_expiry ON billing.portal_link USING btree (expires_at);

CREATE INDEX portal_link_of_account ON billing.portal_link USING btree (account_id);

CREATE UNIQUE INDEX webhook_secret_current ON billing.webhook_secret USING btree (account_id) WHERE (valid_until IS NULL);

CREATE INDEX webhook_secret_of_account ON billing.webhook_secret USING btree (account_id, id);

CREATE INDEX webhook_secret_retired ON billing.webhook_secret USING btree (valid_until) WHERE (valid_until IS NOT NULL);

CREATE OR REPLACE FUNCTION billing.link_ledger_entry(chain text, start text, entry text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$ SELECT encode(sha256(convert_to(coalesce(chain, start) || entry, 'UTF8')), 'hex') $function$;

CREATE OR REPLACE FUNCTION billing.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      RAISE EXCEPTION '% is append-only: a mistake is corrected by another entry', TG_TABLE_NAME
        USING ERRCODE = 'object_not_in_prerequisite_state';
    END $function$;

CREATE TRIGGER ledger_entry_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON billing.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER operator_action_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON billing.operator_action FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
