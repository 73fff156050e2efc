-- engine/starts/run-lives.sql.ts selectForkable
SELECT seq, kind, name, settled, CASE WHEN kind = 'signal' AND settled IS NULL THEN output END AS output
  FROM "durable_steps" WHERE run_id = $1;
-- "runId"

-- engine/starts/run-lives.sql.ts selectMark
SELECT 1 AS found FROM "durable_erasures" WHERE run_id = $1 LIMIT 1;
-- "runId"

-- engine/starts/run-lives.sql.ts rebegin
UPDATE "durable_runs"
  SET status = 'pending', input = COALESCE($1, input), version = COALESCE($2, version),
    context = COALESCE($3, context),
    epoch = epoch + 1, first_seq = $4, created_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), continued_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint),
    deadline = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + timeout_ms, started_at = NULL, finished_at = NULL, output = NULL, error = NULL, closing = NULL,
    reason = NULL, reason_detail = NULL, resume = NULL, custom_status = NULL, owner = NULL, turn = NULL,
    forked_from = NULL, forked_seq = NULL, settled = 0, crashes = 0, unwinds = 0, blockers = 0,
    precondition = CASE WHEN limiter IS NULL THEN NULL ELSE 'limiter' END
  WHERE id = $5;
-- "input"
-- 1
-- "context"
-- 2
-- "id"

-- engine/starts/run-lives.sql.ts insertFork
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, context, input, status, epoch, settled, crashes, wake_at, deadline, created_at,
    notifies, precondition, forked_from, forked_seq)
  SELECT $1, namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, COALESCE($2, o.context), COALESCE($3, o.input), 'pending', 1, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + o.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint),
    CASE WHEN o.limiter IS NULL THEN 0 ELSE 4 END,
    CASE WHEN o.limiter IS NULL THEN NULL ELSE 'limiter' END, $4, 1
  FROM "durable_runs" AS o WHERE o.id = $5 ON CONFLICT ("id") DO NOTHING;
-- "id"
-- "context"
-- "input"
-- "source"
-- "source"

-- engine/starts/run-lives.sql.ts selectFork
SELECT forked_from, forked_seq FROM "durable_runs" WHERE id = $1;
-- "id"

-- engine/starts/run-lives.sql.ts copySteps
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
  SELECT $1, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM "durable_steps" AS s
  WHERE s.run_id = $2 AND s.seq >= 0 AND s.seq < $3 AND NOT (s.kind = 'signal' AND s.settled IS NULL);
-- "id"
-- "source"
-- 1

-- engine/starts/run-lives.sql.ts copyNotes
INSERT INTO "durable_step_attempts" (run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error)
  SELECT $1, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM "durable_step_attempts" AS a
  WHERE a.run_id = $2 AND a.seq >= 0 AND a.seq < $3;
INSERT INTO "durable_run_attributes" (run_id, name, namespace, type, text_value, number_value)
  SELECT $1, name, namespace, type, text_value, number_value FROM "durable_run_attributes" AS a WHERE a.run_id = $2;
-- "id"
-- "source"
-- 1
-- "id"
-- "source"

-- engine/starts/sql-id-reuse.ts lockOld
SELECT id, namespace, workflow, status, epoch, first_seq, erased_at FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/starts/sql-id-reuse.ts selectLast
SELECT run_id, MAX(seq) AS seq FROM "durable_steps" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  GROUP BY run_id;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/starts/sql-id-reuse.ts goOnFrom
UPDATE "durable_runs" AS r SET epoch = n.epoch, first_seq = n.first_seq FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "first_seq" bigint)) AS n WHERE r.id = n.id;
-- "[{"id":"id-1","epoch":1,"first_seq":2},{"id":"id-2","epoch":3,"first_seq":4}]"

-- engine/starts/sql-run-children.ts insertChildren
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text)) AS n ON CONFLICT ("id") DO NOTHING;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2"}]"

-- engine/starts/sql-run-children.ts insertChildren, children[].context = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts/sql-run-children.ts insertChildren, children[].turn = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts/sql-run-children.ts insertChildren, the least
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts/sql-run-children.ts selectBelonging
SELECT id, parent_id, parent_seq FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/starts/sql-run-turns.ts selectLastTurns
SELECT t.nth, 
    (SELECT o.turn FROM "durable_runs" AS o WHERE o.limiter = t."limiter" AND o.turn >= t."first" AND o.turn < t."end"
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM "durable_runs" AS h
      WHERE h.namespace = t."namespace" AND h.workflow = t."workflow" AND h.version = t."version"
        AND h.turn >= t."first" AND h.turn < t."end"
      ORDER BY h.turn LIMIT 1) AS head_turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("nth" bigint, "namespace" text, "workflow" text, "version" bigint, "limiter" text, "first" bigint, "end" bigint)) AS t CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again;
-- "[{"nth":1,"namespace":"namespace-1","workflow":"workflow-1","version":2,"limiter":"limiter-1","first":3,"end":4},{"nth":5,"namespace":"namespace-2","workflow":"workflow-2","version":6,"limiter":"limiter-2","first":7,"end":8}]"
-- 1
-- 1

-- engine/starts/start-key.sql.ts insertKeys
INSERT INTO "durable_start_keys" (start_key, run_id, expires_at, latest_at)
  SELECT n.start_key, n.run_id, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.window_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.longest_ms FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("start_key" text, "run_id" text, "window_ms" bigint, "longest_ms" bigint)) AS n ON CONFLICT ("start_key") DO NOTHING;
-- "[{"start_key":"key-1","run_id":"id-1","longest_ms":3},{"start_key":"key-2","run_id":"id-2","longest_ms":6}]"

-- engine/starts/start-key.sql.ts lockKeys
SELECT start_key, run_id, CASE WHEN expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired
  FROM "durable_start_keys" WHERE start_key = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY start_key FOR UPDATE;
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- engine/starts/start-key.sql.ts takeKeys
UPDATE "durable_start_keys" AS k SET run_id = n.run_id, expires_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.window_ms, latest_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.longest_ms FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("start_key" text, "run_id" text, "window_ms" bigint, "longest_ms" bigint)) AS n WHERE k.start_key = n.start_key;
-- "[{"start_key":"key-1","run_id":"id-1","longest_ms":3},{"start_key":"key-2","run_id":"id-2","longest_ms":6}]"

-- engine/starts/start-key.sql.ts selectOpen
SELECT id FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status NOT IN ($5, $6, $7, $8);
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/starts/start-key.sql.ts lockUnbegun
SELECT id FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/starts/start-key.sql.ts putOff
UPDATE "durable_runs" AS r SET input = n.input, wake_at = LEAST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, COALESCE(k.latest_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms)), deadline = LEAST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, COALESCE(k.latest_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms)) + n.timeout_ms, timeout_ms = n.timeout_ms FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "start_key" text, "input" text, "delay_ms" bigint, "timeout_ms" bigint)) AS n JOIN "durable_start_keys" AS k ON k.start_key = n.start_key WHERE r.id = n.run_id;
-- "[{"run_id":"runId-1","start_key":"key-1","input":"input-1","delay_ms":1,"timeout_ms":2},{"run_id":"runId-2","start_key":"key-2","input":"input-2","delay_ms":4,"timeout_ms":5}]"
