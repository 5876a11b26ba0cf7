#!/bin/sh
# Copies the primary at the first start, and follows it afterwards. Arguments are passed to `postgres`.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  chmod 700 "$PGDATA"
  until pg_basebackup --pgdata "$PGDATA" --write-recovery-conf --checkpoint fast --dbname "$PRIMARY"; do
    sleep 1
  done
fi
exec postgres "$@"
