#!/bin/sh
# The official PostgreSQL image runs this once, when its data folder is empty.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set "jobs_password=$KINORA_PASSWORD" --set "billing_password=$KINORA_PASSWORD" --set "moderation_password=$KINORA_PASSWORD" \
  --set "catalog_password=$KINORA_PASSWORD" --set "webhook_dispatcher_password=$KINORA_PASSWORD" --set "console_password=$KINORA_PASSWORD" \
  --file /kinora/contexts.sql
