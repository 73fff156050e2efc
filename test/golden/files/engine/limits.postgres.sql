-- engine/limits/limiter.sql.ts lockConditional
SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) THEN 1 ELSE 0 END AS overdue
  FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND owner IS NOT NULL ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts insertLimiters
INSERT INTO "durable_limiters" (limiter, namespace, name, limiter_key)
  SELECT n.limiter, n.namespace, n.name, n.limiter_key FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("limiter" text, "namespace" text, "name" text, "limiter_key" text)) AS n ON CONFLICT ("limiter") DO NOTHING;
-- "[{"limiter":"limiter-1","namespace":"namespace-1","name":"name-1","limiter_key":"key-1"},{"limiter":"limiter-2","namespace":"namespace-2","name":"name-2","limiter_key":"key-2"}]"

-- engine/limits/limiter.sql.ts lockLimiters
SELECT limiter, grants, open_at FROM "durable_limiters" WHERE limiter = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY limiter FOR UPDATE;
-- 2
-- "{"limiters-1","limiters-2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts selectLimiters
SELECT limiter, grants, open_at FROM "durable_limiters" WHERE limiter = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"limiters-1","limiters-2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts countGranted
SELECT limiter, count(*) AS granted FROM "durable_limiter_entries"
  WHERE limiter = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND granted = 1 GROUP BY limiter;
-- 2
-- "{"limiters-1","limiters-2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts selectWaiting
SELECT o.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("limiter" text)) AS l CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again CROSS JOIN LATERAL (SELECT e.limiter, e.holder, e.run_id, e.limits, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = l.limiter AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS o;
-- "[{"limiter":"limiters-1"},{"limiter":"limiters-2"}]"
-- 1
-- 1

-- engine/limits/limiter.sql.ts insertRunEntries
INSERT INTO "durable_limiter_entries" (holder, limiter, run_id, granted, turn, queued_at, limits)
  SELECT n.holder, n.limiter, n.holder, 0, n.turn, n.queued_at, n.limits
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("holder" text, "limiter" text, "limits" text, "turn" bigint, "queued_at" bigint)) AS n ON CONFLICT ("holder") DO NOTHING;
-- "[{"holder":"id-1","limiter":"limiter-1","limits":"limitRequest-1","turn":1,"queued_at":2},{"holder":"id-2","limiter":"limiter-2","limits":"limitRequest-2","turn":3,"queued_at":4}]"

-- engine/limits/limiter.sql.ts upsertStepEntries
INSERT INTO "durable_limiter_entries" (holder, limiter, run_id, granted, turn, queued_at, limits, task)
  SELECT n.holder, n.limiter, n.run_id, 0, n.turn, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.limits, n.task
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("holder" text, "limiter" text, "run_id" text, "turn" bigint, "limits" text, "task" text)) AS n ON CONFLICT ("holder") DO UPDATE SET granted = 0, "limiter" = EXCLUDED."limiter", "limits" = EXCLUDED."limits", "task" = EXCLUDED."task";
-- "[{"holder":"stepId-1","limiter":"limiter-1","run_id":"runId-1","turn":-7,"limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":4,\\"rate\\":{\\"max\\":5,\\"durationMs\\":6}}}","task":"{\\"stepId\\":\\"stepId-1\\",\\"runId\\":\\"runId-1\\",\\"seq\\":1,\\"name\\":\\"name-1\\",\\"group\\":\\"group-1\\",\\"input\\":\\"input-1\\",\\"attempt\\":2,\\"priority\\":3}"},{"holder":"stepId-2","limiter":"limiter-2","run_id":"runId-2","turn":-14,"limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":11,\\"rate\\":{\\"max\\":12,\\"durationMs\\":13}}}","task":"{\\"stepId\\":\\"stepId-2\\",\\"runId\\":\\"runId-2\\",\\"seq\\":8,\\"name\\":\\"name-2\\",\\"group\\":\\"group-2\\",\\"input\\":\\"input-2\\",\\"attempt\\":9,\\"priority\\":10}"}]"

-- engine/limits/limiter.sql.ts deleteEntries
DELETE FROM "durable_limiter_entries" WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts selectEntries
SELECT holder, limiter, granted FROM "durable_limiter_entries" WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts lockEntries
SELECT holder, run_id, task FROM "durable_limiter_entries"
  WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED;
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts lockWaitingRuns
SELECT id, owner FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND precondition = 'limiter' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts markGranted
UPDATE "durable_limiter_entries" SET granted = 1, task = NULL WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts passRuns
UPDATE "durable_runs" SET precondition = NULL, reason = NULL, wake_at = CASE WHEN owner IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts startRuns
UPDATE "durable_runs"
  SET precondition = NULL, reason = NULL, started_at = COALESCE(started_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)),
    status = CASE WHEN closing IS NULL THEN 'running' ELSE status END
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts parkRuns
UPDATE "durable_runs" SET owner = NULL, status = 'pending', reason = $1, wake_at = deadline
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "reason"
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts updateLimiters
UPDATE "durable_limiters" AS l SET grants = n.grants, open_at = n.open_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("limiter" text, "grants" text, "open_at" bigint)) AS n WHERE l.limiter = n.limiter;
-- "[{"limiter":"limiter-1","grants":"grants-1","open_at":1},{"limiter":"limiter-2","grants":"grants-2","open_at":2}]"

-- engine/limits/limiter.sql.ts deleteLimiters
DELETE FROM "durable_limiters" WHERE limiter = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"limiters-1","limiters-2"}"
-- 1
-- 1

-- engine/limits/limiter.sql.ts selectPeopled
WITH RECURSIVE peopled(limiter) AS (
    (SELECT limiter FROM "durable_limiter_entries" WHERE limiter > $1 ORDER BY limiter LIMIT 1)
    UNION ALL
    SELECT (SELECT e.limiter FROM "durable_limiter_entries" AS e WHERE e.limiter > p.limiter ORDER BY e.limiter LIMIT 1)
    FROM peopled AS p WHERE p.limiter IS NOT NULL
  )
  SELECT limiter FROM peopled WHERE limiter IS NOT NULL LIMIT 2;
-- "1"

-- engine/limits/limiter.sql.ts notifyLimiters
UPDATE "durable_runs" SET notifies = notifies + 4
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND notifies < 4;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
