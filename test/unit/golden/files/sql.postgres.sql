-- sql/dialects.ts keyRows
(SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again);
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- sql/dialects.ts keyRows, as = "values"
(SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text)), (CAST($2 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again);

-- sql/dialects.ts keyRows, the least, as = "values"
(SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again);

-- sql/dialects.ts keyList
($1, $2);
-- "keys-1"
-- "keys-2"

-- sql/dialects.ts keyList, keys[] = 1
($1);

-- sql/dialects.ts columnRows
(SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($2 AS bigint[]), CAST('-9223372036854775808' AS bigint), NULL) AS a) AS given)) AS listed("named"));
-- 2
-- "{1,3}"

-- sql/dialects.ts columnRows, as = "values"
(SELECT * FROM (VALUES (CAST($1 AS bigint)), (CAST($2 AS bigint))) AS listed("named"));

-- sql/dialects.ts columnRows, columns.named = readonly ["bigint", (row: Row) => number]
(SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given)) AS listed("named"));

-- sql/dialects.ts columnRows, columns.named = readonly ["text", (row: Row) => string | null, "nullable"]
(SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($2 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("named"));

-- sql/dialects.ts columnRows, columns.named = readonly ["text", (row: Row) => string]
(SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("named"));

-- sql/dialects.ts columnRows, the least, as = "values"
(SELECT * FROM (VALUES (CAST($1 AS text))) AS listed("named"));

-- sql/dialects.ts numberArray
CAST($1 AS bigint[]);
-- "{1,2}"

-- sql/dialects.ts amongNumbers
= ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- sql/dialects.ts amongKeys
= ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- sql/dialects.ts amongKeys, as = "values"
= ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text)), (CAST($2 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));

-- sql/dialects.ts amongKeys, the least, as = "values"
= ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again) AS k));

-- sql/dialects.ts deleteByKeys
DELETE FROM $1 WHERE column = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "table"
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- sql/dialects.ts deleteByKeys, 5.as = "values"
DELETE FROM $1 WHERE column = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($2 AS text)), (CAST($3 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));

-- sql/dialects.ts deleteByKeys, the least, 5.as = "values"
DELETE FROM $1 WHERE column = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($2 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));

-- sql/dialects.ts deleteByNumbers
DELETE FROM $1 WHERE column = ANY (CAST($2 AS bigint[]));
-- "table"
-- "{1,2}"

-- sql/dialects.ts plannedAnew
CROSS JOIN generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again;
-- 1
-- 1

-- sql/dialects.ts plannedAnew, as = "FROM"
FROM generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again;

-- sql/dialects.ts overwriting
ON CONFLICT ("key-1", "key-2") DO UPDATE SET "columns-1" = EXCLUDED."columns-1", "columns-2" = EXCLUDED."columns-2";

-- sql/dialects.ts overwriting, columns[] = 1
ON CONFLICT ("key-1", "key-2") DO UPDATE SET "columns-1" = EXCLUDED."columns-1";

-- sql/dialects.ts overwriting, key[] = 1
ON CONFLICT ("key-1") DO UPDATE SET "columns-1" = EXCLUDED."columns-1", "columns-2" = EXCLUDED."columns-2";

-- sql/dialects.ts overwriting, the least
ON CONFLICT ("key-1") DO UPDATE SET "columns-1" = EXCLUDED."columns-1";

-- sql/dialects.ts selectBehind
("select" LIMIT 1 OFFSET 2);

-- sql/executor.ts hasPassed
("runId" IN (SELECT passed.id FROM passed)) IS TRUE;

-- sql/servers.ts selectGone
SELECT pg_catalog.pg_terminate_backend(a.pid) AS ended FROM pg_catalog.pg_stat_activity AS a
      WHERE a.pid = $1 AND a.client_port = $2 AND a.usename = current_user AND a.datname = current_database()
        AND (a.state LIKE 'idle in transaction%' OR a.wait_event_type = 'Lock')
        AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($3 AS json)) AS listed("session" bigint, "port" bigint)) AS l
          JOIN pg_catalog.pg_stat_activity AS s ON s.pid = l.session AND s.client_port = l.port WHERE s.query_start > clock_timestamp() - 12 * interval '1 second')
        AND EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("session" bigint, "port" bigint)) AS l
          JOIN pg_catalog.pg_stat_activity AS s ON s.pid = l.session AND s.client_port = l.port WHERE s.state = 'idle');
-- 5
-- 6
-- "[{"session":1,"port":2},{"session":3,"port":4}]"
-- "[{"session":1,"port":2},{"session":3,"port":4}]"

-- sql/servers.ts selectServer
SELECT pg_catalog.version() AS version, CASE
    WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'spanner_sys') THEN 'Spanner'
    WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = 'sys' AND c.relname = 'iam_pg_role_mappings') THEN 'Aurora DSQL'
    ELSE '' END AS product;

-- sql/servers.ts selectServerName
SELECT CONCAT(@@hostname, ':', @@port) AS name;

-- sql/servers.ts showClusterVariables
SHOW GLOBAL VARIABLES WHERE Variable_name IN ('group_replication_single_primary_mode', 'wsrep_on');

-- sql/servers.ts selectLockHolders
WITH waiting AS (
      SELECT a.pid, extract(epoch FROM clock_timestamp() - a.query_start) * 1000 AS ms FROM pg_catalog.pg_stat_activity AS a
      WHERE a.datname = current_database() AND a.usename = current_user AND a.wait_event_type = 'Lock'
    ), held AS (
      SELECT unnest(pg_blocking_pids(w.pid)) AS pid, w.ms FROM waiting AS w WHERE w.ms >= 1
    ) SELECT h.pid AS session, h.client_port AS port, concat_ws(' ', nullif(h.application_name, ''), coalesce(host(h.client_addr), 'local')) AS process,
      h.query AS statement, floor(extract(epoch FROM clock_timestamp() - h.xact_start) * 1000)::bigint AS open_ms,
      floor(max(held.ms))::bigint AS waited_ms
    FROM held JOIN pg_catalog.pg_stat_activity AS h ON h.pid = held.pid
    GROUP BY h.pid, h.client_port, h.application_name, h.client_addr, h.query, h.xact_start ORDER BY h.xact_start LIMIT 10;

-- sql/servers.ts selectOpen
SELECT l.session, l.port FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("session" bigint, "port" bigint)) AS l
          JOIN pg_catalog.pg_stat_activity AS s ON s.pid = l.session AND s.client_port = l.port;
-- "[{"session":1,"port":2},{"session":3,"port":4}]"

-- sql/servers.ts currentUser
current_user;

-- sql/servers.ts selectOwnSession
SELECT pid AS session, client_port AS port, current_user AS me
      FROM pg_catalog.pg_stat_activity WHERE pid = pg_backend_pid();

-- sql/tables.ts nextMoments
WITH f AS (SELECT * FROM "among" AS listed)
  SELECT m.* FROM ("branches") AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($1 AS bigint), CAST($2 AS bigint), CAST($3 AS bigint), CAST($4 AS bigint), CAST($5 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;
-- 1
-- 2
-- 3
-- 4
-- "0"

-- sql/tables.ts nextMoments, 2.items = "text"
WITH f AS (SELECT * FROM "among" AS listed)
  SELECT m.* FROM ("branches") AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($1 AS bigint), CAST($2 AS bigint), CAST($3 AS bigint), CAST($4 AS bigint), CAST($5 AS text))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- sql/tables.ts nextMoments, 2.past = undefined
WITH f AS (SELECT * FROM "among" AS listed)
  SELECT m.* FROM ("branches") AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- sql/tables.ts nowOf
CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);

-- sql/tables.ts onceNow
(SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint));

-- sql/tables.ts insertLogLines
INSERT INTO "logs" (run_id, seq, attempt, level, message, fields, logged_at)
  SELECT run_id, seq, attempt, level, message, fields, logged_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("n" bigint, "run_id" text, "seq" bigint, "attempt" bigint, "level" text, "message" text, "fields" text, "logged_at" bigint)) AS l "where" ORDER BY l.n;
-- "[{"seq":1,"attempt":2,"level":"debug","message":"message-1","fields":"fields-1","n":0,"run_id":"runId-1","logged_at":3},{"seq":4,"attempt":5,"level":"debug","message":"message-2","fields":"fields-2","n":1,"run_id":"runId-2","logged_at":6}]"

-- sql/tables.ts rowsOfRuns
(SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "run" bigint));
-- "[{"run_id":"runIds-1","run":0},{"run_id":"runIds-2","run":1}]"
