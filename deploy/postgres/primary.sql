-- Runs once, when the primary's volume is empty. psql reads the passwords from files: no command line has them.
\set svc_password `cat /run/secrets/svc_password`
\set replication_password `cat /run/secrets/replication_password`
CREATE ROLE svc LOGIN PASSWORD :'svc_password';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication_password';
CREATE DATABASE svc OWNER svc ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;
SELECT pg_create_physical_replication_slot('standby');
-- Holds from the next start, so that what stands above waits for no standby.
ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (standby)';
