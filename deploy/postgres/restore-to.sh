#!/bin/sh
# Prepares the recovery of a stopped server to a moment; the next start of PostgreSQL replays the archive up to it.
#
#   PGDATA=… ARCHIVE=… restore-to.sh '2026-11-22 13:00:00 UTC' base-2026-11-22
#
# ARCHIVE holds the segments of the write-ahead log (wal/) and the base backups. The replaced data is kept beside them.
set -eu
: "${PGDATA:?the data folder of the server}" "${ARCHIVE:?the folder of base backups and segments}"
moment=$1
base=$ARCHIVE/$2
[ -f "$base/backup_label" ] || { echo "$base is no base backup." >&2; exit 1; }
[ ! -f "$PGDATA/postmaster.pid" ] || { echo "Stop the server first: $PGDATA/postmaster.pid exists." >&2; exit 1; }

replaced=$ARCHIVE/replaced-$(date -u +%Y%m%dT%H%M%S)-$$
mkdir "$replaced"
[ -z "$(ls "$PGDATA")" ] || mv "$PGDATA"/* "$replaced"
# The newest segments may not be archived yet.
for segment in "$replaced"/pg_wal/[0-9A-F]*; do
  name=${segment##*/}
  [ ! -f "$segment" ] || [ -f "$ARCHIVE/wal/$name" ] || cp "$segment" "$ARCHIVE/wal/$name"
done
cp -a "$base/." "$PGDATA"
cat >> "$PGDATA/postgresql.auto.conf" <<END
restore_command = 'cp "$ARCHIVE/wal/%f" "%p"'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
END
touch "$PGDATA/recovery.signal"
echo "The next start recovers to $moment. The replaced data is in $replaced."
