-- worker/leases.postgres.sql.ts claimTasks
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), picked AS MATERIALIZED (
    SELECT o.tid, o.step_id, o.claimed_by, o.claimed_at
    FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("grp" text, "quota" bigint, "since" bigint)) AS g CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.step_id, t.claimed_by, t.claimed_at FROM "durable_transport_tasks" AS t
      WHERE t.grp = g.grp AND t.created_at >= g.since AND CASE WHEN (t.claimed_at IS NULL OR t.claimed_at < (SELECT at FROM clock) - CAST($4 AS bigint)) AND t.name = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again) AS k)) THEN 1 END IS NOT NULL
      ORDER BY t.created_at
      LIMIT g.quota
      FOR UPDATE SKIP LOCKED
    ) AS o
    LIMIT $9
  )
  UPDATE "durable_transport_tasks" AS t
  SET claimed_by = (SELECT CAST($10 AS varchar) FROM (SELECT set_config('synchronous_commit', 'off', true) AS set OFFSET 0) AS s WHERE s.set IS NOT NULL) || '.' || to_hex((SELECT at FROM clock)), claimed_at = (SELECT at FROM clock),
      attempt = t.attempt + CASE WHEN t.claimed_at IS NULL THEN 0 ELSE 1 END
  WHERE t.ctid = ANY (ARRAY(SELECT tid FROM picked))
  RETURNING t.step_id, t.run_id, t.seq, t.name, t.grp, t.input, t.attempt, t.created_at, t.claimed_by, t.claimed_at,
    (SELECT CAST(json_object_agg(step_id, COALESCE(claimed_by, '')) AS text) FROM picked WHERE claimed_at IS NOT NULL) AS lost;
-- "[{"grp":"group-1","quota":1,"since":2},{"grp":"group-2","quota":3,"since":4}]"
-- 1
-- 1
-- 6
-- 2
-- "{"names-1","names-2"}"
-- 1
-- 1
-- 5
-- "claimedBy"

-- worker/leases.postgres.sql.ts leaseByKey
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), picked AS MATERIALIZED (
    SELECT o.tid FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid FROM "table" AS t WHERE t.step_id = k.key AND (t.claimed_at IS NULL OR t.claimed_at < (SELECT at FROM clock) - CAST($5 AS bigint)) FOR UPDATE SKIP LOCKED
    ) AS o
  )
  UPDATE "table" AS t
  SET claimed_by = (SELECT CAST($6 AS varchar) FROM (SELECT set_config('synchronous_commit', 'off', true) AS set OFFSET 0) AS s WHERE s.set IS NOT NULL), claimed_at = (SELECT at FROM clock)
  WHERE t.ctid = ANY (ARRAY(SELECT tid FROM picked))
  RETURNING t.*;
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1
-- 1
-- "claimedBy"

-- worker/leases.postgres.sql.ts extendClaims
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given)) AS listed("step_id", "claimed_by", "claimed_at")) AS c CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "table" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  )
  UPDATE "table" SET claimed_at = (SELECT at FROM clock) WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held)) RETURNING step_id, claimed_by, claimed_at;
-- 2
-- "{"stepId-1","stepId-2"}"
-- 2
-- "{"claimedBy-1","claimedBy-2"}"
-- 2
-- "{1,2}"
-- 1
-- 1

-- worker/leases.postgres.sql.ts extendClaims, claims[] = 1
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint))) AS listed("step_id", "claimed_by", "claimed_at")) AS c CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "table" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  )
  UPDATE "table" SET claimed_at = (SELECT at FROM clock) WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held)) RETURNING step_id, claimed_by, claimed_at;

-- worker/leases.postgres.sql.ts releaseClaims
WITH 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given)) AS listed("step_id", "claimed_by", "claimed_at")) AS c CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "table" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  )
  UPDATE "table" SET claimed_by = NULL, claimed_at = NULL WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held)) RETURNING *;
-- 2
-- "{"stepId-1","stepId-2"}"
-- 2
-- "{"claimedBy-1","claimedBy-2"}"
-- 2
-- "{1,2}"
-- 1
-- 1

-- worker/leases.postgres.sql.ts releaseClaims, claims[] = 1
WITH 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint))) AS listed("step_id", "claimed_by", "claimed_at")) AS c CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "table" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  )
  UPDATE "table" SET claimed_by = NULL, claimed_at = NULL WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held)) RETURNING *;

-- worker/leases.postgres.sql.ts deleteClaimed
WITH 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given)) AS listed("step_id", "claimed_by", "claimed_at")) AS c CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "table" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  )
  DELETE FROM "table" WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held));
-- 2
-- "{"stepId-1","stepId-2"}"
-- 2
-- "{"claimedBy-1","claimedBy-2"}"
-- 2
-- "{1,2}"
-- 1
-- 1

-- worker/leases.postgres.sql.ts deleteClaimed, claims[] = 1
WITH 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint))) AS listed("step_id", "claimed_by", "claimed_at")) AS c CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "table" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  )
  DELETE FROM "table" WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held));

-- worker/leases.postgres.sql.ts reportTasks
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($10 AS text[]), CAST('' AS text), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($12 AS text[]), CAST('' AS text), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($14 AS bigint[]), CAST('-9223372036854775808' AS bigint), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS text[]) AS a) AS given)) AS listed("step_id", "claimed_by", "claimed_at", "status", "output", "error", "started_at", "mark")) AS c CROSS JOIN generate_series(1, CAST($17 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($18 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "durable_transport_tasks" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  ), gone AS (
    DELETE FROM "durable_transport_tasks" WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held)) RETURNING step_id
  ), written AS (
    INSERT INTO "durable_transport_results" (step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock), mark FROM held
    WHERE (step_id IN (SELECT step_id FROM gone)) IS TRUE
    ON CONFLICT (step_id) DO NOTHING
    RETURNING step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by
  )
  SELECT (SELECT count(*) FROM gone) AS ended,
    CASE WHEN (SELECT count(*) FROM gone) < CAST($19 AS bigint)
      THEN (SELECT CAST(json_agg(step_id) AS text) FROM gone) END AS held,
    (SELECT count(*) FROM written) AS written, (SELECT max(created_at) FROM written) AS at,
    CASE WHEN EXISTS (SELECT FROM written) THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($20 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST(json_build_object('from', CAST($21 AS text), 'answers', (SELECT json_agg(json_build_array(step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)) FROM written), 'credit', CAST($22 AS json)) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS told;
-- 2
-- "{"stepId-1","stepId-2"}"
-- 2
-- "{"claimedBy-1","claimedBy-2"}"
-- 2
-- "{1,5}"
-- 2
-- "{"completed"}"
-- 2
-- "{"output-1","output-2"}"
-- 2
-- "{"error-1","error-2"}"
-- 2
-- "{4,8}"
-- 2
-- "{"by:3:claimedBy-1","by:7:claimedBy-2"}"
-- 1
-- 1
-- 2
-- "durable_results"
-- "sender"
-- "{"mark":"mark","takes":[["takes-1","takes-1"],["takes-2","takes-2"]]}"

-- worker/leases.postgres.sql.ts reportTasks, 3.credit = undefined
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($10 AS text[]), CAST('' AS text), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($12 AS text[]), CAST('' AS text), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($14 AS bigint[]), CAST('-9223372036854775808' AS bigint), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS text[]) AS a) AS given)) AS listed("step_id", "claimed_by", "claimed_at", "status", "output", "error", "started_at", "mark")) AS c CROSS JOIN generate_series(1, CAST($17 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($18 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "durable_transport_tasks" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  ), gone AS (
    DELETE FROM "durable_transport_tasks" WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held)) RETURNING step_id
  ), written AS (
    INSERT INTO "durable_transport_results" (step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock), mark FROM held
    WHERE (step_id IN (SELECT step_id FROM gone)) IS TRUE
    ON CONFLICT (step_id) DO NOTHING
    RETURNING step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by
  )
  SELECT (SELECT count(*) FROM gone) AS ended,
    CASE WHEN (SELECT count(*) FROM gone) < CAST($19 AS bigint)
      THEN (SELECT CAST(json_agg(step_id) AS text) FROM gone) END AS held,
    (SELECT count(*) FROM written) AS written, (SELECT max(created_at) FROM written) AS at,
    CASE WHEN EXISTS (SELECT FROM written) THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($20 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST(json_build_object('from', CAST($21 AS text), 'answers', (SELECT json_agg(json_build_array(step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)) FROM written)) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS told;

-- worker/leases.postgres.sql.ts reportTasks, reports[] = 1
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS text), CAST($7 AS bigint), CAST($8 AS text))) AS listed("step_id", "claimed_by", "claimed_at", "status", "output", "error", "started_at", "mark")) AS c CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "durable_transport_tasks" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  ), gone AS (
    DELETE FROM "durable_transport_tasks" WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held)) RETURNING step_id
  ), written AS (
    INSERT INTO "durable_transport_results" (step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock), mark FROM held
    WHERE (step_id IN (SELECT step_id FROM gone)) IS TRUE
    ON CONFLICT (step_id) DO NOTHING
    RETURNING step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by
  )
  SELECT (SELECT count(*) FROM gone) AS ended,
    CASE WHEN (SELECT count(*) FROM gone) < CAST($11 AS bigint)
      THEN (SELECT CAST(json_agg(step_id) AS text) FROM gone) END AS held,
    (SELECT count(*) FROM written) AS written, (SELECT max(created_at) FROM written) AS at,
    CASE WHEN EXISTS (SELECT FROM written) THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($12 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST(json_build_object('from', CAST($13 AS text), 'answers', (SELECT json_agg(json_build_array(step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)) FROM written), 'credit', CAST($14 AS json)) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS told;

-- worker/leases.postgres.sql.ts reportTasks, the least
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), 
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS text), CAST($7 AS bigint), CAST($8 AS text))) AS listed("step_id", "claimed_by", "claimed_at", "status", "output", "error", "started_at", "mark")) AS c CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM "durable_transport_tasks" AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  ), gone AS (
    DELETE FROM "durable_transport_tasks" WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held)) RETURNING step_id
  ), written AS (
    INSERT INTO "durable_transport_results" (step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock), mark FROM held
    WHERE (step_id IN (SELECT step_id FROM gone)) IS TRUE
    ON CONFLICT (step_id) DO NOTHING
    RETURNING step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by
  )
  SELECT (SELECT count(*) FROM gone) AS ended,
    CASE WHEN (SELECT count(*) FROM gone) < CAST($11 AS bigint)
      THEN (SELECT CAST(json_agg(step_id) AS text) FROM gone) END AS held,
    (SELECT count(*) FROM written) AS written, (SELECT max(created_at) FROM written) AS at,
    CASE WHEN EXISTS (SELECT FROM written) THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($12 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST(json_build_object('from', CAST($13 AS text), 'answers', (SELECT json_agg(json_build_array(step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)) FROM written)) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS told;

-- worker/lost-attempts.sql.ts insertLost
INSERT INTO "attempts" (run_id, seq, attempt, finished_at, worker, error, outcome)
  SELECT run_id, seq, attempt, finished_at, worker, error, 'lost' FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "attempt" bigint, "finished_at" bigint, "worker" text, "error" text)) AS l
  WHERE EXISTS (SELECT 1 FROM "runs" AS r WHERE r.id = l.run_id) ON CONFLICT ("run_id", "seq", "attempt") DO UPDATE SET "outcome" = EXCLUDED."outcome", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", "error" = EXCLUDED."error";
-- "[{"seq":1,"attempt":2,"worker":"worker-1","error":"error-1","run_id":"runId-1","finished_at":3},{"seq":4,"attempt":5,"worker":"worker-2","error":"error-2","run_id":"runId-2","finished_at":6}]"

-- worker/lost-attempts.sql.ts selectLosses
SELECT (SELECT COUNT(*) FROM "attempts" AS o
    WHERE o.run_id = l.run_id AND o.seq = l.seq AND o.attempt = l.attempt) AS known, (SELECT COALESCE(MAX(k.attempt), 0) FROM "attempts" AS k
    WHERE k.run_id = l.run_id AND k.seq = l.seq AND k.attempt < l.attempt AND k.outcome <> 'lost') AS kept, (SELECT COUNT(*) - COUNT(DISTINCT CASE WHEN n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) OR n.seen_at > a.finished_at THEN NULL ELSE a.worker END)
    FROM "attempts" AS a JOIN "nodes" AS n ON n.id = a.worker
    WHERE a.run_id = l.run_id AND a.seq = l.seq AND a.attempt <= l.attempt AND a.outcome = 'lost' AND a.attempt > (SELECT COALESCE(MAX(k.attempt), 0) FROM "attempts" AS k
    WHERE k.run_id = l.run_id AND k.seq = l.seq AND k.attempt < l.attempt AND k.outcome <> 'lost')) AS spared
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("n" bigint, "run_id" text, "seq" bigint, "attempt" bigint)) AS l ORDER BY l.n;
-- "[{"n":0,"run_id":"runId-1","seq":1,"attempt":2},{"n":1,"run_id":"runId-2","seq":4,"attempt":5}]"

-- worker/lost-attempts.sql.ts insertStepLines
INSERT INTO "logs" (run_id, seq, attempt, level, message, fields, logged_at)
  SELECT run_id, seq, attempt, level, message, fields, logged_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("n" bigint, "run_id" text, "seq" bigint, "attempt" bigint, "level" text, "message" text, "fields" text, "logged_at" bigint)) AS l WHERE EXISTS (SELECT 1 FROM "runs" AS r WHERE r.id = l.run_id) ORDER BY l.n;
-- "[{"seq":1,"attempt":2,"level":"debug","message":"message-1","fields":"fields-1","n":0,"run_id":"runId-1","logged_at":3},{"seq":4,"attempt":5,"level":"debug","message":"message-2","fields":"fields-2","n":1,"run_id":"runId-2","logged_at":6}]"

-- worker/tasks.sql.ts dispatchParts
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at - COALESCE(r.head_start, 0), r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($17 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($18 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start", "claimed_by")) AS r, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at) AS clock
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = EXCLUDED."claimed_by", claimed_at = EXCLUDED."claimed_at" WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
asked AS (SELECT CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text) AS told, NULL AS notified FROM dispatched);
-- 2
-- "{"stepId-1","stepId-2"}"
-- 2
-- "{"runId-1","runId-2"}"
-- 2
-- "{1,4}"
-- 2
-- "{"name-1","name-2"}"
-- 2
-- "{"group-1","group-2"}"
-- 2
-- "{"input-1","input-2"}"
-- 2
-- "{2,5}"
-- 2
-- "{3000,6000}"
-- 2
-- "{"get"}"

-- worker/tasks.sql.ts dispatchParts, 3.as = "values"
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at - COALESCE(r.head_start, 0), r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS text), CAST($7 AS bigint), CAST($8 AS bigint), CAST($9 AS text)), (CAST($10 AS text), CAST($11 AS text), CAST($12 AS bigint), CAST($13 AS text), CAST($14 AS text), CAST($15 AS text), CAST($16 AS bigint), CAST($17 AS bigint), CAST($18 AS text))) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start", "claimed_by")) AS r, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at) AS clock
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = EXCLUDED."claimed_by", claimed_at = EXCLUDED."claimed_at" WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
asked AS (SELECT CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text) AS told, NULL AS notified FROM dispatched);

-- worker/tasks.sql.ts dispatchParts, 3.marks = undefined
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - COALESCE(r.head_start, 0)
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS bigint[]) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start")) AS r
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  );
asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($1 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($2 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  );

-- worker/tasks.sql.ts dispatchParts, 3.of = "passed"
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at - COALESCE(r.head_start, 0), r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($17 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($18 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start", "claimed_by")) AS r, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at) AS clock WHERE (r.run_id IN (SELECT passed.id FROM passed)) IS TRUE
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = EXCLUDED."claimed_by", claimed_at = EXCLUDED."claimed_at" WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
asked AS (SELECT CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text) AS told, NULL AS notified FROM dispatched);

-- worker/tasks.sql.ts dispatchParts, tasks[].priority = undefined
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at, r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($16 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "claimed_by")) AS r, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at) AS clock
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = EXCLUDED."claimed_by", claimed_at = EXCLUDED."claimed_at" WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
asked AS (SELECT CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text) AS told, NULL AS notified FROM dispatched);

-- worker/tasks.sql.ts dispatchParts, the least
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt")) AS r WHERE (r.run_id IN (SELECT passed.id FROM passed)) IS TRUE
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  );
asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($1 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($2 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  );

-- worker/tasks.sql.ts dispatchParts, the least, 3.as = "values"
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS text), CAST($7 AS bigint))) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt")) AS r WHERE (r.run_id IN (SELECT passed.id FROM passed)) IS TRUE
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  );
asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($1 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($2 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  );

-- worker/tasks.sql.ts dispatchParts, the least, 3.of = "all"
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt")) AS r
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  );
asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($1 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($2 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  );

-- worker/tasks.sql.ts dispatchParts, the least, tasks[].priority = number
dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - COALESCE(r.head_start, 0)
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS bigint[]) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start")) AS r WHERE (r.run_id IN (SELECT passed.id FROM passed)) IS TRUE
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  );
told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  );
asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($1 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($2 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  );

-- worker/tasks.sql.ts upsertTasksPostgres
WITH dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at - COALESCE(r.head_start, 0), r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($17 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($18 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start", "claimed_by")) AS r, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at) AS clock
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = EXCLUDED."claimed_by", claimed_at = EXCLUDED."claimed_at" WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  ),
  asked AS (SELECT CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text) AS told, NULL AS notified FROM dispatched)
  SELECT told, notified FROM asked;
-- 2
-- "{"stepId-1","stepId-2"}"
-- 2
-- "{"runId-1","runId-2"}"
-- 2
-- "{1,4}"
-- 2
-- "{"name-1","name-2"}"
-- 2
-- "{"group-1","group-2"}"
-- 2
-- "{"input-1","input-2"}"
-- 2
-- "{2,5}"
-- 2
-- "{3000,6000}"
-- 2
-- "{"get"}"

-- worker/tasks.sql.ts upsertTasksPostgres, marks.has() = false
WITH dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - COALESCE(r.head_start, 0)
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS bigint[]) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start")) AS r
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  ),
  told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  ),
  asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($17 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($18 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  )
  SELECT told, notified FROM asked;

-- worker/tasks.sql.ts upsertTasksPostgres, tasks[] = 1
WITH dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at - COALESCE(r.head_start, 0), r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS text), CAST($7 AS bigint), CAST($8 AS bigint), CAST($9 AS text))) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start", "claimed_by")) AS r, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at) AS clock
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = EXCLUDED."claimed_by", claimed_at = EXCLUDED."claimed_at" WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  ),
  asked AS (SELECT CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text) AS told, NULL AS notified FROM dispatched)
  SELECT told, notified FROM asked;

-- worker/tasks.sql.ts upsertTasksPostgres, tasks[].priority = undefined
WITH dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at, r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($16 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "claimed_by")) AS r, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at) AS clock
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = EXCLUDED."claimed_by", claimed_at = EXCLUDED."claimed_at" WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  ),
  asked AS (SELECT CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text) AS told, NULL AS notified FROM dispatched)
  SELECT told, notified FROM asked;

-- worker/tasks.sql.ts upsertTasksPostgres, the least
WITH dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS text), CAST($7 AS bigint))) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt")) AS r
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  ),
  told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  ),
  asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($8 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($9 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  )
  SELECT told, notified FROM asked;

-- worker/tasks.sql.ts upsertTasksPostgres, the least, marks.has() = true
WITH dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at, r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS text), CAST($7 AS bigint), CAST($8 AS text))) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "claimed_by")) AS r, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at) AS clock
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = EXCLUDED."claimed_by", claimed_at = EXCLUDED."claimed_at" WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  ),
  asked AS (SELECT CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text) AS told, NULL AS notified FROM dispatched)
  SELECT told, notified FROM asked;

-- worker/tasks.sql.ts upsertTasksPostgres, the least, tasks[] = 2
WITH dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT CAST($10 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS bigint[]) AS a) AS given)) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt")) AS r
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  ),
  told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  ),
  asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($15 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($16 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  )
  SELECT told, notified FROM asked;

-- worker/tasks.sql.ts upsertTasksPostgres, the least, tasks[].priority = number
WITH dispatched AS (
    
  INSERT INTO "durable_transport_tasks" (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - COALESCE(r.head_start, 0)
  FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), CAST($6 AS text), CAST($7 AS bigint), CAST($8 AS bigint))) AS listed("step_id", "run_id", "seq", "name", "grp", "input", "attempt", "head_start")) AS r
    ON CONFLICT ("step_id") DO UPDATE SET "run_id" = EXCLUDED."run_id", "seq" = EXCLUDED."seq", "name" = EXCLUDED."name", "grp" = EXCLUDED."grp", "input" = EXCLUDED."input", "attempt" = EXCLUDED."attempt", "created_at" = EXCLUDED."created_at", claimed_by = NULL, claimed_at = NULL WHERE "durable_transport_tasks".attempt < EXCLUDED.attempt
    RETURNING grp, created_at, claimed_by, claimed_at
  ),
  told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups, 0 AS claimed, NULL AS at FROM dispatched
  ),
  asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($9 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST((SELECT json_build_object('from', CAST($10 AS text), 'since', since, 'groups', groups) FROM told_of) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END AS notified FROM told_of
  )
  SELECT told, notified FROM asked;

-- worker/tasks.sql.ts tell
SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($1 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST("payload" AS text)) AS text) AS e OFFSET 0) AS packed) AS text));
-- "durable_topic"

-- worker/tasks.sql.ts deleteTasks
DELETE FROM "durable_transport_tasks" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/tasks.sql.ts deleteTasks, as = "values"
DELETE FROM "durable_transport_tasks" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text)), (CAST($2 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));

-- worker/tasks.sql.ts deleteTasks, the least, as = "values"
DELETE FROM "durable_transport_tasks" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again) AS k));

-- worker/tasks.sql.ts selectAlive
SELECT step_id, run_id FROM "durable_transport_tasks" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  UNION ALL
  SELECT step_id, run_id FROM "durable_transport_results" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/tasks.sql.ts selectHolders
SELECT step_id, attempt, claimed_by, claimed_at FROM "durable_transport_tasks"  WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/tasks.sql.ts selectClaimed
SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM ((
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM "durable_transport_tasks" AS t 
    WHERE t.grp = $1 AND t.created_at >= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 1 ORDER BY t.created_at LIMIT 10000) UNION ALL (
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM "durable_transport_tasks" AS t 
    WHERE t.grp = $2 AND t.created_at >= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 1 ORDER BY t.created_at LIMIT 10000)) AS o
    WHERE o.claimed_at IS NOT NULL;
-- "groups-1"
-- "groups-2"

-- worker/tasks.sql.ts selectClaimed, groups[] = 1
SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM ((
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM "durable_transport_tasks" AS t 
    WHERE t.grp = $1 AND t.created_at >= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 1 ORDER BY t.created_at LIMIT 10000)) AS o
    WHERE o.claimed_at IS NOT NULL;

-- worker/tasks.sql.ts selectClaimed, withinMs = undefined
SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM ((
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM "durable_transport_tasks" AS t 
    WHERE t.grp = $1 ORDER BY t.created_at LIMIT 10000) UNION ALL (
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM "durable_transport_tasks" AS t 
    WHERE t.grp = $2 ORDER BY t.created_at LIMIT 10000)) AS o
    WHERE o.claimed_at IS NOT NULL;

-- worker/tasks.sql.ts selectClaimed, the least
SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM ((
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM "durable_transport_tasks" AS t 
    WHERE t.grp = $1 ORDER BY t.created_at LIMIT 10000)) AS o
    WHERE o.claimed_at IS NOT NULL;

-- worker/tasks.sql.ts endLeases
UPDATE "durable_transport_tasks"  SET claimed_at = 0 WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/tasks.sql.ts selectAnswers
SELECT step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AS at FROM "durable_transport_results"
  WHERE (created_at, step_id COLLATE "C") > ((SELECT CAST($1 AS bigint) FROM generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again), $4)
  ORDER BY created_at, step_id COLLATE "C"
  LIMIT 1;
-- 2
-- 1
-- 1
-- "stepId"

-- worker/tasks.sql.ts deleteAnswers
DELETE FROM "durable_transport_results" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/tasks.sql.ts takePart
took AS (
    DELETE FROM "durable_transport_results" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (run_id IN (SELECT passed.id FROM passed)) IS TRUE
  );
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/tasks.sql.ts takePart, as = "values"
took AS (
    DELETE FROM "durable_transport_results" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text)), (CAST($2 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (run_id IN (SELECT passed.id FROM passed)) IS TRUE
  );

-- worker/tasks.sql.ts takePart, the least
took AS (
    DELETE FROM "durable_transport_results" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again) AS k)) AND (run_id IN (SELECT passed.id FROM passed)) IS TRUE
  );

-- worker/tasks.sql.ts lockEndsPart
ending AS MATERIALIZED (
    SELECT e.step_id, t.step_id IS NOT NULL AS is_held FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS bigint[]) AS a) AS given)) AS listed("step_id", "run_id", "claimed_by", "claimed_at")) AS e
    JOIN held ON held.id = e.run_id AND held.stands
    LEFT JOIN LATERAL (
      SELECT o.step_id FROM "durable_transport_tasks" AS o
      WHERE o.step_id = e.step_id AND o.claimed_by = e.claimed_by AND o.claimed_at >= e.claimed_at FOR UPDATE SKIP LOCKED
    ) AS t ON true
  );
-- 2
-- "{"stepId-1","stepId-2"}"
-- 2
-- "{"runId-1","runId-2"}"
-- 2
-- "{"claimedBy-1","claimedBy-2"}"
-- 2
-- "{1,3}"

-- worker/tasks.sql.ts lockEndsPart, as = "values"
ending AS MATERIALIZED (
    SELECT e.step_id, t.step_id IS NOT NULL AS is_held FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS text), CAST($4 AS bigint)), (CAST($5 AS text), CAST($6 AS text), CAST($7 AS text), CAST($8 AS bigint))) AS listed("step_id", "run_id", "claimed_by", "claimed_at")) AS e
    JOIN held ON held.id = e.run_id AND held.stands
    LEFT JOIN LATERAL (
      SELECT o.step_id FROM "durable_transport_tasks" AS o
      WHERE o.step_id = e.step_id AND o.claimed_by = e.claimed_by AND o.claimed_at >= e.claimed_at FOR UPDATE SKIP LOCKED
    ) AS t ON true
  );

-- worker/tasks.sql.ts lockEndsPart, the least
ending AS MATERIALIZED (
    SELECT e.step_id, t.step_id IS NOT NULL AS is_held FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS text), CAST($3 AS text), CAST($4 AS bigint))) AS listed("step_id", "run_id", "claimed_by", "claimed_at")) AS e
    JOIN held ON held.id = e.run_id AND held.stands
    LEFT JOIN LATERAL (
      SELECT o.step_id FROM "durable_transport_tasks" AS o
      WHERE o.step_id = e.step_id AND o.claimed_by = e.claimed_by AND o.claimed_at >= e.claimed_at FOR UPDATE SKIP LOCKED
    ) AS t ON true
  );

-- worker/tasks.sql.ts endPart
ended AS (
    DELETE FROM "durable_transport_tasks" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (run_id IN (SELECT passed.id FROM passed)) IS TRUE
  );
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/tasks.sql.ts endPart, as = "values"
ended AS (
    DELETE FROM "durable_transport_tasks" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text)), (CAST($2 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (run_id IN (SELECT passed.id FROM passed)) IS TRUE
  );

-- worker/tasks.sql.ts endPart, the least
ended AS (
    DELETE FROM "durable_transport_tasks" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM (VALUES (CAST($1 AS text))) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again) AS k)) AND (run_id IN (SELECT passed.id FROM passed)) IS TRUE
  );

-- worker/tasks.sql.ts lockHolders
SELECT step_id, attempt, claimed_by, claimed_at FROM "durable_transport_tasks"  WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY step_id FOR UPDATE SKIP LOCKED;
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/tasks.sql.ts takeAnswersPostgres
DELETE FROM "durable_transport_results" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) RETURNING step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by;
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/transport.sql.ts answerSteps
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), given AS MATERIALIZED (
    SELECT listed.* FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($9 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($10 AS text[]), CAST('' AS text), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($12 AS text[]), CAST('' AS text), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($14 AS bigint[]), CAST('-9223372036854775808' AS bigint), NULL) AS a) AS given)) AS listed("step_id", "run_id", "seq", "status", "output", "error", "started_at")) AS listed CROSS JOIN generate_series(1, CAST($15 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($16 AS integer)) AS again
  ), gone AS (
    DELETE FROM "durable_transport_tasks" WHERE step_id = ANY (ARRAY(SELECT step_id FROM given)) RETURNING step_id
  ), written AS (
    INSERT INTO "durable_transport_results" (step_id, run_id, seq, status, output, error, started_at, created_at)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock) FROM given
    WHERE (SELECT count(*) FROM gone) >= 0
    ON CONFLICT (step_id) DO NOTHING
    RETURNING step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by
  )
  SELECT step_id, created_at, (SELECT CASE WHEN EXISTS (SELECT FROM written) THEN (SELECT pg_notify((SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST($17 AS text) AS c) AS named), CAST((SELECT CASE WHEN octet_length(e) <= 7900 THEN e ELSE '-' END FROM (SELECT '- ' || CAST(json_build_array(CAST(json_build_object('from', CAST($18 AS text), 'answers', (SELECT json_agg(json_build_array(step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)) FROM written)) AS text)) AS text) AS e OFFSET 0) AS packed) AS text))) END) AS told
  FROM written;
-- 2
-- "{"stepId-1","stepId-2"}"
-- 2
-- "{"runId-1","runId-2"}"
-- 2
-- "{1,5}"
-- 2
-- "{"completed"}"
-- 2
-- "{"output-1","output-2"}"
-- 2
-- "{"error-1","error-2"}"
-- 2
-- "{2,6}"
-- 1
-- 1
-- "durable_results"
-- "sender"

-- worker/waiting-tasks.sql.ts selectGroups
SELECT g.grp FROM (
    SELECT w.grp FROM (
      WITH RECURSIVE found AS (
        SELECT f.grp, 1 AS n FROM (SELECT t.grp FROM "durable_transport_tasks" AS t WHERE t.grp > $1 ORDER BY t.grp LIMIT 1) AS f
        UNION ALL SELECT (SELECT t.grp FROM "durable_transport_tasks" AS t WHERE t.grp > g.grp ORDER BY t.grp LIMIT 1), g.n + 1 FROM found AS g WHERE g.grp IS NOT NULL AND g.n < 1
      ) SELECT grp FROM found WHERE grp IS NOT NULL) AS w UNION SELECT a.grp FROM (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("grp" text)) AS a WHERE a.grp > $3
  ) AS g ORDER BY g.grp LIMIT 1;
-- "2"
-- "[{"grp":"also-1"},{"grp":"also-2"}]"
-- "2"

-- worker/waiting-tasks.sql.ts selectGroups, 2.also = undefined
WITH RECURSIVE found AS (
        SELECT f.grp, 1 AS n FROM (SELECT t.grp FROM "durable_transport_tasks" AS t WHERE t.grp > $1 ORDER BY t.grp LIMIT 1) AS f
        UNION ALL SELECT (SELECT t.grp FROM "durable_transport_tasks" AS t WHERE t.grp > g.grp ORDER BY t.grp LIMIT 1), g.n + 1 FROM found AS g WHERE g.grp IS NOT NULL AND g.n < 1
      ) SELECT grp FROM found WHERE grp IS NOT NULL ORDER BY grp;

-- worker/waiting-tasks.sql.ts selectOverdueGroups
WITH RECURSIVE firsts AS (
    SELECT o.grp, o.created_at, 1 AS n FROM (
      SELECT t.grp, t.created_at FROM "durable_transport_tasks" AS t WHERE t.grp > $1 ORDER BY t.grp, t.created_at LIMIT 1) AS o
    UNION ALL
    SELECT o.grp, o.created_at, f.n + 1 FROM firsts AS f CROSS JOIN LATERAL (
      SELECT t.grp, t.created_at FROM "durable_transport_tasks" AS t WHERE t.grp > f.grp ORDER BY t.grp, t.created_at LIMIT 1) AS o
    WHERE f.n < 1000
  ) SELECT grp, CASE WHEN created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 2 THEN 1 ELSE 0 END AS overdue FROM firsts ORDER BY grp;
-- "1"

-- worker/waiting-tasks.sql.ts selectWindows
(
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM "durable_transport_tasks" 
    WHERE grp = $1 AND created_at >= $2 AND (created_at > $3 OR step_id > $4)
    ORDER BY created_at, step_id LIMIT 2) UNION ALL (
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM "durable_transport_tasks" 
    WHERE grp = $5 AND created_at >= $6 AND (created_at > $7 OR step_id > $8)
    ORDER BY created_at, step_id LIMIT 4);
-- "group-1"
-- 1
-- 1
-- "stepId-1"
-- "group-2"
-- 3
-- 3
-- "stepId-2"

-- worker/waiting-tasks.sql.ts selectWindows, windows[] = 1
(
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM "durable_transport_tasks" 
    WHERE grp = $1 AND created_at >= $2 AND (created_at > $3 OR step_id > $4)
    ORDER BY created_at, step_id LIMIT 2);

-- worker/waiting-tasks.sql.ts selectWindows, windows[].after = undefined
(
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM "durable_transport_tasks" 
    WHERE grp = $1 ORDER BY created_at LIMIT 1) UNION ALL (
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM "durable_transport_tasks" 
    WHERE grp = $2 ORDER BY created_at LIMIT 2);

-- worker/waiting-tasks.sql.ts selectWindows, the least
(
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM "durable_transport_tasks" 
    WHERE grp = $1 ORDER BY created_at LIMIT 1);

-- worker/waiting-tasks.sql.ts selectUnclaimed
SELECT step_id, attempt FROM "durable_transport_tasks"
  WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND NOT (claimed_at IS NOT NULL AND claimed_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000);
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- worker/waiting-tasks.sql.ts countTasks
(
    SELECT CAST($1 AS text) AS grp, count(*) AS tasks,
      count(CASE WHEN o.claimed_at IS NULL THEN 1 END) AS waiting,
      min(CASE WHEN o.claimed_at IS NULL THEN o.created_at END) AS since,
      count(CASE WHEN o.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 1 END) AS lapsed
    FROM (
      SELECT t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t 
      WHERE t.grp = $2 ORDER BY t.created_at LIMIT 2
    ) AS o) UNION ALL (
    SELECT CAST($3 AS text) AS grp, count(*) AS tasks,
      count(CASE WHEN o.claimed_at IS NULL THEN 1 END) AS waiting,
      min(CASE WHEN o.claimed_at IS NULL THEN o.created_at END) AS since,
      count(CASE WHEN o.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 1 END) AS lapsed
    FROM (
      SELECT t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t 
      WHERE t.grp = $4 ORDER BY t.created_at LIMIT 2
    ) AS o);
-- "groups-1"
-- "groups-1"
-- "groups-2"
-- "groups-2"

-- worker/waiting-tasks.sql.ts countTasks, groups[] = 1
(
    SELECT CAST($1 AS text) AS grp, count(*) AS tasks,
      count(CASE WHEN o.claimed_at IS NULL THEN 1 END) AS waiting,
      min(CASE WHEN o.claimed_at IS NULL THEN o.created_at END) AS since,
      count(CASE WHEN o.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 1 END) AS lapsed
    FROM (
      SELECT t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t 
      WHERE t.grp = $2 ORDER BY t.created_at LIMIT 2
    ) AS o);

-- worker/waiting-tasks.sql.ts selectScanEnd
SELECT t.grp, t.created_at, t.step_id FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 AND (t.grp, t.created_at, t.step_id) > ($2, $3, $4) ORDER BY t.created_at, t.step_id LIMIT 1 OFFSET 9999;
-- "group"
-- "group"
-- 2
-- "stepId"

-- worker/waiting-tasks.sql.ts selectScanEnd, query.after = undefined
SELECT t.grp, t.created_at, t.step_id FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 ORDER BY t.created_at, t.step_id LIMIT 1 OFFSET 9999;

-- worker/waiting-tasks.sql.ts selectScanEnd, query.group = undefined
SELECT t.grp, t.created_at, t.step_id FROM "durable_transport_tasks" AS t  WHERE (t.grp, t.created_at, t.step_id) > ($1, $2, $3) ORDER BY t.grp, t.created_at, t.step_id LIMIT 1 OFFSET 9999;

-- worker/waiting-tasks.sql.ts selectScanEnd, the least
SELECT t.grp, t.created_at, t.step_id FROM "durable_transport_tasks" AS t  WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 1 OFFSET 9999;

-- worker/waiting-tasks.sql.ts selectListed
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 AND (t.grp, t.created_at, t.step_id) > ($2, $3, $4) AND (t.grp, t.created_at, t.step_id) <= ($5, $6, $7) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = $8 AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END = $9 AND (t.claimed_by = $10 OR LEFT(t.claimed_by, 7) = $11) AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;
-- "group"
-- "group"
-- 2
-- "stepId"
-- "group"
-- 4
-- "stepId"
-- "name"
-- "inHand"
-- "worker"
-- "worker#"

-- worker/waiting-tasks.sql.ts selectListed, end = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 AND (t.grp, t.created_at, t.step_id) > ($2, $3, $4) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = $5 AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END = $6 AND (t.claimed_by = $7 OR LEFT(t.claimed_by, 7) = $8) AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, query.after = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 AND (t.grp, t.created_at, t.step_id) <= ($2, $3, $4) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = $5 AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END = $6 AND (t.claimed_by = $7 OR LEFT(t.claimed_by, 7) = $8) AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, query.group = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE (t.grp, t.created_at, t.step_id) > ($1, $2, $3) AND (t.grp, t.created_at, t.step_id) <= ($4, $5, $6) ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = $7 AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END = $8 AND (t.claimed_by = $9 OR LEFT(t.claimed_by, 7) = $10) AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, query.name = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 AND (t.grp, t.created_at, t.step_id) > ($2, $3, $4) AND (t.grp, t.created_at, t.step_id) <= ($5, $6, $7) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END = $8 AND (t.claimed_by = $9 OR LEFT(t.claimed_by, 7) = $10) AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, query.status = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 AND (t.grp, t.created_at, t.step_id) > ($2, $3, $4) AND (t.grp, t.created_at, t.step_id) <= ($5, $6, $7) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = $8 AND (t.claimed_by = $9 OR LEFT(t.claimed_by, 7) = $10) AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, query.worker = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 AND (t.grp, t.created_at, t.step_id) > ($2, $3, $4) AND (t.grp, t.created_at, t.step_id) <= ($5, $6, $7) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = $8 AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END = $9 AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, the least
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, end = TaskPosition
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE (t.grp, t.created_at, t.step_id) <= ($1, $2, $3) ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.after = TaskPosition
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE (t.grp, t.created_at, t.step_id) > ($1, $2, $3) ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.group = string
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE t.grp = $1 ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.name = string
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = $1 AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.status = "inHand"
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END = $1 AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.worker = string
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM "durable_transport_tasks" AS t  WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE (t.claimed_by = $1 OR LEFT(t.claimed_by, 7) = $2) AND t.created_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;
