-- The role and the schema of the console, in a database whose other contexts exist already, by an administrator, once:
--   psql --set console_password=… --file deploy/postgres/console.sql "$ADMIN_URL"
-- contexts.sql makes them in a new database, with the same limits.
CREATE ROLE kinora_console LOGIN PASSWORD :'console_password';

-- An administrator who is no superuser must be a member of a role before it may hand a schema to it.
GRANT kinora_console TO CURRENT_USER;

CREATE SCHEMA console AUTHORIZATION kinora_console;

ALTER ROLE kinora_console SET search_path = console;
ALTER ROLE kinora_console SET statement_timeout = '10s';
ALTER ROLE kinora_console SET lock_timeout = '5s';
ALTER ROLE kinora_console SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE kinora_console SET plan_cache_mode = 'force_generic_plan';
ALTER ROLE kinora_console SET enable_seqscan = 'off';
ALTER ROLE kinora_console SET enable_bitmapscan = 'off';
ALTER ROLE kinora_console SET jit = 'off';
