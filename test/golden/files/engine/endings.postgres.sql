-- engine/endings/control.sql.ts lockRun
SELECT id, namespace, workflow, status, reason, closing, notifies, unwinds, error, erased_at FROM "durable_runs" WHERE id = $1 FOR UPDATE;
-- "runId"

-- engine/endings/control.sql.ts selectOpen
SELECT seq, kind, CASE WHEN kind = 'signal' AND status = 'answered' THEN output END AS given FROM "durable_steps" WHERE run_id = $1 AND kind IN ('remote', 'signal') AND settled IS NULL;
-- "runId"

-- engine/endings/control.sql.ts selectOpenChildren
SELECT id, parent_close FROM "durable_runs"
  WHERE parent_id = $1 AND parent_close <> 'abandon' AND status NOT IN ($2, $3, $4, $5)
  ORDER BY id;
-- "parentId"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings/control.sql.ts endCancelled
UPDATE "durable_runs"
  SET status = 'cancelled', owner = NULL, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL,
    reason_detail = NULL, closing = NULL, error = $1, finished_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  WHERE id = $2;
-- "error"
-- "runId"

-- engine/endings/control.sql.ts beginClosing
UPDATE "durable_runs"
  SET status = 'compensating', closing = $1, owner = NULL, epoch = epoch + 1, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint),
    reason = NULL, reason_detail = NULL, crashes = 0,
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = $2)
  WHERE id = $3;
-- "closing"
-- "runId"
-- "runId"

-- engine/endings/control.sql.ts selectOrders
SELECT id, settled FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/control.sql.ts lockOpenRemote
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps"
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/control.sql.ts countSettled
UPDATE "durable_runs"
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = "durable_runs".id)
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/control.sql.ts forgetGiven
UPDATE "durable_steps" SET status = 'pending', output = NULL WHERE run_id = $1 AND seq IN ($2, $3);
-- "runId"
-- 1
-- 2

-- engine/endings/control.sql.ts forgetGiven, seqs[] = 1
UPDATE "durable_steps" SET status = 'pending', output = NULL WHERE run_id = $1 AND seq IN ($2);

-- engine/endings/control.sql.ts deleteWaits
DELETE FROM "durable_signal_waits" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/endings/control.sql.ts unblock
UPDATE "durable_runs" SET wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = 0
  WHERE id = $1 AND reason IN ($2, $3, $4, $5, $6);
-- "runId"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"

-- engine/endings/control.sql.ts compensateAgain
UPDATE "durable_runs"
  SET status = 'compensating', wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = 0, finished_at = NULL, error = $1,
    closing = COALESCE(closing, 'failed'),
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = $2)
  WHERE id = $3;
-- "error"
-- "runId"
-- "runId"

-- engine/endings/control.sql.ts forgetFailedUndoing
DELETE FROM "durable_steps" WHERE run_id = $1 AND seq < 0 AND status = 'failed';
-- "runId"

-- engine/endings/dependency.sql.ts insertDependencies
INSERT INTO "durable_run_dependencies" (target_id, run_id)
  SELECT e.target_id, e.run_id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("target_id" text, "run_id" text)) AS e "created";
-- "[{"target_id":"target_id-1","run_id":"run_id-1"},{"target_id":"target_id-2","run_id":"run_id-2"}]"

-- engine/endings/dependency.sql.ts selectTargets
SELECT DISTINCT target_id FROM "durable_run_dependencies" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/dependency.sql.ts lockOpen
SELECT id, notifies FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status NOT IN ($5, $6, $7, $8) ORDER BY id FOR NO KEY UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings/dependency.sql.ts notifyRuns
UPDATE "durable_runs" SET notifies = notifies | 2 WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings/dependency.sql.ts lockConditional
SELECT id, epoch, owner, limiter, CASE WHEN deadline <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) THEN 1 ELSE 0 END AS late
  FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR NO KEY UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings/dependency.sql.ts selectTargetStatuses
SELECT e.run_id, e.target_id, r.status FROM "durable_run_dependencies" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.target_id
  WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/dependency.sql.ts decideConditional
UPDATE "durable_runs" AS r SET owner = CASE WHEN w.blockers > 0 THEN NULL ELSE r.owner END, status = CASE WHEN w.error IS NOT NULL THEN 'compensating' WHEN w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL THEN 'running' ELSE 'pending' END, reason = CASE WHEN w.blockers > 0 THEN 'waiting_for_runs' END, wake_at = CASE WHEN w.blockers > 0 THEN r.deadline END, started_at = CASE WHEN w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL THEN COALESCE(r.started_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ELSE r.started_at END, precondition = CASE WHEN w.blockers > 0 THEN r.precondition WHEN w.error IS NOT NULL OR r.limiter IS NULL THEN NULL ELSE 'limiter' END, closing = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END, error = COALESCE(w.error, r.error), blockers = w.blockers FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "blockers" bigint, "error" text)) AS w WHERE r.id = w.id;
-- "[{"id":"id-1","blockers":1,"error":"error-1"},{"id":"id-2","blockers":2,"error":"error-2"}]"

-- engine/endings/ending.sql.ts selectEndedChildren
SELECT r.id, r.parent_id, r.parent_seq, r.status, r.output, r.error
  FROM "durable_runs" AS r JOIN "durable_runs" AS p ON p.id = r.parent_id
  WHERE r.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND p.status NOT IN ($5, $6, $7, $8);
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings/ending.sql.ts selectDependenciesTo
SELECT target_id, run_id FROM "durable_run_dependencies" WHERE target_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"targetIds-1","targetIds-2"}"
-- 1
-- 1

-- engine/endings/ending.sql.ts lockWaiters
SELECT id, status, reason, owner, blockers FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id
  FOR NO KEY UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings/ending.sql.ts deleteDependencies
DELETE FROM "durable_run_dependencies" AS e USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("target_id" text, "run_id" text)) AS g WHERE e.target_id = g.target_id AND e.run_id = g.run_id;
-- "[{"target_id":"target_id-1","run_id":"run_id-1"},{"target_id":"target_id-2","run_id":"run_id-2"}]"

-- engine/endings/ending.sql.ts deleteDependenciesOf
DELETE FROM "durable_run_dependencies" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/ending.sql.ts releaseWaiters
UPDATE "durable_runs" AS r SET wake_at = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE r.wake_at END, reason = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN NULL ELSE r.reason END, precondition = CASE WHEN NOT (w.error IS NOT NULL OR r.blockers <= w.met) THEN r.precondition WHEN w.error IS NULL AND r.limiter IS NOT NULL THEN 'limiter' END, closing = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END, error = COALESCE(w.error, r.error), blockers = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN 0 ELSE r.blockers - w.met END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "met" bigint, "error" text)) AS w WHERE r.id = w.id;
-- "[{"id":"id-1","met":1,"error":"error-1"},{"id":"id-2","met":2,"error":"error-2"}]"

-- engine/endings/ending.sql.ts selectStatuses
SELECT id, status FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings/ending.sql.ts selectLimitersOf
SELECT DISTINCT limiter FROM "durable_limiter_entries" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/ending.sql.ts deletePermitsOf
DELETE FROM "durable_limiter_entries" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/ending.sql.ts selectPermits
SELECT DISTINCT limiter FROM "durable_limiter_entries" WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/endings/ending.sql.ts deletePermits
DELETE FROM "durable_limiter_entries" WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts deleteBelongings
DELETE FROM "durable_run_dependencies" AS e USING "durable_runs" AS r WHERE r.id = e.target_id AND r.status = 'completed' AND e.target_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_run_dependencies" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_start_keys" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_run_attributes" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_limiter_entries" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_step_attempts" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_step_logs" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_steps" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_signals" WHERE "target" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND addressed = 'run';
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts deleteLives
DELETE FROM "durable_limiter_entries" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_step_attempts" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_step_logs" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_steps" WHERE "run_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_signals" WHERE "target" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND addressed = 'run';
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts lockPurgeable
SELECT r.id FROM "durable_runs" AS r 
  WHERE r.namespace = $1 AND r.status = $2 AND r.finished_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $3
    AND NOT COALESCE((SELECT p.finished_at IS NULL FROM "durable_runs" AS p WHERE p.id = r.parent_id), false)
    AND (SELECT COUNT(*) FROM "durable_run_dependencies" AS e WHERE e.target_id = r.id) = 0
  ORDER BY r.finished_at, r.id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "namespace"
-- "cancelled"
-- 2

-- engine/endings/removal.sql.ts selectChildren
SELECT id, parent_id FROM "durable_runs" WHERE parent_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"parentIds-1","parentIds-2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts lockByKey
SELECT id, parent_id, finished_at FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE SKIP LOCKED;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts lockByKey, skip = false
SELECT id, parent_id, finished_at FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;

-- engine/endings/removal.sql.ts orphanRuns
UPDATE "durable_runs" SET parent_id = NULL, parent_seq = NULL, parent_close = NULL, notifies = notifies - notifies % 2
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts selectOpenSteps
SELECT run_id, seq FROM "durable_steps"
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts deleteRuns
DELETE FROM "durable_runs" WHERE "id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts deleteWaits
DELETE FROM "durable_signal_waits" WHERE "step_id" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts selectRunChannels
SELECT DISTINCT channel FROM "durable_signals" WHERE target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND addressed = 'run';
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts deleteChannels
DELETE FROM "durable_signal_channels" WHERE "channel" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/endings/removal.sql.ts selectExpiredKeys
SELECT start_key FROM "durable_start_keys"
  WHERE expires_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ORDER BY expires_at LIMIT 1;

-- engine/endings/removal.sql.ts deleteExpiredKeys
DELETE FROM "durable_start_keys" WHERE "start_key" = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- engine/endings/resumption.sql.ts lockResumable
SELECT id, parent_id, status, closing, output, resume, erased_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings/resumption.sql.ts selectUncompleted
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps"
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (status <> 'completed' OR seq < 0);
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings/resumption.sql.ts forgetSteps
DELETE FROM "durable_steps" AS s USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint)) AS d WHERE s.run_id = d.run_id AND s.seq = d.seq;
-- "[{"run_id":"runId-1","seq":1},{"run_id":"runId-2","seq":2}]"

-- engine/endings/resumption.sql.ts forgetMarkers
DELETE FROM "durable_steps" WHERE run_id = $1 AND seq >= $2 AND kind = 'marker';
-- "runId"
-- 1

-- engine/endings/resumption.sql.ts keepResume
UPDATE "durable_runs" SET resume = $1 WHERE id = $2;
-- "{"failed":[1,2],"delivered":3,"after":4,"passed":{"seq":5,"name":"name","next":6},"at":7,"forgiven":{}}"
-- "runId"

-- engine/endings/resumption.sql.ts resumeRuns
UPDATE "durable_runs" AS r SET status = CASE WHEN r.limiter IS NULL THEN 'suspended' ELSE 'pending' END, precondition = CASE WHEN r.limiter IS NULL THEN NULL ELSE 'limiter' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), deadline = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + r.timeout_ms, crashes = 0, closing = NULL, error = NULL, finished_at = NULL, resume = n.resume, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "resume" text)) AS n WHERE r.id = n.id;
-- "[{"id":"id-1","resume":"{\\"failed\\":[1,2],\\"delivered\\":3,\\"after\\":4,\\"passed\\":{\\"seq\\":5,\\"name\\":\\"name-1\\",\\"next\\":6},\\"at\\":7,\\"forgiven\\":{}}"},{"id":"id-2","resume":"{\\"failed\\":[8,9],\\"delivered\\":10,\\"after\\":11,\\"passed\\":{\\"seq\\":12,\\"name\\":\\"name-2\\",\\"next\\":13},\\"at\\":14,\\"forgiven\\":{}}"}]"
