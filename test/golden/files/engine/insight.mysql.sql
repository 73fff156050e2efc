-- engine/insight/fleet.sql.ts countSourceByStatus
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 9
-- "date"
-- 10
-- "name-2"
-- "date"
-- 11
-- "date"
-- 12

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = "<="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = "="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = ">"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = ">="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].value = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 13) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].value = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.blocked = false
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.createdBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.createdFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.namespace = ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.endedBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.endedFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.idPrefix = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.order = "newest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? AND r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.order = "oldest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? AND r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.parentId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.past = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.reason = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.scheduleId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.status = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.version = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "limiter"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "retry"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "run"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "signal"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "task"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "timer"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.workflow = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.attributes = readonly AttributeFilter[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.blocked = true
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.`reason` IN (?, ?, ?, ?, ?) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.createdBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at < ? AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.createdFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at >= ? AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.endedBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at < ? AND r.namespace = ? AND r.finished_at < ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.endedFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.finished_at >= ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.idPrefix = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.id >= ? AND r.id < ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.order = "ended"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at IS NOT NULL AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.parentId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.parent_id = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.past = ListPosition
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.reason = readonly RunReason[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.`reason` IN (?) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.scheduleId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.schedule_id = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.status = readonly RunStatus[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.`status` IN (?) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.version = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.version = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.workflow = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.workflow = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 8
-- "date"
-- 9
-- "name-2"
-- "date"
-- 10
-- "date"
-- 11
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = "<="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = "="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = ">"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = ">="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].value = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.blocked = false
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.createdBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.createdFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.endedBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.endedFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.idPrefix = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.order = "newest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.order = "oldest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.parentId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.past = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.reason = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.scheduleId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.status = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.version = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "limiter"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "retry"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "run"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "signal"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "task"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "timer"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.workflow = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.attributes = readonly AttributeFilter[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.blocked = true
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.`reason` IN (?, ?, ?, ?, ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.createdBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.createdFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.endedBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at < ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.endedFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at >= ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.idPrefix = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.id >= ? AND r.id < ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.order = "ended"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at IS NOT NULL ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.parentId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.parent_id = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.past = ListPosition
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.reason = readonly RunReason[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.`reason` IN (?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.scheduleId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.schedule_id = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.status = readonly RunStatus[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.`status` IN (?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.version = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.version = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.workflow = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.workflow = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countIndexed
SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c;
-- "namespace"
-- "namespace"

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "compensating"
SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "compensation_failed"
SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "completed"
SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "failed"
SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "pending"
SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "running"
SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s WHERE s.namespace = ? AND s.owner IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s WHERE s.namespace = ? AND s.owner IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "suspended"
SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least
SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "cancelled"
SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "compensating"
SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "compensation_failed"
SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "completed"
SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "failed"
SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "pending"
SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "running"
SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s WHERE s.namespace = ? AND s.owner IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countBlocked
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
    WHERE r.namespace = ? AND r.reason = ? AND (r.workflow > ? OR (r.workflow = ? AND r.version > ?))
    ORDER BY r.workflow, r.version LIMIT 3
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;
-- "namespace"
-- "exhausted"
-- "workflow"
-- "workflow"
-- 1

-- engine/insight/fleet.sql.ts countBlocked, 3.after = undefined
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
    WHERE r.namespace = ? AND r.reason = ? 
    ORDER BY r.workflow, r.version LIMIT 2
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/insight/fleet.sql.ts countBlocked, 3.reason = undefined
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
    WHERE r.namespace = ? AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?, ?, ?) AND (r.workflow > ? OR (r.workflow = ? AND r.version > ?))
    ORDER BY r.workflow, r.version LIMIT 3
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/insight/fleet.sql.ts countBlocked, the least
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
    WHERE r.namespace = ? AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?, ?, ?) 
    ORDER BY r.workflow, r.version LIMIT 2
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/insight/fleet.sql.ts selectLimitersInUse
SELECT e.limiter FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_queue`)
      WHERE e.limiter > _utf8mb4 0x31 GROUP BY e.limiter ORDER BY e.limiter LIMIT 2;

-- engine/insight/fleet.sql.ts selectLimiterUse
(
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM `durable_limiter_entries` AS e WHERE e.limiter = ? ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM `durable_limiters` AS l WHERE l.limiter = ? AND l.namespace = ?) UNION ALL (
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM `durable_limiter_entries` AS e WHERE e.limiter = ? ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM `durable_limiters` AS l WHERE l.limiter = ? AND l.namespace = ?);
-- "limiters-1"
-- "limiters-1"
-- "limiters-1"
-- "limiters-1"
-- "limiters-1"
-- "namespace"
-- "limiters-2"
-- "limiters-2"
-- "limiters-2"
-- "limiters-2"
-- "limiters-2"
-- "namespace"

-- engine/insight/fleet.sql.ts selectLimiterUse, limiters[] = 1
(
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM `durable_limiter_entries` AS e WHERE e.limiter = ? ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM `durable_limiters` AS l WHERE l.limiter = ? AND l.namespace = ?);

-- engine/insight/fleet.sql.ts selectLimiterUsers
SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM ((
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1)) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder;
-- "limiters-1"
-- "limiters-1"
-- "limiters-2"
-- "limiters-2"

-- engine/insight/fleet.sql.ts selectLimiterUsers, limiters[] = 1
SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM ((
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1)) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder;

-- engine/insight/insight.sql.ts selectAttempts
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM `durable_step_attempts`
  WHERE run_id = ? AND seq IN (?, ?)
  ORDER BY run_id, seq, attempt LIMIT 20000;
-- "runId"
-- 1
-- 2

-- engine/insight/insight.sql.ts selectAttempts, seqs = undefined
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM `durable_step_attempts`
  WHERE run_id = ? 
  ORDER BY run_id, seq, attempt LIMIT 20000;

-- engine/insight/insight.sql.ts selectAttempts, seqs[] = 1
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM `durable_step_attempts`
  WHERE run_id = ? AND seq IN (?)
  ORDER BY run_id, seq, attempt LIMIT 20000;

-- engine/insight/insight.sql.ts selectLines
SELECT seq, attempt, level, message, fields, logged_at FROM `durable_step_logs`
  WHERE run_id = ? AND seq = ? ORDER BY run_id, id LIMIT 20000;
-- "runId"
-- 1

-- engine/insight/insight.sql.ts selectLines, seq = undefined
SELECT seq, attempt, level, message, fields, logged_at FROM `durable_step_logs`
  WHERE run_id = ?  ORDER BY run_id, id LIMIT 20000;

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

-- engine/insight/listing-filters.sql.ts fits
a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?;
-- "name"
-- "date"
-- 1
-- "date"
-- 2

-- engine/insight/listing-filters.sql.ts fits, 1.compare[] = 1
a.name = ? AND a.type = ? AND a.number_value < ?;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].how = "<="
a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ?;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].how = "="
a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ?;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].how = ">"
a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ?;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].how = ">="
a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ?;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].value = string
a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ?;

-- engine/insight/listing-filters.sql.ts fits, the least
a.name = ? AND a.type = ? AND a.number_value >= ?;

-- engine/insight/listing-filters.sql.ts fits, the least, 1.compare[].how = "<="
a.name = ? AND a.type = ? AND a.number_value <= ?;

-- engine/insight/listing-filters.sql.ts fits, the least, 1.compare[].how = "="
a.name = ? AND a.type = ? AND a.number_value = ?;

-- engine/insight/listing-filters.sql.ts fits, the least, 1.compare[].how = ">"
a.name = ? AND a.type = ? AND a.number_value > ?;

-- engine/insight/listing-filters.sql.ts fits, the least, 1.compare[].value = string
a.name = ? AND a.type = ? AND a.text_value >= ?;

-- engine/insight/listing-filters.sql.ts rangeOf
r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?;
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998

-- engine/insight/listing-filters.sql.ts rangeOf, query.createdFrom = undefined
r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ?;

-- engine/insight/listing-filters.sql.ts rangeOf, query.endedBefore = undefined
r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ?;

-- engine/insight/listing-filters.sql.ts rangeOf, query.endedFrom = undefined
r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ?;

-- engine/insight/listing-filters.sql.ts rangeOf, query.order = "newest"
r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ?;

-- engine/insight/listing-filters.sql.ts rangeOf, query.order = "oldest"
r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ?;

-- engine/insight/listing-filters.sql.ts rangeOf, query.past = undefined
r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?;

-- engine/insight/listing-filters.sql.ts rangeOf, the least
1 = 1;

-- engine/insight/listing-filters.sql.ts rangeOf, the least, query.createdBefore = number
r.created_at < ?;

-- engine/insight/listing-filters.sql.ts rangeOf, the least, query.createdFrom = number
r.created_at >= ?;

-- engine/insight/listing-filters.sql.ts rangeOf, the least, query.order = "ended"
r.finished_at IS NOT NULL;

-- engine/insight/listing-filters.sql.ts rangeOf, the least, query.past = ListPosition
r.created_at <= ? AND (r.created_at < ? OR r.id < ?);

-- engine/insight/listing-filters.sql.ts endedIn
alias.finished_at >= ?;
alias.finished_at < ?;
-- 4
-- 5

-- engine/insight/listing-filters.sql.ts endedIn, 1.endedBefore = undefined
alias.finished_at >= ?;

-- engine/insight/listing-filters.sql.ts endedIn, 1.endedFrom = undefined
alias.finished_at < ?;

-- engine/insight/listing-filters.sql.ts beginsWith
alias.id >= ? AND alias.id < ?;
-- "prefix"
-- "prefiy"

-- engine/insight/listing-filters.sql.ts filterOf
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 8
-- "date"
-- 9
-- "name-2"
-- "date"
-- 10
-- "date"
-- 11

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[] = 1
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[] = 1
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].how = "<="
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].how = "="
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].how = ">"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].how = ">="
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].value = string
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.blocked = false
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.createdBefore = undefined
r.namespace = ? AND r.created_at >= ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.createdFrom = undefined
r.namespace = ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.idPrefix = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.order = "newest"
r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.parentId = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.reason = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.scheduleId = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.status = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.version = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1;

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "limiter"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "retry"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "run"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs');

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "signal"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "task"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "timer"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.workflow = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, the least
r.namespace = ?;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.attributes = readonly AttributeFilter[]
r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.blocked = true
r.namespace = ? AND r.`reason` IN (?, ?, ?, ?, ?);

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.endedBefore = number
r.namespace = ? AND r.finished_at < ?;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.endedFrom = number
r.namespace = ? AND r.finished_at >= ?;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.idPrefix = string
r.namespace = ? AND r.id >= ? AND r.id < ?;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.parentId = string
r.namespace = ? AND r.parent_id = ?;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.reason = readonly RunReason[]
r.namespace = ? AND r.`reason` IN (?);

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.scheduleId = string
r.namespace = ? AND r.schedule_id = ?;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.status = readonly RunStatus[]
r.namespace = ? AND r.`status` IN (?);

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.version = number
r.namespace = ? AND r.version = ?;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.workflow = string
r.namespace = ? AND r.workflow = ?;

-- engine/insight/listing.sql.ts countSource
SELECT count(*) AS found FROM (`ids` LIMIT 10001) AS c;

-- engine/insight/listing.sql.ts runsOf
(`ids` LIMIT 1) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id;

-- engine/insight/listing.sql.ts pageOfSource
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 8
-- "date"
-- 9
-- "name-2"
-- "date"
-- 10
-- "date"
-- 11

-- engine/insight/listing.sql.ts pageOfSource, query.attributes = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[] = 1
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[] = 1
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "<="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].value = number
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 11;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].value = string
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.blocked = false
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.createdBefore = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.createdFrom = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.namespace = ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.endedBefore = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.endedFrom = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.idPrefix = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.order = "newest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? AND r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.order = "oldest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? AND r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.created_at ASC, r.id ASC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.parentId = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.past = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.reason = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.scheduleId = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.status = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.version = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "limiter"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "retry"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "run"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs')
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "signal"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "task"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "timer"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.workflow = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, the least
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.attributes = readonly AttributeFilter[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.blocked = true
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.`reason` IN (?, ?, ?, ?, ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.createdBefore = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at < ? AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.createdFrom = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at >= ? AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.endedBefore = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at < ? AND r.namespace = ? AND r.finished_at < ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.endedFrom = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.finished_at >= ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.idPrefix = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.id >= ? AND r.id < ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.order = "ended"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at IS NOT NULL AND r.namespace = ?
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.order = "oldest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ?
  ORDER BY r.created_at ASC, r.id ASC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.parentId = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.parent_id = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.past = ListPosition
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.reason = readonly RunReason[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.`reason` IN (?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.scheduleId = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.schedule_id = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.status = readonly RunStatus[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.`status` IN (?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.version = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.version = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.workflow = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.workflow = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfOrder
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 9
-- "date"
-- 10
-- "name-2"
-- "date"
-- 11
-- "date"
-- 12
-- "namespace"
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[] = 1
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[] = 1
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "<="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = number
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 12)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 12) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 11
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = string
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.blocked = false
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.createdBefore = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.createdFrom = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.endedBefore = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.endedFrom = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.idPrefix = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.order = "newest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 8)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? ORDER BY r.created_at ASC, r.id ASC LIMIT 8)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at ASC, id ASC LIMIT 7
    ) AS f
    UNION ALL SELECT max(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at ASC, u.id ASC;

-- engine/insight/listing.sql.ts pageOfOrder, query.parentId = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.past = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.reason = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.scheduleId = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'completed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'failed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'compensation_failed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status[] = "compensating"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM () AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status[] = "compensation_failed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'compensation_failed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status[] = "completed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'completed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status[] = "failed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'failed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.version = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "limiter"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "retry"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "run"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "signal"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "task"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "timer"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.workflow = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.`status` IN (?, ?) AND r.`reason` IN (?, ?) AND r.`reason` IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.attributes = readonly AttributeFilter[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.blocked = true
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.`reason` IN (?, ?, ?, ?, ?) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.createdBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.createdFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.endedBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at < ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.endedFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at >= ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.idPrefix = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.id >= ? AND r.id < ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.order = "ended"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'completed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'failed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'compensation_failed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 2) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at ASC, r.id ASC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at ASC, id ASC LIMIT 2
    ) AS f
    UNION ALL SELECT max(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at ASC, u.id ASC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.parentId = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.parent_id = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.past = ListPosition
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.reason = readonly RunReason[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.`reason` IN (?) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.scheduleId = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.schedule_id = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.status = readonly RunStatus[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.`status` IN (?) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.version = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.version = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.workflow = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.workflow = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/overdue-runs.sql.ts selectNextKinds
SELECT n.workflow, n.version FROM ((SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version > ?
      ORDER BY r.version LIMIT 1) UNION (SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow > ? ORDER BY r.workflow, r.version LIMIT 1) UNION (SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version > ?
      ORDER BY r.version LIMIT 1) UNION (SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow > ? ORDER BY r.workflow, r.version LIMIT 1)) AS n;
-- "namespace"
-- "workflow-1"
-- 1
-- "namespace"
-- "workflow-1"
-- "namespace"
-- "workflow-2"
-- 2
-- "namespace"
-- "workflow-2"

-- engine/insight/overdue-runs.sql.ts selectNextKinds, after[] = 1
SELECT n.workflow, n.version FROM ((SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version > ?
      ORDER BY r.version LIMIT 1) UNION (SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow > ? ORDER BY r.workflow, r.version LIMIT 1)) AS n;

-- engine/insight/overdue-runs.sql.ts selectOverdueOf
SELECT f.workflow, f.version, min(f.since) AS since FROM ((SELECT r.workflow, r.version, r.wake_at AS since 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.wake_at IS NOT NULL ORDER BY r.wake_at LIMIT 1) UNION ALL (SELECT r.workflow, r.version, r.created_at AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.turn IS NOT NULL ORDER BY r.turn LIMIT 1) UNION ALL (SELECT r.workflow, r.version, r.wake_at AS since 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.wake_at IS NOT NULL ORDER BY r.wake_at LIMIT 1) UNION ALL (SELECT r.workflow, r.version, r.created_at AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.turn IS NOT NULL ORDER BY r.turn LIMIT 1)) AS f
  WHERE f.since <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 GROUP BY f.workflow, f.version;
-- "namespace"
-- "workflow-1"
-- 1
-- "namespace"
-- "workflow-1"
-- 1
-- "namespace"
-- "workflow-2"
-- 2
-- "namespace"
-- "workflow-2"
-- 2

-- engine/insight/overdue-runs.sql.ts selectOverdueOf, kinds[] = 1
SELECT f.workflow, f.version, min(f.since) AS since FROM ((SELECT r.workflow, r.version, r.wake_at AS since 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.wake_at IS NOT NULL ORDER BY r.wake_at LIMIT 1) UNION ALL (SELECT r.workflow, r.version, r.created_at AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.turn IS NOT NULL ORDER BY r.turn LIMIT 1)) AS f
  WHERE f.since <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 2 GROUP BY f.workflow, f.version;

-- engine/insight/signals-in-sight.sql.ts selectUntaken
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_order`)
      WHERE s.channel = ? AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_unfiled`)
      WHERE s.channel = ? AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = ? AND n.addressed = 'key' AND n.target = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;
-- "channel"
-- "channel"
-- "name"
-- "key"

-- engine/insight/signals-in-sight.sql.ts selectUntaken, source.channel = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_target`)
      WHERE s.target = ? AND s.addressed = 'run' AND s.namespace = ?  LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = ? AND n.addressed = 'key' AND n.target = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, source.key = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_order`)
      WHERE s.channel = ? AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_unfiled`)
      WHERE s.channel = ? AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, source.name = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_order`)
      WHERE s.channel = ? AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_unfiled`)
      WHERE s.channel = ? AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.addressed = 'key' AND n.target = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least, source.channel = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_order`)
      WHERE s.channel = ? AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_unfiled`)
      WHERE s.channel = ? AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least, source.key = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.addressed = 'key' AND n.target = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least, source.name = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least, source.run = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_target`)
      WHERE s.target = ? AND s.addressed = 'run' AND s.namespace = ?  LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts countListening
SELECT w.channel, count(*) AS waits FROM `durable_signal_waits` AS w WHERE w.channel IN (?, ?) GROUP BY w.channel;
-- "channels-1"
-- "channels-2"

-- engine/insight/signals-in-sight.sql.ts countListening, channels[] = 1
SELECT w.channel, count(*) AS waits FROM `durable_signal_waits` AS w WHERE w.channel IN (?) GROUP BY w.channel;

-- engine/insight/signals-in-sight.sql.ts selectSignalWaits
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (
    SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM (
      SELECT s.run_id, s.seq FROM `durable_steps` AS s
      WHERE s.run_id = ? AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT 1000
    ) AS o JOIN `durable_signal_waits` AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
    WHERE w.channel > ? OR (w.channel = ? AND w.step_id > ?) ORDER BY w.channel, w.step_id LIMIT 1) AS w
  LEFT JOIN `durable_steps` AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN `durable_runs` AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;
-- "run"
-- "channel"
-- "channel"
-- "stepId"

-- engine/insight/signals-in-sight.sql.ts selectSignalWaits, source.run = undefined
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM `durable_signal_waits` AS w FORCE INDEX (`PRIMARY`) WHERE w.channel = ? AND w.step_id > ? ORDER BY w.step_id LIMIT 1) AS w
  LEFT JOIN `durable_steps` AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN `durable_runs` AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;

-- engine/insight/signals-in-sight.sql.ts selectSignalWaits, the least
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (
    SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM (
      (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM `durable_signal_waits` AS w FORCE INDEX (`PRIMARY`) WHERE w.channel = ? AND w.step_id > ? ORDER BY w.step_id LIMIT 1) UNION ALL
      (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM `durable_signal_waits` AS w FORCE INDEX (`PRIMARY`) WHERE w.channel > ? ORDER BY w.channel, w.step_id LIMIT 1)
    ) AS w ORDER BY w.channel, w.step_id LIMIT 1) AS w
  LEFT JOIN `durable_steps` AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN `durable_runs` AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;

-- engine/insight/sql-story.ts selectStoryMoments
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?, ?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?, ?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?, ?)
    AND g.position IN (?, ?) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;
-- "[{"run_id":"runIds-1","run":0},{"run_id":"runIds-2","run":1}]"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "[{"run":6,"channel":"channel-1","position":7},{"run":8,"channel":"channel-2","position":9}]"
-- "channel-1"
-- "channel-2"
-- 7
-- 9
-- 1
-- 2
-- 3
-- 4
-- "0"

-- engine/insight/sql-story.ts selectStoryMoments, 2.past = undefined
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?, ?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?, ?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?, ?)
    AND g.position IN (?, ?) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/insight/sql-story.ts selectStoryMoments, 2.runIds[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?, ?)
    AND g.position IN (?, ?) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- engine/insight/sql-story.ts selectStoryMoments, taken[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?, ?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?, ?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?)
    AND g.position IN (?) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- engine/insight/sql-story.ts selectStoryMoments, the least
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?)
    AND g.position IN (?) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/insight/sql-story.ts selectStoryMoments, the least, 2.past = Moment
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?)
    AND g.position IN (?) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- engine/insight/sql-story.ts selectStoryMoments, the least, 2.runIds[] = 2
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?, ?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?, ?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?)
    AND g.position IN (?) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/insight/sql-story.ts selectStoryMoments, the least, taken[] = 2
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?, ?)
    AND g.position IN (?, ?) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/insight/sql-story.ts selectStoryRuns
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM `durable_steps` AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM `durable_step_attempts` AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b WHERE b.id IN (?, ?)) AS r ORDER BY r.id;
-- "runIds-1"
-- "runIds-2"

-- engine/insight/sql-story.ts selectStoryRuns, runIds[] = 1
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM `durable_steps` AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM `durable_step_attempts` AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b WHERE b.id IN (?)) AS r ORDER BY r.id;

-- engine/insight/sql-story.ts selectStoryChildren
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM `durable_steps` AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM `durable_step_attempts` AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM ((
    SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b FORCE INDEX (`durable_runs_parent`)
    WHERE b.parent_id = ? AND b.namespace = ? ORDER BY b.id LIMIT 1) UNION ALL (
    SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b FORCE INDEX (`durable_runs_parent`)
    WHERE b.parent_id = ? AND b.namespace = ? ORDER BY b.id LIMIT 1)) AS b ORDER BY b.id LIMIT 1) AS r ORDER BY r.id;
-- "parentIds-1"
-- "namespace"
-- "parentIds-2"
-- "namespace"

-- engine/insight/sql-story.ts selectStoryChildren, 2.parentIds[] = 1
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM `durable_steps` AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM `durable_step_attempts` AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM ((
    SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b FORCE INDEX (`durable_runs_parent`)
    WHERE b.parent_id = ? AND b.namespace = ? ORDER BY b.id LIMIT 1)) AS b ORDER BY b.id LIMIT 1) AS r ORDER BY r.id;

-- engine/insight/sql-story.ts selectTakenRefs
SELECT s.run_id, s.ref FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND s.kind = 'signal' AND s.ref IS NOT NULL
  ORDER BY s.run_id, s.seq LIMIT 10000;
-- "runIds-1"
-- "runIds-2"

-- engine/insight/sql-story.ts selectTakenRefs, runIds[] = 1
SELECT s.run_id, s.ref FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND s.kind = 'signal' AND s.ref IS NOT NULL
  ORDER BY s.run_id, s.seq LIMIT 10000;

-- engine/insight/sql-story.ts selectStorySteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, s.output AS output FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_steps` AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id IN (?, ?)
    AND s.seq >= 1 AND s.seq <= 2;
-- "[{"of_run":"runId-1","at_seq":1},{"of_run":"runId-2","at_seq":2}]"
-- "runId-1"
-- "runId-2"

-- engine/insight/sql-story.ts selectStorySteps, keys[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, s.output AS output FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_steps` AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id IN (?)
    AND s.seq >= 1 AND s.seq <= 1;

-- engine/insight/sql-story.ts selectStorySteps, payloads = false
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, CASE WHEN (s.kind = 'marker' AND s.ref = 'publish') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END AS output FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_steps` AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id IN (?, ?)
    AND s.seq >= 1 AND s.seq <= 2;

-- engine/insight/sql-story.ts selectStorySteps, the least
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, CASE WHEN (s.kind = 'marker' AND s.ref = 'publish') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END AS output FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_steps` AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id IN (?)
    AND s.seq >= 1 AND s.seq <= 1;

-- engine/insight/sql-story.ts selectStoryAttempts
SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_step_attempts` AS a ON a.run_id = k.of_run AND a.seq = k.at_seq
  WHERE a.run_id IN (?, ?)
    AND a.seq >= 1 AND a.seq <= 2;
-- "[{"of_run":"runId-1","at_seq":1},{"of_run":"runId-2","at_seq":2}]"
-- "runId-1"
-- "runId-2"

-- engine/insight/sql-story.ts selectStoryAttempts, keys[] = 1
SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_step_attempts` AS a ON a.run_id = k.of_run AND a.seq = k.at_seq
  WHERE a.run_id IN (?)
    AND a.seq >= 1 AND a.seq <= 1;

-- engine/insight/sql-story.ts selectStorySignals
SELECT g.id, g.name, g.addressed, g.target, g.payload AS payload FROM `durable_signals` AS g
  WHERE g.id IN (?, ?);
-- 1
-- 2

-- engine/insight/sql-story.ts selectStorySignals, ids[] = 1
SELECT g.id, g.name, g.addressed, g.target, g.payload AS payload FROM `durable_signals` AS g
  WHERE g.id IN (?);

-- engine/insight/sql-story.ts selectStorySignals, payloads = false
SELECT g.id, g.name, g.addressed, g.target, NULL AS payload FROM `durable_signals` AS g
  WHERE g.id IN (?, ?);

-- engine/insight/sql-story.ts selectStorySignals, the least
SELECT g.id, g.name, g.addressed, g.target, NULL AS payload FROM `durable_signals` AS g
  WHERE g.id IN (?);

-- engine/insight/sql-unfinished-runs.ts selectEndOfScan
SELECT s.id FROM `durable_runs` AS s WHERE s.id > ? ORDER BY s.id LIMIT 1 OFFSET 0;
-- "afterId"

-- engine/insight/sql-unfinished-runs.ts selectUnfinished
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r
  WHERE r.id > ? AND r.id <= ?
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?) ORDER BY r.id;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/insight/sql-unfinished-runs.ts selectUnfinished, end = undefined
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r
  WHERE r.id > ? 
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?) ORDER BY r.id;

-- engine/insight/sql-unfinished-runs.ts countUnfinished
SELECT r.workflow, r.version, count(*) AS runs FROM `durable_runs` AS r
  WHERE r.id > ? AND r.id <= ?
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?) GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/insight/sql-unfinished-runs.ts countUnfinished, end = undefined
SELECT r.workflow, r.version, count(*) AS runs FROM `durable_runs` AS r
  WHERE r.id > ? 
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?) GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version;

-- engine/insight/step-reads.sql.ts selectClaimed
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r WHERE r.id = ?;
-- "runId"

-- engine/insight/step-reads.sql.ts selectFirstSeq
SELECT first_seq FROM `durable_runs` WHERE id = ?;
-- "runId"

-- engine/insight/step-reads.sql.ts selectFacts
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id = ? AND seq > ? ORDER BY run_id, seq LIMIT 2;
-- "runId"
-- 1

-- engine/insight/step-reads.sql.ts selectPart
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM `durable_steps` WHERE run_id = ? AND seq > ? ORDER BY run_id, seq LIMIT 2;
-- "runId"
-- 1

-- engine/insight/step-reads.sql.ts selectSettledAfter
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps`
  WHERE run_id = ? AND settled > ? ORDER BY settled LIMIT 2;
-- "runId"
-- 1

-- engine/insight/step-reads.sql.ts selectOpen
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id = ? AND settled IS NULL AND kind <> 'marker'
  ORDER BY COALESCE(asked_at, created_at) DESC, seq DESC LIMIT 1;
-- "runId"

-- engine/insight/step-reads.sql.ts selectLastSettled
SELECT COALESCE(MAX(settled), 0) AS settled FROM `durable_steps` WHERE run_id = ?;
-- "runId"

-- engine/insight/step-reads.sql.ts countLines
SELECT l.seq, count(*) AS line_count
  FROM (SELECT seq FROM `durable_step_logs` WHERE run_id = ? ORDER BY run_id, id LIMIT 3) AS l
  WHERE l.seq >= ? AND l.seq <= ? GROUP BY l.seq;
-- "runId"
-- 1
-- 2
