#!/bin/sh
# Keeps what the documentation of the official image promises: where the data folder is empty, it makes a database, and runs the scripts of
# /docker-entrypoint-initdb.d against a server that no other container reaches.
set -eu
if [ "$(id -u)" = 0 ]; then
  install --directory --owner postgres --group postgres --mode 700 "$PGDATA"
  install --directory --owner postgres --group postgres /var/run/postgresql
  exec setpriv --reuid postgres --regid postgres --init-groups sh "$0" "$@"
fi
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username "$POSTGRES_USER" --auth-local trust --auth-host scram-sha-256 --pwfile /tmp/password
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  pg_ctl start --wait --options "-c listen_addresses=''"
  createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do sh "$script"; done
  pg_ctl stop --wait
fi
exec "$@"
