#!/bin/sh
# Makes the deployment if there is none, and gives the second server a copy of its keys. It runs before the servers start,
# and begins as root, because new volumes belong to root; all the rest is done by the user of the image.
set -eu
user=10001
if [ "$(id -u)" != "$user" ]; then
  chown "$user:$user" /var/lib/svc /var/lib/svc-2 /var/lib/svc-exports
  exec setpriv --reuid "$user" --regid "$user" --clear-groups sh "$0"
fi
umask 077
if [ ! -e /var/lib/svc/database.json ]; then
  SVC_DATABASE_URL="$(cat /run/secrets/database_url)" node /opt/svc/svc-server.mjs init --origin "$SVC_ORIGIN" --data /var/lib/svc
fi
# The last one makes the folder whole. After a rotation of the pepper both files are copied by hand: docs/scaling.md.
for name in signing-key.pem witness-key.pem pepper database.json; do
  from="/var/lib/svc/$name" to="/var/lib/svc-2/$name"
  [ -e "$to" ] || { cat "$from" >"$to.unfinished" && mv "$to.unfinished" "$to"; }
done
