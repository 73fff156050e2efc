-- outbox/events/event-rows.sql.ts eventRows
(SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ordinal" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" boolean, "data" text, "headers" text));
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events/outbox-drop.sql.ts dropOutbox
DROP TABLE IF EXISTS "app"."durable_outbox";
DROP TABLE IF EXISTS "app"."durable_outbox_nodes";
DROP FUNCTION IF EXISTS "app"."durable_outbox_notify"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_note"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_order"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_lock"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_era"();
DROP SEQUENCE IF EXISTS "app"."durable_outbox_era";

-- outbox/events/outbox-roles.sql.ts grantsToEvents
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."table"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, options.appSchema = undefined
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."table"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, options.schema = undefined
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."table"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, options.table = undefined
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."prefix_outbox"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, rights[] = 1
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."table"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, rights[][1][] = 1
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."table"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, options.appSchema = string
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, options.prefix = string
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."prefix_outbox"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, options.schema = string
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, options.table = string
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."table"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, rights[] = 2
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, rights[][1][] = 2
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/events/outbox-roles.sql.ts accountOf
"grantee";

-- outbox/events/outbox-steps.sql.ts outboxSteps
CREATE TABLE IF NOT EXISTS "app"."durable_outbox" (
  sequence_id bigserial PRIMARY KEY,
  mutation_id text NOT NULL,
  channel text NOT NULL,
  name text NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data jsonb,
  headers jsonb,
  locked_by text,
  lock_expiry timestamp without time zone,
  processed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' WHERE c.relkind IN ('r', 'p');
ALTER TABLE "app"."durable_outbox" 
  ADD COLUMN IF NOT EXISTS rejected boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS data jsonb,
  ADD COLUMN IF NOT EXISTS headers jsonb,
  ADD COLUMN IF NOT EXISTS locked_by text,
  ADD COLUMN IF NOT EXISTS lock_expiry timestamp without time zone,
  ADD COLUMN IF NOT EXISTS processed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS created_at timestamp with time zone NOT NULL DEFAULT now();
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN ('rejected', 'data', 'headers', 'locked_by', 'lock_expiry', 'processed', 'created_at')
      HAVING count(*) = 7;
CREATE TABLE IF NOT EXISTS "app"."durable_outbox_nodes" (
  id text PRIMARY KEY,
  expiry timestamp without time zone NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_nodes' WHERE c.relkind IN ('r', 'p');
CREATE INDEX IF NOT EXISTS "durable_outbox_pending" ON "app"."durable_outbox" ((((('x' || substr(md5("channel"), 1, 2))::bit(8)::int) & 63)), channel, sequence_id) WHERE NOT processed;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_pending' WHERE c.relkind IN ('i', 'I');
CREATE INDEX IF NOT EXISTS "durable_outbox_channel" ON "app"."durable_outbox" (channel, sequence_id);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_channel' WHERE c.relkind IN ('i', 'I');
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE OR REPLACE FUNCTION "app"."durable_outbox_note"() RETURNS trigger LANGUAGE plpgsql AS $durable$
DECLARE
  bucket text := (('x' || substr(md5(NEW.channel), 1, 3))::bit(12)::int)::text || ',';
  noted text := coalesce(current_setting('durable.outbox_noted_' || TG_RELID, true), '');
BEGIN
  IF position(',' || bucket IN ',' || noted) = 0 THEN
    PERFORM set_config('durable.outbox_noted_' || TG_RELID, noted || bucket, true);
  END IF;
  RETURN NEW;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_note' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
DECLARE
  bucket text := ((''x'' || substr(md5(NEW.channel), 1, 3))::bit(12)::int)::text || '','';
  noted text := coalesce(current_setting(''durable.outbox_noted_'' || TG_RELID, true), '''');
BEGIN
  IF position('','' || bucket IN '','' || noted) = 0 THEN
    PERFORM set_config(''durable.outbox_noted_'' || TG_RELID, noted || bucket, true);
  END IF;
  RETURN NEW;
END';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_order"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  noted text := current_setting('durable.outbox_noted_' || TG_RELID, true);
BEGIN
  IF noted <> '' THEN
    PERFORM pg_advisory_xact_lock(CAST(TG_RELID AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(noted, ','), ',')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted;
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config('durable.outbox_noted_' || TG_RELID, '', true);
  END IF;
  UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_order' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  noted text := current_setting(''durable.outbox_noted_'' || TG_RELID, true);
BEGIN
  IF noted <> '''' THEN
    PERFORM pg_advisory_xact_lock(CAST(TG_RELID AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(noted, '',''), '','')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted;
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config(''durable.outbox_noted_'' || TG_RELID, '''', true);
  END IF;
  UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END';
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_note' AND p.proname = 'durable_outbox_note' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_note" BEFORE INSERT ON "app"."durable_outbox" FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_note"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_note' AND p.proname = 'durable_outbox_note' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_order' AND p.proname = 'durable_outbox_order' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = true;
CREATE CONSTRAINT TRIGGER "app_durable_outbox_order" AFTER INSERT ON "app"."durable_outbox" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_order"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_order' AND p.proname = 'durable_outbox_order' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = true;
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_lock');

-- outbox/events/outbox-steps.sql.ts outboxSteps, ordering = "insert"
CREATE TABLE IF NOT EXISTS "app"."durable_outbox" (
  sequence_id bigserial PRIMARY KEY,
  mutation_id text NOT NULL,
  channel text NOT NULL,
  name text NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data jsonb,
  headers jsonb,
  locked_by text,
  lock_expiry timestamp without time zone,
  processed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' WHERE c.relkind IN ('r', 'p');
ALTER TABLE "app"."durable_outbox" 
  ADD COLUMN IF NOT EXISTS rejected boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS data jsonb,
  ADD COLUMN IF NOT EXISTS headers jsonb,
  ADD COLUMN IF NOT EXISTS locked_by text,
  ADD COLUMN IF NOT EXISTS lock_expiry timestamp without time zone,
  ADD COLUMN IF NOT EXISTS processed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS created_at timestamp with time zone NOT NULL DEFAULT now();
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN ('rejected', 'data', 'headers', 'locked_by', 'lock_expiry', 'processed', 'created_at')
      HAVING count(*) = 7;
CREATE TABLE IF NOT EXISTS "app"."durable_outbox_nodes" (
  id text PRIMARY KEY,
  expiry timestamp without time zone NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_nodes' WHERE c.relkind IN ('r', 'p');
CREATE INDEX IF NOT EXISTS "durable_outbox_pending" ON "app"."durable_outbox" ((((('x' || substr(md5("channel"), 1, 2))::bit(8)::int) & 63)), channel, sequence_id) WHERE NOT processed;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_pending' WHERE c.relkind IN ('i', 'I');
CREATE INDEX IF NOT EXISTS "durable_outbox_channel" ON "app"."durable_outbox" (channel, sequence_id);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_channel' WHERE c.relkind IN ('i', 'I');
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE OR REPLACE FUNCTION "app"."durable_outbox_lock"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF current_setting('durable.outbox_era', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config('durable.outbox_era', CAST(TG_RELID AS text), true);
  END IF;
  PERFORM pg_advisory_xact_lock(TG_RELID::int, (('x' || substr(md5(NEW.channel), 1, 3))::bit(12)::int));
  NEW.sequence_id := nextval(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id')::regclass);
  RETURN NEW;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_lock' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF current_setting(''durable.outbox_era'', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config(''durable.outbox_era'', CAST(TG_RELID AS text), true);
  END IF;
  PERFORM pg_advisory_xact_lock(TG_RELID::int, ((''x'' || substr(md5(NEW.channel), 1, 3))::bit(12)::int));
  NEW.sequence_id := nextval(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'')::regclass);
  RETURN NEW;
END';
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_lock' AND p.proname = 'durable_outbox_lock' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_lock" BEFORE INSERT ON "app"."durable_outbox" FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_lock"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_lock' AND p.proname = 'durable_outbox_lock' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_note');
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_order');

-- outbox/events/outbox-steps.sql.ts outboxSteps, ordering = "none"
CREATE TABLE IF NOT EXISTS "app"."durable_outbox" (
  sequence_id bigserial PRIMARY KEY,
  mutation_id text NOT NULL,
  channel text NOT NULL,
  name text NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data jsonb,
  headers jsonb,
  locked_by text,
  lock_expiry timestamp without time zone,
  processed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' WHERE c.relkind IN ('r', 'p');
ALTER TABLE "app"."durable_outbox" 
  ADD COLUMN IF NOT EXISTS rejected boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS data jsonb,
  ADD COLUMN IF NOT EXISTS headers jsonb,
  ADD COLUMN IF NOT EXISTS locked_by text,
  ADD COLUMN IF NOT EXISTS lock_expiry timestamp without time zone,
  ADD COLUMN IF NOT EXISTS processed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS created_at timestamp with time zone NOT NULL DEFAULT now();
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN ('rejected', 'data', 'headers', 'locked_by', 'lock_expiry', 'processed', 'created_at')
      HAVING count(*) = 7;
CREATE TABLE IF NOT EXISTS "app"."durable_outbox_nodes" (
  id text PRIMARY KEY,
  expiry timestamp without time zone NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_nodes' WHERE c.relkind IN ('r', 'p');
CREATE INDEX IF NOT EXISTS "durable_outbox_pending" ON "app"."durable_outbox" ((((('x' || substr(md5("channel"), 1, 2))::bit(8)::int) & 63)), channel, sequence_id) WHERE NOT processed;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_pending' WHERE c.relkind IN ('i', 'I');
CREATE INDEX IF NOT EXISTS "durable_outbox_channel" ON "app"."durable_outbox" (channel, sequence_id);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_channel' WHERE c.relkind IN ('i', 'I');
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_note');
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_order');
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_lock');

-- outbox/events/postgres-era.sql.ts eraBody
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"schema"."table"' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "schema"."table_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"schema"."table"' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "schema"."table_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"schema"."table"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"schema"."table"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"schema"."table_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END;

-- outbox/events/postgres-era.sql.ts lookAtEra
"schema"."table_era"();

-- outbox/events/postgres-era.sql.ts lookAtEra, 1.schema = undefined
"table_era"();

-- outbox/events/postgres-era.sql.ts createEra
CREATE SEQUENCE IF NOT EXISTS "schema"."table_era" AS bigint;

-- outbox/events/postgres-era.sql.ts forgetEra
SELECT setval(CAST('"schema"."table_era"' AS regclass), 1);

-- outbox/events/postgres-era.sql.ts forgetEra, 1.schema = undefined
SELECT setval(CAST('"table_era"' AS regclass), 1);

-- outbox/events/postgres-era.sql.ts lookOnce
IF current_setting('durable.outbox_era', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "schema"."table_era"();
    PERFORM set_config('durable.outbox_era', CAST(TG_RELID AS text), true);
  END IF;;

-- outbox/events/postgres-ordering.sql.ts bucketOfChannel
(('x' || substr(md5($1), 1, 3))::bit(12)::int);
-- "channel"

-- outbox/events/postgres-ordering.sql.ts tableNumber
CAST(CAST('"table"' AS regclass) AS oid);

-- outbox/events/postgres-ordering.sql.ts bucketsNoted
(SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim("noted", ','), ',')) AS listed) AS noted;

-- outbox/events/postgres-ordering.sql.ts lockBuckets
pg_advisory_xact_lock(CAST("tableOid" AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM ("buckets") AS listed ORDER BY 1) AS wanted;

-- outbox/events/postgres-tables.sql.ts relationNamed
pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'name';

-- outbox/events/postgres-tables.sql.ts postgresTables
CREATE TABLE IF NOT EXISTS "app"."durable_outbox" (
  sequence_id bigserial PRIMARY KEY,
  mutation_id text NOT NULL,
  channel text NOT NULL,
  name text NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data jsonb,
  headers jsonb,
  locked_by text,
  lock_expiry timestamp without time zone,
  processed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' WHERE c.relkind IN ('r', 'p');
ALTER TABLE "app"."durable_outbox" 
  ADD COLUMN IF NOT EXISTS rejected boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS data jsonb,
  ADD COLUMN IF NOT EXISTS headers jsonb,
  ADD COLUMN IF NOT EXISTS locked_by text,
  ADD COLUMN IF NOT EXISTS lock_expiry timestamp without time zone,
  ADD COLUMN IF NOT EXISTS processed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS created_at timestamp with time zone NOT NULL DEFAULT now();
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN ('rejected', 'data', 'headers', 'locked_by', 'lock_expiry', 'processed', 'created_at')
      HAVING count(*) = 7;
CREATE TABLE IF NOT EXISTS "app"."durable_outbox_nodes" (
  id text PRIMARY KEY,
  expiry timestamp without time zone NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_nodes' WHERE c.relkind IN ('r', 'p');
CREATE INDEX IF NOT EXISTS "durable_outbox_pending" ON "app"."durable_outbox" ((((('x' || substr(md5("channel"), 1, 2))::bit(8)::int) & 63)), channel, sequence_id) WHERE NOT processed;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_pending' WHERE c.relkind IN ('i', 'I');
CREATE INDEX IF NOT EXISTS "durable_outbox_channel" ON "app"."durable_outbox" (channel, sequence_id);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_channel' WHERE c.relkind IN ('i', 'I');

-- outbox/events/postgres-triggers.sql.ts dropFunctions
DROP FUNCTION IF EXISTS "app"."durable_outbox_notify"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_note"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_order"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_lock"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_era"();

-- outbox/events/postgres-triggers.sql.ts postgresTriggers
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE OR REPLACE FUNCTION "app"."durable_outbox_note"() RETURNS trigger LANGUAGE plpgsql AS $durable$
DECLARE
  bucket text := (('x' || substr(md5(NEW.channel), 1, 3))::bit(12)::int)::text || ',';
  noted text := coalesce(current_setting('durable.outbox_noted_' || TG_RELID, true), '');
BEGIN
  IF position(',' || bucket IN ',' || noted) = 0 THEN
    PERFORM set_config('durable.outbox_noted_' || TG_RELID, noted || bucket, true);
  END IF;
  RETURN NEW;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_note' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
DECLARE
  bucket text := ((''x'' || substr(md5(NEW.channel), 1, 3))::bit(12)::int)::text || '','';
  noted text := coalesce(current_setting(''durable.outbox_noted_'' || TG_RELID, true), '''');
BEGIN
  IF position('','' || bucket IN '','' || noted) = 0 THEN
    PERFORM set_config(''durable.outbox_noted_'' || TG_RELID, noted || bucket, true);
  END IF;
  RETURN NEW;
END';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_order"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  noted text := current_setting('durable.outbox_noted_' || TG_RELID, true);
BEGIN
  IF noted <> '' THEN
    PERFORM pg_advisory_xact_lock(CAST(TG_RELID AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(noted, ','), ',')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted;
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config('durable.outbox_noted_' || TG_RELID, '', true);
  END IF;
  UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_order' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  noted text := current_setting(''durable.outbox_noted_'' || TG_RELID, true);
BEGIN
  IF noted <> '''' THEN
    PERFORM pg_advisory_xact_lock(CAST(TG_RELID AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(noted, '',''), '','')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted;
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config(''durable.outbox_noted_'' || TG_RELID, '''', true);
  END IF;
  UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END';
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_note' AND p.proname = 'durable_outbox_note' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_note" BEFORE INSERT ON "app"."durable_outbox" FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_note"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_note' AND p.proname = 'durable_outbox_note' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_order' AND p.proname = 'durable_outbox_order' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = true;
CREATE CONSTRAINT TRIGGER "app_durable_outbox_order" AFTER INSERT ON "app"."durable_outbox" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_order"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_order' AND p.proname = 'durable_outbox_order' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = true;
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_lock');

-- outbox/events/postgres-triggers.sql.ts postgresTriggers, ordering = "insert"
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE OR REPLACE FUNCTION "app"."durable_outbox_lock"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF current_setting('durable.outbox_era', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config('durable.outbox_era', CAST(TG_RELID AS text), true);
  END IF;
  PERFORM pg_advisory_xact_lock(TG_RELID::int, (('x' || substr(md5(NEW.channel), 1, 3))::bit(12)::int));
  NEW.sequence_id := nextval(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id')::regclass);
  RETURN NEW;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_lock' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF current_setting(''durable.outbox_era'', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config(''durable.outbox_era'', CAST(TG_RELID AS text), true);
  END IF;
  PERFORM pg_advisory_xact_lock(TG_RELID::int, ((''x'' || substr(md5(NEW.channel), 1, 3))::bit(12)::int));
  NEW.sequence_id := nextval(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'')::regclass);
  RETURN NEW;
END';
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_lock' AND p.proname = 'durable_outbox_lock' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_lock" BEFORE INSERT ON "app"."durable_outbox" FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_lock"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_lock' AND p.proname = 'durable_outbox_lock' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_note');
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_order');

-- outbox/events/postgres-triggers.sql.ts postgresTriggers, ordering = "none"
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  known boolean;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
  IF known AND was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    SELECT e.last_value, e.is_called INTO was, known FROM "app"."durable_outbox_era" AS e;
    IF known AND was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_note');
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_order');
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_lock');

-- outbox/events/published-step.sql.ts qualified
"schema"."name";

-- outbox/events/published-step.sql.ts selectDone
SELECT 0 AS step FROM ("done") AS found UNION ALL SELECT 1 AS step FROM ("done") AS found;

-- outbox/events/published-step.sql.ts selectDone, steps[] = 1
SELECT 0 AS step FROM ("done") AS found;

-- outbox/events/sql-outbox-check.ts selectColumns
SELECT a.attname AS name FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox'
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped;

-- outbox/events/sql-outbox-check.ts selectKnown
SELECT CAST(max(listed.number) AS text) AS known FROM (
    SELECT max(sequence_id) AS number FROM "durable_outbox" UNION ALL SELECT max(position) FROM "durable_outbox_channels"
    UNION ALL SELECT max(sequence_id) FROM "durable_outbox_dead" UNION ALL SELECT max(position) FROM "durable_outbox_pruned") AS listed;

-- outbox/events/sql-outbox-check.ts selectSequence
SELECT s.seqcache AS cache, s.seqincrement AS increment, s.seqcycle AS cycle, s.seqmax AS most,
      CASE WHEN has_sequence_privilege(s.seqrelid, 'USAGE, SELECT')
        THEN CAST(coalesce(pg_sequence_last_value(s.seqrelid), 0) AS text) END AS last
    FROM pg_catalog.pg_sequence AS s
    WHERE s.seqrelid = CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);

-- outbox/events/write-events.postgres.sql.ts writeEvents
WITH given AS MATERIALIZED (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ordinal" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" boolean, "data" text, "headers" text)) AS r),
  locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(CAST(CAST(CAST('"durable_outbox"' AS regclass) AS oid) AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT (('x' || substr(md5(channel), 1, 3))::bit(12)::int) AS bucket FROM given
      UNION ALL SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(current_setting('durable.outbox_noted_' || CAST(CAST('"durable_outbox"' AS regclass) AS oid), true), ','), ',')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted),
  hushed AS MATERIALIZED (
    SELECT set_config('durable.outbox_quiet', CASE WHEN coalesce(current_setting('durable.outbox_noted_' || CAST(CAST('"durable_outbox"' AS regclass) AS oid), true), '') = '' THEN CAST(CAST(CAST('"durable_outbox"' AS regclass) AS oid) AS text) ELSE '' END, true), "durable_outbox_era"() AS era
  ),
  written AS (
  INSERT INTO "durable_outbox" (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, CAST(g.data AS jsonb), CAST(g.headers AS jsonb)
  FROM given AS g
  WHERE (SELECT count(*) FROM locked) >= 0 AND (SELECT count(*) FROM hushed) = 1 ORDER BY g.ordinal
    RETURNING 1
  )
  SELECT count(*) AS written, set_config('durable.outbox_quiet', '', true) AS loud FROM written;
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events/write-events.postgres.sql.ts writeEvents, locks = false
WITH given AS MATERIALIZED (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ordinal" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" boolean, "data" text, "headers" text)) AS r),
  locked AS MATERIALIZED (SELECT 1),
  hushed AS MATERIALIZED (
    SELECT set_config('durable.outbox_quiet', CASE WHEN coalesce(current_setting('durable.outbox_noted_' || CAST(CAST('"durable_outbox"' AS regclass) AS oid), true), '') = '' THEN CAST(CAST(CAST('"durable_outbox"' AS regclass) AS oid) AS text) ELSE '' END, true), "durable_outbox_era"() AS era
  ),
  written AS (
  INSERT INTO "durable_outbox" (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, CAST(g.data AS jsonb), CAST(g.headers AS jsonb)
  FROM given AS g
  WHERE (SELECT count(*) FROM locked) >= 0 AND (SELECT count(*) FROM hushed) = 1 ORDER BY g.ordinal
    RETURNING 1
  )
  SELECT count(*) AS written, set_config('durable.outbox_quiet', '', true) AS loud FROM written;

-- outbox/events/write-events.postgres.sql.ts insertEvents
WITH given AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ordinal" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" boolean, "data" text, "headers" text)) AS r) 
  INSERT INTO "durable_outbox" (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, CAST(g.data AS jsonb), CAST(g.headers AS jsonb)
  FROM given AS g ORDER BY g.ordinal;
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"
