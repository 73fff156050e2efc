-- engine/insight/insight.sql.ts selectAttempts
SELECT run_id, seq, attempt, started_at, finished_at, error FROM `durable_step_attempts`
  WHERE run_id = ? ORDER BY run_id, seq, attempt;
-- "runId"

-- engine/insight/insight.sql.ts selectLines
SELECT seq, attempt, level, message, fields, logged_at FROM `durable_step_logs`
  WHERE run_id = ? ORDER BY id LIMIT 20000;
-- "runId"

-- engine/insight/insight.sql.ts selectAttributes
SELECT run_id, name, type, text_value, number_value FROM `durable_run_attributes`
  WHERE run_id IN (?, ?) ORDER BY run_id, name;
-- "runIds-1"
-- "runIds-2"

-- engine/insight/insight.sql.ts selectAttributes, runIds[] = 1
SELECT run_id, name, type, text_value, number_value FROM `durable_run_attributes`
  WHERE run_id IN (?) ORDER BY run_id, name;

-- engine/insight/insight.sql.ts selectChildren
SELECT `columns`, parent_close FROM `durable_runs`
  WHERE parent_id = ? ORDER BY created_at, id LIMIT 1;
-- "runId"

-- engine/insight/insight.sql.ts selectOpenRemotes
SELECT seq FROM `durable_steps`
  WHERE run_id = ? AND kind = 'remote' AND settled IS NULL ORDER BY seq LIMIT 1000;
-- "runId"

-- engine/insight/insight.sql.ts selectTasks
SELECT step_id, seq, name, grp, attempt, claimed_by, claimed_at, created_at FROM `durable_transport_tasks`
  WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- engine/insight/insight.sql.ts selectTasks, stepIds[] = 1
SELECT step_id, seq, name, grp, attempt, claimed_by, claimed_at, created_at FROM `durable_transport_tasks`
  WHERE step_id IN (?);

-- engine/insight/insight.sql.ts selectOpenWaits
SELECT w.seq, w.channel, w.deadline FROM (
    SELECT s.run_id, s.seq FROM `durable_steps` AS s
    WHERE s.run_id = ? AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT 1000
  ) AS o JOIN `durable_signal_waits` AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
  ORDER BY w.seq, w.channel LIMIT 1000;
-- "runId"

-- engine/insight/insight.sql.ts selectAwaitedRuns
SELECT e.target_id AS id, r.status FROM `durable_run_dependencies` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.target_id
  WHERE e.run_id = ? ORDER BY e.target_id LIMIT 1000;
-- "runId"

-- engine/insight/insight.sql.ts selectLimiters
SELECT e.holder, e.limiter, e.granted, e.turn, e.queued_at, e.limits, l.open_at
  FROM `durable_limiter_entries` AS e LEFT JOIN `durable_limiters` AS l ON l.limiter = e.limiter
  WHERE e.run_id = ? ORDER BY e.queued_at, e.holder LIMIT 1000;
-- "runId"

-- engine/insight/insight.sql.ts countLimiter
SELECT (SELECT count(*) FROM (
    SELECT 1 AS found FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 AND e.turn <= ? AND (e.turn < ? OR e.queued_at < ? OR (e.queued_at = ? AND e.holder < ?)) LIMIT 10000) AS c) AS ahead, (SELECT count(*) FROM (
    SELECT 1 AS found FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 1 LIMIT 10000) AS c) AS holding;
-- "limiter"
-- 2
-- 2
-- 3
-- 3
-- "holder"
-- "limiter"

-- engine/insight/insight.sql.ts selectNodes
SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at,
    (SELECT max(o.expires_at) FROM `durable_nodes` AS o WHERE o.id = ?) AS alive_until,
    (SELECT count(*) FROM `durable_nodes` AS n WHERE n.namespace = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) AS alive;
-- "owner"
-- "namespace"

-- engine/insight/listing.sql.ts countSource
SELECT count(*) AS found FROM (`ids` LIMIT 10001) AS c;

-- engine/insight/listing.sql.ts pageOfSource
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
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
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[] = 1
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[] = 1
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "<="
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "="
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">"
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">="
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].value = number
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 9;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].value = string
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.blocked = false
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.createdBefore = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 4;

-- engine/insight/listing.sql.ts pageOfSource, query.createdFrom = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 4;

-- engine/insight/listing.sql.ts pageOfSource, query.order = "oldest"
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at ASC, r.id ASC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.parentId = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.past = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.reason = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.scheduleId = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.status = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, query.version = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 4;

-- engine/insight/listing.sql.ts pageOfSource, query.workflow = undefined
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 5;

-- engine/insight/listing.sql.ts pageOfSource, the least
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.attributes = readonly AttributeFilter[]
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.blocked = true
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.`reason` IN (?, ?, ?, ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.createdBefore = number
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at < ? AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.createdFrom = number
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at >= ? AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.order = "oldest"
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ?
  ORDER BY r.created_at ASC, r.id ASC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.parentId = string
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.parent_id = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.past = ListPosition
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.reason = readonly RunReason[]
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.`reason` IN (?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.scheduleId = string
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.schedule_id = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.status = readonly RunStatus[]
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.`status` IN (?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.version = number
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.version = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.workflow = string
SELECT r.id, r.created_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c
  JOIN `durable_runs` AS r ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.workflow = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfOrder
WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`reason` IN (?, ?, ?, ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at < ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at >= ?
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.parent_id = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?)
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`reason` IN (?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.schedule_id = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.`status` IN (?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.version = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
    SELECT r.id, r.created_at, CASE WHEN r.namespace = ? AND r.workflow = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`) WHERE 1 = 1
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
SELECT s.id FROM `durable_runs` AS s WHERE s.id > ? ORDER BY s.id LIMIT 1 OFFSET 0;
-- "afterId"

-- engine/insight/sql-unfinished-runs.ts selectUnfinished
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r
  WHERE r.id > ? AND r.id <= ?
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?)
  ORDER BY r.id;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/insight/sql-unfinished-runs.ts selectUnfinished, end = undefined
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r
  WHERE r.id > ? 
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?)
  ORDER BY r.id;
