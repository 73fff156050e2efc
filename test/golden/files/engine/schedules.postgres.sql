-- engine/schedules/schedule.sql.ts insertSchedules
INSERT INTO "durable_schedules" (id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at) SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "created_at" bigint, "workflow" text, "declared" bigint, "spec" text, "input" text, "paused" bigint, "next_at" bigint, "fired_at" bigint, "last_run_id" text, "buffered_at" bigint)) AS n WHERE 1 = 1 ON CONFLICT ("namespace", "id") DO NOTHING;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","declared":1,"spec":"spec-1","input":"input-1","paused":1,"next_at":1,"fired_at":2,"last_run_id":"lastRunId-1","buffered_at":3,"created_at":4},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","declared":1,"spec":"spec-2","input":"input-2","paused":1,"next_at":5,"fired_at":6,"last_run_id":"lastRunId-2","buffered_at":7,"created_at":8}]"

-- engine/schedules/schedule.sql.ts updateSchedules
UPDATE "durable_schedules" AS s SET workflow = n.workflow, declared = n.declared, spec = n.spec, input = n.input, paused = n.paused, next_at = n.next_at, fired_at = n.fired_at, last_run_id = n.last_run_id, buffered_at = n.buffered_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "created_at" bigint, "workflow" text, "declared" bigint, "spec" text, "input" text, "paused" bigint, "next_at" bigint, "fired_at" bigint, "last_run_id" text, "buffered_at" bigint)) AS n WHERE s.namespace = n.namespace AND s.id = n.id;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","declared":1,"spec":"spec-1","input":"input-1","paused":1,"next_at":1,"fired_at":2,"last_run_id":"lastRunId-1","buffered_at":3,"created_at":4},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","declared":1,"spec":"spec-2","input":"input-2","paused":1,"next_at":5,"fired_at":6,"last_run_id":"lastRunId-2","buffered_at":7,"created_at":8}]"

-- engine/schedules/schedule.sql.ts listSchedules
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND declared = 1 AND id > $10
  ORDER BY id LIMIT 3;
-- "namespace"
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- 2
-- "{"workflows-1","workflows-2"}"
-- 1
-- 1
-- "afterId"

-- engine/schedules/schedule.sql.ts listSchedules, query.afterId = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND declared = 1
  ORDER BY id LIMIT 3;

-- engine/schedules/schedule.sql.ts listSchedules, query.declared = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND id > $10
  ORDER BY id LIMIT 3;

-- engine/schedules/schedule.sql.ts listSchedules, query.ids = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND declared = 1 AND id > $6
  ORDER BY id LIMIT 1;

-- engine/schedules/schedule.sql.ts listSchedules, query.ids[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND declared = 1 AND id > $10
  ORDER BY id LIMIT 2;

-- engine/schedules/schedule.sql.ts listSchedules, query.limit = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND declared = 1 AND id > $10
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, query.workflows = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND declared = 1 AND id > $6
  ORDER BY id LIMIT 3;

-- engine/schedules/schedule.sql.ts listSchedules, the least
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.afterId = string
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND id > $2
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.declared = true
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND declared = 1
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.ids = readonly string[]
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.limit = number
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1
  ORDER BY id LIMIT 1;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.workflows = readonly string[]
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules" WHERE namespace = $1 AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  ORDER BY id;

-- engine/schedules/schedule.sql.ts deleteSchedules
DELETE FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "namespace"
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/schedules/schedule.sql.ts selectClock
SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now;

-- engine/schedules/schedule.sql.ts lockSchedules
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now FROM "durable_schedules" WHERE namespace = $1 AND next_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND NOT (id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "namespace"
-- 2
-- "{"workflows-1","workflows-2"}"
-- 1
-- 1
-- 2
-- "{"except-1","except-2"}"
-- 1
-- 1

-- engine/schedules/schedule.sql.ts lockSchedules, which = { namespace: string; } & { ids: readonly string[]; }
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now FROM "durable_schedules" WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;

-- engine/schedules/schedule.sql.ts selectStatuses
SELECT id, status FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/schedules/schedule.sql.ts lookAtSchedules
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE s.namespace = $1 AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND NOT (id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE s.namespace = $10 AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($13 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($14 AS integer)) AS again) AS k)) AND NOT (id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($17 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($18 AS integer)) AS again) AS k))) AND s.buffered_at IS NOT NULL);
-- "namespace"
-- 2
-- "{"workflows-1","workflows-2"}"
-- 1
-- 1
-- 2
-- "{"except-1","except-2"}"
-- 1
-- 1
-- "namespace"
-- 2
-- "{"workflows-1","workflows-2"}"
-- 1
-- 1
-- 2
-- "{"except-1","except-2"}"
-- 1
-- 1

-- engine/schedules/schedule.sql.ts selectLate
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules"
  WHERE namespace = $1 AND next_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $2 AND next_at IS NOT NULL AND paused = 0
  ORDER BY next_at, id LIMIT 2;
-- "namespace"
-- 1
