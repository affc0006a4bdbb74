#!/bin/sh
# Makes the secrets of deploy/compose.postgres.yaml in a new folder. Containers read them under users of their own, so the
# files can be read, and the folder alone keeps others out.
set -eu
folder=${1:?the folder of the secrets}
mkdir -m 0700 "$folder"
cd "$folder"
umask 022
secret() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
for name in postgres_password svc_password replication_password; do secret >"$name"; done
printf '"svc" "%s"\n' "$(cat svc_password)" >pooler_users
printf 'postgres://svc:%s@pooler:6432/svc\n' "$(cat svc_password)" >database_url
