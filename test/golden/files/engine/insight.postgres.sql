-- engine/insight/insight.sql.ts selectAttempts
SELECT run_id, seq, attempt, started_at, finished_at, error FROM "durable_step_attempts"
  WHERE run_id = $1 ORDER BY run_id, seq, attempt;
-- "runId"

-- engine/insight/insight.sql.ts selectLines
SELECT seq, attempt, level, message, fields, logged_at FROM "durable_step_logs"
  WHERE run_id = $1 ORDER BY id LIMIT 20000;
-- "runId"

-- engine/insight/insight.sql.ts selectAttributes
SELECT run_id, name, type, text_value, number_value FROM "durable_run_attributes"
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY run_id, name;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/insight/insight.sql.ts selectChildren
SELECT "columns", parent_close FROM "durable_runs"
  WHERE parent_id = $1 ORDER BY created_at, id LIMIT 1;
-- "runId"

-- engine/insight/insight.sql.ts selectOpenRemotes
SELECT seq FROM "durable_steps"
  WHERE run_id = $1 AND kind = 'remote' AND settled IS NULL ORDER BY seq LIMIT 1000;
-- "runId"

-- engine/insight/insight.sql.ts selectTasks
SELECT step_id, seq, name, grp, attempt, claimed_by, claimed_at, created_at FROM "durable_transport_tasks"
  WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/insight/insight.sql.ts selectOpenWaits
SELECT w.seq, w.channel, w.deadline FROM (
    SELECT s.run_id, s.seq FROM "durable_steps" AS s
    WHERE s.run_id = $1 AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT 1000
  ) AS o JOIN "durable_signal_waits" AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
  ORDER BY w.seq, w.channel LIMIT 1000;
-- "runId"

-- engine/insight/insight.sql.ts selectAwaitedRuns
SELECT e.target_id AS id, r.status FROM "durable_run_dependencies" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.target_id
  WHERE e.run_id = $1 ORDER BY e.target_id LIMIT 1000;
-- "runId"

-- engine/insight/insight.sql.ts selectLimiters
SELECT e.holder, e.limiter, e.granted, e.turn, e.queued_at, e.limits, l.open_at
  FROM "durable_limiter_entries" AS e LEFT JOIN "durable_limiters" AS l ON l.limiter = e.limiter
  WHERE e.run_id = $1 ORDER BY e.queued_at, e.holder LIMIT 1000;
-- "runId"

-- engine/insight/insight.sql.ts countLimiter
SELECT (SELECT count(*) FROM (
    SELECT 1 AS found FROM "durable_limiter_entries" AS e WHERE e.limiter = $1 AND e.granted = 0 AND e.turn <= $2 AND (e.turn < $3 OR e.queued_at < $4 OR (e.queued_at = $5 AND e.holder < $6)) LIMIT 10000) AS c) AS ahead, (SELECT count(*) FROM (
    SELECT 1 AS found FROM "durable_limiter_entries" AS e WHERE e.limiter = $7 AND e.granted = 1 LIMIT 10000) AS c) AS holding;
-- "limiter"
-- 2
-- 2
-- 3
-- 3
-- "holder"
-- "limiter"

-- engine/insight/insight.sql.ts selectNodes
SELECT CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at,
    (SELECT max(o.expires_at) FROM "durable_nodes" AS o WHERE o.id = $1) AS alive_until,
    (SELECT count(*) FROM "durable_nodes" AS n WHERE n.namespace = $2 AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AS alive;
-- "owner"
-- "namespace"

-- engine/insight/listing.sql.ts countSource
SELECT count(*) AS found FROM ("ids" LIMIT 10001) AS c;

-- engine/insight/listing.sql.ts pageOfSource
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;
-- 5
-- 5
-- "id"
-- 2
-- 3
-- "namespace"
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "name-1"
-- "date"
-- 6
-- "date"
-- 7
-- "name-2"
-- "date"
-- 8
-- "date"
-- 9

-- engine/insight/listing.sql.ts pageOfSource, query.attributes = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[] = 1
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[] = 1
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "<="
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value <= $21 AND a.type = $22 AND a.number_value <= $23) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value <= $26 AND a.type = $27 AND a.number_value <= $28)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "="
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value = $21 AND a.type = $22 AND a.number_value = $23) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value = $26 AND a.type = $27 AND a.number_value = $28)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">"
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value > $21 AND a.type = $22 AND a.number_value > $23) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value > $26 AND a.type = $27 AND a.number_value > $28)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">="
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value >= $21 AND a.type = $22 AND a.number_value >= $23) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value >= $26 AND a.type = $27 AND a.number_value >= $28)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].value = number
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 9;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].value = string
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.text_value < $21 AND a.type = $22 AND a.text_value < $23) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.text_value < $26 AND a.type = $27 AND a.text_value < $28)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.blocked = false
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $15 AND a.type = $16 AND a.number_value < $17 AND a.type = $18 AND a.number_value < $19) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $20 AND a.type = $21 AND a.number_value < $22 AND a.type = $23 AND a.number_value < $24)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.createdBefore = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.namespace = $5 AND r."status" IN ($6, $7) AND r."reason" IN ($8, $9) AND r."reason" IN ($10, $11, $12, $13) AND r.workflow = $14 AND r.version = $15 AND r.parent_id = $16 AND r.schedule_id = $17 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 4;

-- engine/insight/listing.sql.ts pageOfSource, query.createdFrom = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at < $4 AND r.namespace = $5 AND r."status" IN ($6, $7) AND r."reason" IN ($8, $9) AND r."reason" IN ($10, $11, $12, $13) AND r.workflow = $14 AND r.version = $15 AND r.parent_id = $16 AND r.schedule_id = $17 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 4;

-- engine/insight/listing.sql.ts pageOfSource, query.order = "oldest"
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at >= $1 AND (r.created_at > $2 OR r.id > $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND r.schedule_id = $18 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28)
  ORDER BY r.created_at ASC, r.id ASC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.parentId = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.schedule_id = $17 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.past = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at >= $1 AND r.created_at < $2 AND r.namespace = $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $16 AND a.type = $17 AND a.number_value < $18 AND a.type = $19 AND a.number_value < $20) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $21 AND a.type = $22 AND a.number_value < $23 AND a.type = $24 AND a.number_value < $25)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.reason = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.scheduleId = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.version = $16 AND r.parent_id = $17 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.status = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."reason" IN ($7, $8) AND r."reason" IN ($9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.version = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.workflow = $15 AND r.parent_id = $16 AND r.schedule_id = $17 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 4;

-- engine/insight/listing.sql.ts pageOfSource, query.workflow = undefined
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.namespace = $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14) AND r.version = $15 AND r.parent_id = $16 AND r.schedule_id = $17 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, the least
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.attributes = readonly AttributeFilter[]
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.blocked = true
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1 AND r."reason" IN ($2, $3, $4, $5)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.createdBefore = number
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at < $1 AND r.namespace = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.createdFrom = number
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at >= $1 AND r.namespace = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.order = "oldest"
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1
  ORDER BY r.created_at ASC, r.id ASC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.parentId = string
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1 AND r.parent_id = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.past = ListPosition
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.namespace = $4
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.reason = readonly RunReason[]
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1 AND r."reason" IN ($2)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.scheduleId = string
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1 AND r.schedule_id = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.status = readonly RunStatus[]
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1 AND r."status" IN ($2)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.version = number
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1 AND r.version = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.workflow = string
SELECT r.id, r.created_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c
  JOIN "durable_runs" AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = $1 AND r.workflow = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfOrder
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at >= $27 AND r.created_at < $28
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;
-- "namespace"
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "name-1"
-- "date"
-- 7
-- "date"
-- 8
-- "name-2"
-- "date"
-- 9
-- "date"
-- 10
-- 5
-- 5
-- "id"
-- 2
-- 3

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $14 AND (r.created_at < $15 OR r.id < $16) AND r.created_at >= $17 AND r.created_at < $18
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[] = 1
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $19 AND (r.created_at < $20 OR r.id < $21) AND r.created_at >= $22 AND r.created_at < $23
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[] = 1
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $20 AND (r.created_at < $21 OR r.id < $22) AND r.created_at >= $23 AND r.created_at < $24
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "<="
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value <= $16 AND a.type = $17 AND a.number_value <= $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value <= $21 AND a.type = $22 AND a.number_value <= $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at >= $27 AND r.created_at < $28
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "="
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value = $16 AND a.type = $17 AND a.number_value = $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value = $21 AND a.type = $22 AND a.number_value = $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at >= $27 AND r.created_at < $28
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">"
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value > $16 AND a.type = $17 AND a.number_value > $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value > $21 AND a.type = $22 AND a.number_value > $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at >= $27 AND r.created_at < $28
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">="
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value >= $16 AND a.type = $17 AND a.number_value >= $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value >= $21 AND a.type = $22 AND a.number_value >= $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at >= $27 AND r.created_at < $28
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = number
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at >= $27 AND r.created_at < $28
    ORDER BY r.created_at DESC, r.id DESC LIMIT 10
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 9
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 9
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = string
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.text_value < $16 AND a.type = $17 AND a.text_value < $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.text_value < $21 AND a.type = $22 AND a.text_value < $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at >= $27 AND r.created_at < $28
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.blocked = false
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r.workflow = $6 AND r.version = $7 AND r.parent_id = $8 AND r.schedule_id = $9 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $10 AND a.type = $11 AND a.number_value < $12 AND a.type = $13 AND a.number_value < $14) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $15 AND a.type = $16 AND a.number_value < $17 AND a.type = $18 AND a.number_value < $19) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $20 AND (r.created_at < $21 OR r.id < $22) AND r.created_at >= $23 AND r.created_at < $24
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.createdBefore = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at >= $27
    ORDER BY r.created_at DESC, r.id DESC LIMIT 5
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 4
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 4
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.createdFrom = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $24 AND (r.created_at < $25 OR r.id < $26) AND r.created_at < $27
    ORDER BY r.created_at DESC, r.id DESC LIMIT 5
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 4
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 4
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at >= $24 AND (r.created_at > $25 OR r.id > $26) AND r.created_at >= $27 AND r.created_at < $28
    ORDER BY r.created_at ASC, r.id ASC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at ASC, id ASC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at ASC, id ASC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at ASC, u.id ASC;

-- engine/insight/listing.sql.ts pageOfOrder, query.parentId = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.schedule_id = $12 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $13 AND a.type = $14 AND a.number_value < $15 AND a.type = $16 AND a.number_value < $17) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $23 AND (r.created_at < $24 OR r.id < $25) AND r.created_at >= $26 AND r.created_at < $27
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.past = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND r.schedule_id = $13 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at >= $24 AND r.created_at < $25
    ORDER BY r.created_at DESC, r.id DESC LIMIT 5
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 4
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.reason = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5, $6, $7) AND r.workflow = $8 AND r.version = $9 AND r.parent_id = $10 AND r.schedule_id = $11 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $12 AND a.type = $13 AND a.number_value < $14 AND a.type = $15 AND a.number_value < $16) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $22 AND (r.created_at < $23 OR r.id < $24) AND r.created_at >= $25 AND r.created_at < $26
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.scheduleId = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.version = $11 AND r.parent_id = $12 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $13 AND a.type = $14 AND a.number_value < $15 AND a.type = $16 AND a.number_value < $17) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $23 AND (r.created_at < $24 OR r.id < $25) AND r.created_at >= $26 AND r.created_at < $27
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."reason" IN ($2, $3) AND r."reason" IN ($4, $5, $6, $7) AND r.workflow = $8 AND r.version = $9 AND r.parent_id = $10 AND r.schedule_id = $11 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $12 AND a.type = $13 AND a.number_value < $14 AND a.type = $15 AND a.number_value < $16) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $22 AND (r.created_at < $23 OR r.id < $24) AND r.created_at >= $25 AND r.created_at < $26
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.version = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.workflow = $10 AND r.parent_id = $11 AND r.schedule_id = $12 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $13 AND a.type = $14 AND a.number_value < $15 AND a.type = $16 AND a.number_value < $17) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $23 AND (r.created_at < $24 OR r.id < $25) AND r.created_at >= $26 AND r.created_at < $27
    ORDER BY r.created_at DESC, r.id DESC LIMIT 5
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 4
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 4
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.workflow = undefined
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2, $3) AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9) AND r.version = $10 AND r.parent_id = $11 AND r.schedule_id = $12 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $13 AND a.type = $14 AND a.number_value < $15 AND a.type = $16 AND a.number_value < $17) AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $23 AND (r.created_at < $24 OR r.id < $25) AND r.created_at >= $26 AND r.created_at < $27
    ORDER BY r.created_at DESC, r.id DESC LIMIT 6
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 5
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.attributes = readonly AttributeFilter[]
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.blocked = true
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."reason" IN ($2, $3, $4, $5) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.createdBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at < $2
    ORDER BY r.created_at DESC, r.id DESC LIMIT 3
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 2
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.createdFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at >= $2
    ORDER BY r.created_at DESC, r.id DESC LIMIT 3
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 2
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at ASC, r.id ASC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at ASC, id ASC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at ASC, id ASC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at ASC, u.id ASC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.parentId = string
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r.parent_id = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.past = ListPosition
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE r.created_at <= $2 AND (r.created_at < $3 OR r.id < $4)
    ORDER BY r.created_at DESC, r.id DESC LIMIT 3
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 2
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.reason = readonly RunReason[]
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."reason" IN ($2) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.scheduleId = string
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r.schedule_id = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.status = readonly RunStatus[]
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.version = number
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r.version = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 3
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 2
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.workflow = string
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = $1 AND r.workflow = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r  WHERE 1 = 1
    ORDER BY r.created_at DESC, r.id DESC LIMIT 2
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY created_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 1
    ) AS l
  ) AS u ORDER BY u.created_at DESC, u.id DESC;

-- engine/insight/sql-unfinished-runs.ts selectEndOfScan
SELECT s.id FROM "durable_runs" AS s WHERE s.id > $1 ORDER BY s.id LIMIT 1 OFFSET 0;
-- "afterId"

-- engine/insight/sql-unfinished-runs.ts selectUnfinished
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r
  WHERE r.id > $1 AND r.id <= $2
    AND r.namespace = $3 AND r.status NOT IN ($4, $5, $6, $7)
  ORDER BY r.id;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/insight/sql-unfinished-runs.ts selectUnfinished, end = undefined
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r
  WHERE r.id > $1 
    AND r.namespace = $2 AND r.status NOT IN ($3, $4, $5, $6)
  ORDER BY r.id;
