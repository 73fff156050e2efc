-- engine/edits/edit.sql.ts lockRuns
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/edits/edit.sql.ts selectEditable
SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r WHERE r.id = $1 FOR UPDATE;
-- "id"

-- engine/edits/edit.sql.ts selectEditable, locked = false
SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r WHERE r.id = $1;

-- engine/edits/edit.sql.ts selectSteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = $1 ORDER BY seq;
-- "runId"
