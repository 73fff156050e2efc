-- engine/tables/note.sql.ts upsertAttributes
INSERT INTO "durable_run_attributes" (run_id, name, namespace, type, text_value, number_value)
  SELECT a.run_id, a.name, r.namespace, a.type, a.text_value, CAST(a.number_value AS double precision)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "name" text, "type" text, "text_value" text, "number_value" text)) AS a JOIN "durable_runs" AS r ON r.id = a.run_id
  WHERE true ON CONFLICT ("run_id", "name") DO UPDATE SET "type" = EXCLUDED."type", "text_value" = EXCLUDED."text_value", "number_value" = EXCLUDED."number_value";
-- "[{"run_id":"runId-1","name":"name-1","type":"date","text_value":null,"number_value":"1"},{"run_id":"runId-2","name":"name-2","type":"date","text_value":null,"number_value":"2"}]"

-- engine/tables/note.sql.ts deleteAttributes
DELETE FROM "durable_run_attributes" AS a USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "name" text)) AS d WHERE a.run_id = d.run_id AND a.name = d.name;
-- "[{"run_id":"runId-1","name":"name-1"},{"run_id":"runId-2","name":"name-2"}]"

-- engine/tables/note.sql.ts upsertAttempts
INSERT INTO "durable_step_attempts" (run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error)
  SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "attempt" bigint, "outcome" text, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "error" text)) AS a WHERE true ON CONFLICT ("run_id", "seq", "attempt") DO UPDATE SET "outcome" = EXCLUDED."outcome", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", "error" = EXCLUDED."error";
-- "[{"seq":1,"attempt":2,"outcome":"deferred","worker":"worker-1","error":"error-1","run_id":"runId-1","asked_at":3,"started_at":4,"finished_at":5},{"seq":6,"attempt":7,"outcome":"deferred","worker":"worker-2","error":"error-2","run_id":"runId-2","asked_at":8,"started_at":9,"finished_at":10}]"

-- engine/tables/note.sql.ts deleteLine
DELETE FROM "durable_step_logs" WHERE run_id = $1 AND logged_at = $2 AND message = $3;
-- "runId"
-- 3
-- "message"

-- engine/tables/note.sql.ts setCustomStatus
UPDATE "durable_runs" AS r SET custom_status = n.status FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "status" text)) AS n WHERE r.id = n.id;
-- "[{"id":"id-1","status":"status-1"},{"id":"id-2","status":"status-2"}]"

-- engine/tables/run.sql.ts insertRuns
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text)) AS n;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2"}]"

-- engine/tables/run.sql.ts insertRuns, runs[].context = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint)) AS n;

-- engine/tables/run.sql.ts insertRuns, runs[].turn = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text)) AS n;

-- engine/tables/run.sql.ts insertRuns, the least
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n;

-- engine/tables/run.sql.ts createRuns
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.*, ("notification") AS told FROM created;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2"}]"

-- engine/tables/run.sql.ts createRuns, notification = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.* FROM created;

-- engine/tables/run.sql.ts createRuns, runs[].context = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables/run.sql.ts createRuns, runs[].turn = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables/run.sql.ts createRuns, waits = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables/run.sql.ts createRuns, the least
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.* FROM created;

-- engine/tables/run.sql.ts createRuns, the least, notification = Statement
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables/run.sql.ts createRuns, the least, runs[].context = string
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.* FROM created;

-- engine/tables/run.sql.ts createRuns, the least, runs[].turn = number
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.* FROM created;

-- engine/tables/run.sql.ts createRuns, the least, waits = Statement
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.* FROM created;

-- engine/tables/run.sql.ts selectRuns
SELECT "columns" FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/tables/run.sql.ts selectContexts
SELECT id, context FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND context IS NOT NULL;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/tables/run.sql.ts selectRunsLatest
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/tables/run.sql.ts selectOwned
SELECT id, epoch FROM "durable_runs" WHERE owner = $1;
-- "nodeId"

-- engine/tables/run.sql.ts selectClaims
SELECT id, epoch, owner FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/tables/run.sql.ts ownedBy
NULLIF(alias.owner, '') = $1;
-- "owner"

-- engine/tables/run.sql.ts freeClaims
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = 'suspended', wake_at = CASE WHEN r.closing IS NULL THEN r.deadline END, reason = $1, reason_detail = $2, crashes = r.crashes + 1, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($3 AS json)) AS listed("id" text, "epoch" bigint, "owner" text)) AS c WHERE r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner;
-- "exhausted"
-- "detail"
-- "[{"id":"runId-1","epoch":1,"owner":"owner-1"},{"id":"runId-2","epoch":2,"owner":"owner-2"}]"

-- engine/tables/run.sql.ts freeClaims, crashed = false
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = 'suspended', wake_at = CASE WHEN r.closing IS NULL THEN r.deadline END, reason = $1, reason_detail = $2, crashes = r.crashes + 0, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($3 AS json)) AS listed("id" text, "epoch" bigint, "owner" text)) AS c WHERE r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner;

-- engine/tables/run.sql.ts freeClaims, standstill = undefined
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = r.crashes + 1, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "owner" text)) AS c WHERE r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner;

-- engine/tables/run.sql.ts freeClaims, the least
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = r.crashes + 0, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "owner" text)) AS c WHERE r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner;

-- engine/tables/run.sql.ts freeRun
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = r.crashes + 0, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) WHERE r.id = $1;
-- "runId"

-- engine/tables/run.sql.ts freeRuns
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = r.crashes + 1, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) WHERE r.id "among" AND r.owner IS NOT NULL;

-- engine/tables/run.sql.ts lockOrphans
SELECT id FROM "durable_runs" WHERE owner = $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "owner"

-- engine/tables/step.sql.ts upsertSteps
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1;
-- "[{"run_id":"runId-1","seq":1,"kind":"child","name":"name-1","status":"answered","attempt":2,"failures":3,"deferrals":4,"settled":5,"output":"output-1","error":"error-1","ref":"ref-1","wake_at":6,"created_at":7,"asked_at":8,"started_at":9,"finished_at":10,"worker":"worker-1","input":"input-1"},{"run_id":"runId-2","seq":11,"kind":"child","name":"name-2","status":"answered","attempt":12,"failures":13,"deferrals":14,"settled":15,"output":"output-2","error":"error-2","ref":"ref-2","wake_at":16,"created_at":17,"asked_at":18,"started_at":19,"finished_at":20,"worker":"worker-2","input":"input-2"}]"

-- engine/tables/step.sql.ts upsertSteps, 3.held = undefined
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1;

-- engine/tables/step.sql.ts upsertSteps, 3.once = false
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", "durable_steps".input);

-- engine/tables/step.sql.ts upsertSteps, steps[].input = undefined
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker" WHERE old.settled IS NULL RETURNING 1;

-- engine/tables/step.sql.ts upsertSteps, the least
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker";

-- engine/tables/step.sql.ts upsertSteps, the least, 3.held = Statement
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker";

-- engine/tables/step.sql.ts upsertSteps, the least, 3.once = true
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker" WHERE old.settled IS NULL RETURNING 1;

-- engine/tables/step.sql.ts upsertSteps, the least, steps[].input = string
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", "durable_steps".input);

-- engine/tables/step.sql.ts selectHistories
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/tables/step.sql.ts selectWholeHistory
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM "durable_steps" WHERE run_id = $1;
-- "runId"

-- engine/tables/step.sql.ts selectStep
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = $1 AND seq = $2;
-- "runId"
-- 1

-- engine/tables/step.sql.ts selectRecorded
SELECT s.run_id, s.seq FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint)) AS p
    JOIN "durable_steps" AS s ON s.run_id = p.run_id AND s.seq = p.seq;
-- "[{"run_id":"runId-1","seq":1},{"run_id":"runId-2","seq":2}]"

-- engine/tables/step.sql.ts deleteHistories
DELETE FROM "durable_steps" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/tables/step.sql.ts selectAnswerable
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps"
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
