#!/bin/sh
# Creates the service's role, which is not a superuser, its database, and a role for the replica. The image runs this at the end of its
# set-up. Elsewhere, run it once as a superuser.
set -e
psql --quiet --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --set password="$ESTATE_PASSWORD" <<'SQL'
create role estate login password :'password';
create database estate encoding 'UTF8' template template0;
revoke all on database estate from public;
grant connect, create on database estate to estate;
create role replicator replication login password :'password';
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
psql --quiet --username "$POSTGRES_USER" --dbname postgres --command 'select pg_reload_conf()' >/dev/null
