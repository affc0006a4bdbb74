#!/bin/bash
# Runs the standby: as a copy of the primary where its volume is empty, and from then on as what it is, also once it has
# been promoted.
set -euo pipefail
umask 077
# Password files are read, command lines are shown to everybody.
printf '*:*:*:replicator:%s\n' "$(cat /run/secrets/replication_password)" >/tmp/pgpass
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # A copy that was cut off is made anew.
  rm -rf "$PGDATA.unfinished"
  pg_basebackup --pgdata="$PGDATA.unfinished" --slot=standby --write-recovery-conf --checkpoint=fast \
    --dbname="host=primary user=replicator application_name=standby passfile=/tmp/pgpass"
  mkdir -p "$(dirname "$PGDATA")"
  rm -rf "$PGDATA"
  mv "$PGDATA.unfinished" "$PGDATA"
fi
# The copy has the primary's setting; promoted, it would wait for itself for ever.
exec postgres -c config_file=/etc/postgresql/postgresql.conf -c synchronous_standby_names=
