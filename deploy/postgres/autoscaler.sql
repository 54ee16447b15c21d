-- The role by which KEDA counts the outputs that wait for a runner, in the database of jobs, by an administrator, once, after the first
-- installation has made the tables:
--   psql --set autoscaler_password=… --file deploy/postgres/autoscaler.sql "$ADMIN_URL"
-- It reads the states of attempts and nothing else: no prompt, no account, no other column.
CREATE ROLE kinora_autoscaler LOGIN PASSWORD :'autoscaler_password' CONNECTION LIMIT 4;
ALTER ROLE kinora_autoscaler SET default_transaction_read_only = on;
ALTER ROLE kinora_autoscaler SET statement_timeout = '5s';

GRANT USAGE ON SCHEMA jobs TO kinora_autoscaler;
GRANT SELECT (state) ON jobs.attempt TO kinora_autoscaler;
