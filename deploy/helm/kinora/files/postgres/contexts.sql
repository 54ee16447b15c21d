-- A role and a schema for each context, in the database that one is connected to, by an administrator, once:
--   psql --set jobs_password=… --set billing_password=… --set moderation_password=… --set catalog_password=… \
--     --set webhook_dispatcher_password=… --set console_password=… --file deploy/helm/kinora/files/postgres/contexts.sql "$ADMIN_URL"
-- Each role owns its schema and sees no other.
REVOKE ALL ON SCHEMA public FROM PUBLIC;

CREATE ROLE kinora_jobs LOGIN PASSWORD :'jobs_password';
CREATE ROLE kinora_billing LOGIN PASSWORD :'billing_password';
CREATE ROLE kinora_moderation LOGIN PASSWORD :'moderation_password';
CREATE ROLE kinora_catalog LOGIN PASSWORD :'catalog_password';
CREATE ROLE kinora_webhook_dispatcher LOGIN PASSWORD :'webhook_dispatcher_password';
CREATE ROLE kinora_console LOGIN PASSWORD :'console_password';

-- An administrator who is no superuser must be a member of a role before it may hand a schema to it.
GRANT kinora_jobs, kinora_billing, kinora_moderation, kinora_catalog, kinora_webhook_dispatcher, kinora_console TO CURRENT_USER;

CREATE SCHEMA jobs AUTHORIZATION kinora_jobs;
CREATE SCHEMA billing AUTHORIZATION kinora_billing;
CREATE SCHEMA moderation AUTHORIZATION kinora_moderation;
CREATE SCHEMA catalog AUTHORIZATION kinora_catalog;
CREATE SCHEMA webhook_dispatcher AUTHORIZATION kinora_webhook_dispatcher;
CREATE SCHEMA console AUTHORIZATION kinora_console;

ALTER ROLE kinora_jobs SET search_path = jobs;
ALTER ROLE kinora_billing SET search_path = billing;
ALTER ROLE kinora_moderation SET search_path = moderation;
ALTER ROLE kinora_catalog SET search_path = catalog;
ALTER ROLE kinora_webhook_dispatcher SET search_path = webhook_dispatcher;
ALTER ROLE kinora_console SET search_path = console;

-- The limits of every session, and how it plans. Poolers drop what a client sends when it connects, so they belong to the roles.
DO $$
DECLARE
  role text;
  setting text[];
BEGIN
  FOREACH role IN ARRAY ARRAY['kinora_jobs', 'kinora_billing', 'kinora_moderation', 'kinora_catalog', 'kinora_webhook_dispatcher', 'kinora_console']
  LOOP
    FOREACH setting SLICE 1 IN ARRAY ARRAY[
      ['statement_timeout', '10s'],
      ['lock_timeout', '5s'],
      ['idle_in_transaction_session_timeout', '10s'],
      ['plan_cache_mode', 'force_generic_plan'],
      ['enable_seqscan', 'off'],
      ['enable_bitmapscan', 'off'],
      ['jit', 'off']
    ]
    LOOP
      EXECUTE format('ALTER ROLE %I SET %I = %L', role, setting[1], setting[2]);
    END LOOP;
  END LOOP;
END $$;
