-- engine/insight/fleet.sql.ts countSourceByStatus
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
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
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = "<="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value <= $27 AND a.type = $28 AND a.number_value <= $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value <= $32 AND a.type = $33 AND a.number_value <= $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = "="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value = $27 AND a.type = $28 AND a.number_value = $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value = $32 AND a.type = $33 AND a.number_value = $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = ">"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value > $27 AND a.type = $28 AND a.number_value > $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value > $32 AND a.type = $33 AND a.number_value > $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = ">="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value >= $27 AND a.type = $28 AND a.number_value >= $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value >= $32 AND a.type = $33 AND a.number_value >= $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].value = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 13) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].value = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.text_value < $27 AND a.type = $28 AND a.text_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.text_value < $32 AND a.type = $33 AND a.text_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.blocked = false
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r.workflow = $14 AND r.version = $15 AND r.parent_id = $16 AND r.schedule_id = $17 AND r.id >= $18 AND r.id < $19 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $20 AND a.type = $21 AND a.number_value < $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.createdBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r."status" IN ($9, $10) AND r."reason" IN ($11, $12) AND r."reason" IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.createdFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.namespace = $6 AND r.created_at < $7 AND r."status" IN ($8, $9) AND r."reason" IN ($10, $11) AND r."reason" IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.endedBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at >= $5 AND r.namespace = $6 AND r.created_at >= $7 AND r.created_at < $8 AND r."status" IN ($9, $10) AND r."reason" IN ($11, $12) AND r."reason" IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.endedFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at < $4 AND r.finished_at >= $5 AND r.namespace = $6 AND r.created_at >= $7 AND r.created_at < $8 AND r."status" IN ($9, $10) AND r."reason" IN ($11, $12) AND r."reason" IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.idPrefix = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.order = "newest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6 AND r.namespace = $7 AND r.finished_at >= $8 AND r.finished_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.order = "oldest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at >= $1 AND (r.created_at > $2 OR r.id > $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6 AND r.namespace = $7 AND r.finished_at >= $8 AND r.finished_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.parentId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.past = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at IS NOT NULL AND r.finished_at >= $1 AND r.finished_at < $2 AND r.finished_at >= $3 AND r.namespace = $4 AND r.created_at >= $5 AND r.created_at < $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14, $15) AND r.workflow = $16 AND r.version = $17 AND r.parent_id = $18 AND r.schedule_id = $19 AND r.id >= $20 AND r.id < $21 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $27 AND a.type = $28 AND a.number_value < $29 AND a.type = $30 AND a.number_value < $31 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.reason = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.scheduleId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.status = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."reason" IN ($10, $11) AND r."reason" IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.version = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "limiter"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "retry"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "run"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "signal"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "task"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "timer"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, query.workflow = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.attributes = readonly AttributeFilter[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.blocked = true
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r."reason" IN ($2, $3, $4, $5, $6) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.createdBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at < $1 AND r.namespace = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.createdFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at >= $1 AND r.namespace = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.endedBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at < $1 AND r.namespace = $2 AND r.finished_at < $3 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.endedFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.finished_at >= $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.idPrefix = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.id >= $2 AND r.id < $3 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.order = "ended"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at IS NOT NULL AND r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.parentId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.parent_id = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.past = ListPosition
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.namespace = $4 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.reason = readonly RunReason[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r."reason" IN ($2) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.scheduleId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.schedule_id = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.status = readonly RunStatus[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r."status" IN ($2) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.version = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.version = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countSourceByStatus, the least, query.workflow = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.workflow = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
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
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $19 AND (r.finished_at < $20 OR r.id < $21) AND r.finished_at IS NOT NULL AND r.finished_at >= $22 AND r.finished_at < $23 AND r.finished_at >= $24 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $24 AND (r.finished_at < $25 OR r.id < $26) AND r.finished_at IS NOT NULL AND r.finished_at >= $27 AND r.finished_at < $28 AND r.finished_at >= $29 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $25 AND (r.finished_at < $26 OR r.id < $27) AND r.finished_at IS NOT NULL AND r.finished_at >= $28 AND r.finished_at < $29 AND r.finished_at >= $30 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = "<="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value <= $21 AND a.type = $22 AND a.number_value <= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value <= $26 AND a.type = $27 AND a.number_value <= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = "="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value = $21 AND a.type = $22 AND a.number_value = $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value = $26 AND a.type = $27 AND a.number_value = $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = ">"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value > $21 AND a.type = $22 AND a.number_value > $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value > $26 AND a.type = $27 AND a.number_value > $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = ">="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value >= $21 AND a.type = $22 AND a.number_value >= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value >= $26 AND a.type = $27 AND a.number_value >= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].value = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.text_value < $21 AND a.type = $22 AND a.text_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.text_value < $26 AND a.type = $27 AND a.text_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.blocked = false
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r.workflow = $8 AND r.version = $9 AND r.parent_id = $10 AND r.schedule_id = $11 AND r.id >= $12 AND r.id < $13 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $24 AND (r.finished_at < $25 OR r.id < $26) AND r.finished_at IS NOT NULL AND r.finished_at >= $27 AND r.finished_at < $28 AND r.finished_at >= $29 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.createdBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r."status" IN ($3, $4) AND r."reason" IN ($5, $6) AND r."reason" IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.createdFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at < $2 AND r."status" IN ($3, $4) AND r."reason" IN ($5, $6) AND r."reason" IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.endedBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.endedFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.idPrefix = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $27 AND (r.finished_at < $28 OR r.id < $29) AND r.finished_at IS NOT NULL AND r.finished_at >= $30 AND r.finished_at < $31 AND r.finished_at >= $32 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.order = "newest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at <= $29 AND (r.created_at < $30 OR r.id < $31) AND r.created_at >= $32 AND r.created_at < $33 AND r.created_at < $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.order = "oldest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at >= $29 AND (r.created_at > $30 OR r.id > $31) AND r.created_at >= $32 AND r.created_at < $33 AND r.created_at < $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.parentId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.past = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at IS NOT NULL AND r.finished_at >= $29 AND r.finished_at < $30 AND r.finished_at >= $31 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.reason = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $27 AND (r.finished_at < $28 OR r.id < $29) AND r.finished_at IS NOT NULL AND r.finished_at >= $30 AND r.finished_at < $31 AND r.finished_at >= $32 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.scheduleId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.status = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $27 AND (r.finished_at < $28 OR r.id < $29) AND r.finished_at IS NOT NULL AND r.finished_at >= $30 AND r.finished_at < $31 AND r.finished_at >= $32 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.version = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "limiter"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "retry"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "run"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "signal"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "task"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "timer"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, query.workflow = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.attributes = readonly AttributeFilter[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.blocked = true
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r."reason" IN ($2, $3, $4, $5, $6) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.createdBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at < $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.createdFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at >= $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.endedBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at < $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at < $3 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.endedFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.idPrefix = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.id >= $2 AND r.id < $3 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.order = "ended"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at IS NOT NULL ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.parentId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.parent_id = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.past = ListPosition
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at <= $2 AND (r.created_at < $3 OR r.id < $4) ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.reason = readonly RunReason[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r."reason" IN ($2) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.scheduleId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.schedule_id = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.status = readonly RunStatus[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r."status" IN ($2) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.version = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.version = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countNewestByStatus, the least, query.workflow = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.workflow = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/insight/fleet.sql.ts countIndexed
SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c;
-- "namespace"
-- "namespace"

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "compensating"
SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "compensation_failed"
SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "completed"
SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "failed"
SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "pending"
SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "running"
SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s WHERE s.namespace = $1 AND s.owner IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s WHERE s.namespace = $2 AND s.owner IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, statuses[] = "suspended"
SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least
SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "cancelled"
SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "compensating"
SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "compensation_failed"
SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "completed"
SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "failed"
SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "pending"
SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countIndexed, the least, statuses[] = "running"
SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s WHERE s.namespace = $1 AND s.owner IS NOT NULL LIMIT 2) AS c;

-- engine/insight/fleet.sql.ts countBlocked
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM "durable_runs" AS r 
    WHERE r.namespace = $1 AND r.reason = $2 AND (r.workflow, r.version) > ($3, CAST($4 AS integer))
    ORDER BY r.workflow, r.version LIMIT 3
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;
-- "namespace"
-- "exhausted"
-- "workflow"
-- 1

-- engine/insight/fleet.sql.ts countBlocked, 3.after = undefined
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM "durable_runs" AS r 
    WHERE r.namespace = $1 AND r.reason = $2 
    ORDER BY r.workflow, r.version LIMIT 2
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/insight/fleet.sql.ts countBlocked, 3.reason = undefined
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM "durable_runs" AS r 
    WHERE r.namespace = $1 AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN ($2, $3, $4, $5, $6) AND (r.workflow, r.version) > ($7, CAST($8 AS integer))
    ORDER BY r.workflow, r.version LIMIT 3
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/insight/fleet.sql.ts countBlocked, the least
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM "durable_runs" AS r 
    WHERE r.namespace = $1 AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN ($2, $3, $4, $5, $6) 
    ORDER BY r.workflow, r.version LIMIT 2
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/insight/fleet.sql.ts selectLimitersInUse
WITH RECURSIVE used AS (
        SELECT f.limiter, 1 AS n FROM 
        (SELECT e.limiter FROM "durable_limiter_entries" AS e WHERE e.limiter > $1 ORDER BY e.limiter LIMIT 1) AS f
        UNION ALL SELECT 
        (SELECT e.limiter FROM "durable_limiter_entries" AS e WHERE e.limiter > u.limiter ORDER BY e.limiter LIMIT 1), u.n + 1 FROM used AS u WHERE u.limiter IS NOT NULL AND u.n < 2
      ) SELECT limiter FROM used WHERE limiter IS NOT NULL;
-- "1"

-- engine/insight/fleet.sql.ts selectLimiterUse
(
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $1 AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $2 AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM "durable_limiter_entries" AS e WHERE e.limiter = $3 AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM "durable_limiter_entries" AS e WHERE e.limiter = $4 ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM "durable_limiters" AS l WHERE l.limiter = $5 AND l.namespace = $6) UNION ALL (
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $7 AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $8 AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM "durable_limiter_entries" AS e WHERE e.limiter = $9 AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM "durable_limiter_entries" AS e WHERE e.limiter = $10 ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM "durable_limiters" AS l WHERE l.limiter = $11 AND l.namespace = $12);
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
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $1 AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $2 AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM "durable_limiter_entries" AS e WHERE e.limiter = $3 AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM "durable_limiter_entries" AS e WHERE e.limiter = $4 ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM "durable_limiters" AS l WHERE l.limiter = $5 AND l.namespace = $6);

-- engine/insight/fleet.sql.ts selectLimiterUsers
SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM ((
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $1 AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $2 AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $3 AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $4 AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1)) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder;
-- "limiters-1"
-- "limiters-1"
-- "limiters-2"
-- "limiters-2"

-- engine/insight/fleet.sql.ts selectLimiterUsers, limiters[] = 1
SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM ((
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $1 AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $2 AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1)) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder;

-- engine/insight/insight.sql.ts selectAttempts
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM "durable_step_attempts"
  WHERE run_id = $1 AND seq = ANY (CAST($2 AS bigint[]))
  ORDER BY run_id, seq, attempt LIMIT 20000;
-- "runId"
-- "{1,2}"

-- engine/insight/insight.sql.ts selectAttempts, seqs = undefined
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM "durable_step_attempts"
  WHERE run_id = $1 
  ORDER BY run_id, seq, attempt LIMIT 20000;

-- engine/insight/insight.sql.ts selectLines
SELECT seq, attempt, level, message, fields, logged_at FROM "durable_step_logs"
  WHERE run_id = $1 AND seq = $2 ORDER BY run_id, id LIMIT 20000;
-- "runId"
-- 1

-- engine/insight/insight.sql.ts selectLines, seq = undefined
SELECT seq, attempt, level, message, fields, logged_at FROM "durable_step_logs"
  WHERE run_id = $1  ORDER BY run_id, id LIMIT 20000;

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

-- engine/insight/listing-filters.sql.ts fits
a.name = $1 AND a.type = $2 AND a.number_value < $3 AND a.type = $4 AND a.number_value < $5;
-- "name"
-- "date"
-- 1
-- "date"
-- 2

-- engine/insight/listing-filters.sql.ts fits, 1.compare[] = 1
a.name = $1 AND a.type = $2 AND a.number_value < $3;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].how = "<="
a.name = $1 AND a.type = $2 AND a.number_value <= $3 AND a.type = $4 AND a.number_value <= $5;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].how = "="
a.name = $1 AND a.type = $2 AND a.number_value = $3 AND a.type = $4 AND a.number_value = $5;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].how = ">"
a.name = $1 AND a.type = $2 AND a.number_value > $3 AND a.type = $4 AND a.number_value > $5;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].how = ">="
a.name = $1 AND a.type = $2 AND a.number_value >= $3 AND a.type = $4 AND a.number_value >= $5;

-- engine/insight/listing-filters.sql.ts fits, 1.compare[].value = string
a.name = $1 AND a.type = $2 AND a.text_value < $3 AND a.type = $4 AND a.text_value < $5;

-- engine/insight/listing-filters.sql.ts fits, the least
a.name = $1 AND a.type = $2 AND a.number_value >= $3;

-- engine/insight/listing-filters.sql.ts fits, the least, 1.compare[].how = "<="
a.name = $1 AND a.type = $2 AND a.number_value <= $3;

-- engine/insight/listing-filters.sql.ts fits, the least, 1.compare[].how = "="
a.name = $1 AND a.type = $2 AND a.number_value = $3;

-- engine/insight/listing-filters.sql.ts fits, the least, 1.compare[].how = ">"
a.name = $1 AND a.type = $2 AND a.number_value > $3;

-- engine/insight/listing-filters.sql.ts fits, the least, 1.compare[].value = string
a.name = $1 AND a.type = $2 AND a.text_value >= $3;

-- engine/insight/listing-filters.sql.ts rangeOf
r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6;
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998

-- engine/insight/listing-filters.sql.ts rangeOf, query.createdFrom = undefined
r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5;

-- engine/insight/listing-filters.sql.ts rangeOf, query.endedBefore = undefined
r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at >= $5;

-- engine/insight/listing-filters.sql.ts rangeOf, query.endedFrom = undefined
r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at < $4 AND r.finished_at >= $5;

-- engine/insight/listing-filters.sql.ts rangeOf, query.order = "newest"
r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6;

-- engine/insight/listing-filters.sql.ts rangeOf, query.order = "oldest"
r.created_at >= $1 AND (r.created_at > $2 OR r.id > $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6;

-- engine/insight/listing-filters.sql.ts rangeOf, query.past = undefined
r.finished_at IS NOT NULL AND r.finished_at >= $1 AND r.finished_at < $2 AND r.finished_at >= $3;

-- engine/insight/listing-filters.sql.ts rangeOf, the least
1 = 1;

-- engine/insight/listing-filters.sql.ts rangeOf, the least, query.createdBefore = number
r.created_at < $1;

-- engine/insight/listing-filters.sql.ts rangeOf, the least, query.createdFrom = number
r.created_at >= $1;

-- engine/insight/listing-filters.sql.ts rangeOf, the least, query.order = "ended"
r.finished_at IS NOT NULL;

-- engine/insight/listing-filters.sql.ts rangeOf, the least, query.past = ListPosition
r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3);

-- engine/insight/listing-filters.sql.ts endedIn
alias.finished_at >= $1;
alias.finished_at < $1;
-- 4
-- 5

-- engine/insight/listing-filters.sql.ts endedIn, 1.endedBefore = undefined
alias.finished_at >= $1;

-- engine/insight/listing-filters.sql.ts endedIn, 1.endedFrom = undefined
alias.finished_at < $1;

-- engine/insight/listing-filters.sql.ts beginsWith
alias.id >= $1 AND alias.id < $2;
-- "prefix"
-- "prefiy"

-- engine/insight/listing-filters.sql.ts filterOf
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
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
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[] = 1
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[] = 1
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].how = "<="
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value <= $21 AND a.type = $22 AND a.number_value <= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value <= $26 AND a.type = $27 AND a.number_value <= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].how = "="
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value = $21 AND a.type = $22 AND a.number_value = $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value = $26 AND a.type = $27 AND a.number_value = $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].how = ">"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value > $21 AND a.type = $22 AND a.number_value > $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value > $26 AND a.type = $27 AND a.number_value > $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].how = ">="
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value >= $21 AND a.type = $22 AND a.number_value >= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value >= $26 AND a.type = $27 AND a.number_value >= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.attributes[].compare[].value = string
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.text_value < $21 AND a.type = $22 AND a.text_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.text_value < $26 AND a.type = $27 AND a.text_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.blocked = false
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r.workflow = $8 AND r.version = $9 AND r.parent_id = $10 AND r.schedule_id = $11 AND r.id >= $12 AND r.id < $13 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.createdBefore = undefined
r.namespace = $1 AND r.created_at >= $2 AND r."status" IN ($3, $4) AND r."reason" IN ($5, $6) AND r."reason" IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.createdFrom = undefined
r.namespace = $1 AND r.created_at < $2 AND r."status" IN ($3, $4) AND r."reason" IN ($5, $6) AND r."reason" IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.idPrefix = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.order = "newest"
r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.parentId = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.reason = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.scheduleId = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.status = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.version = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1;

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "limiter"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "retry"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "run"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs');

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "signal"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "task"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.waitsFor[] = "timer"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, query.workflow = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, the least
r.namespace = $1;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.attributes = readonly AttributeFilter[]
r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.blocked = true
r.namespace = $1 AND r."reason" IN ($2, $3, $4, $5, $6);

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.endedBefore = number
r.namespace = $1 AND r.finished_at < $2;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.endedFrom = number
r.namespace = $1 AND r.finished_at >= $2;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.idPrefix = string
r.namespace = $1 AND r.id >= $2 AND r.id < $3;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.parentId = string
r.namespace = $1 AND r.parent_id = $2;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.reason = readonly RunReason[]
r.namespace = $1 AND r."reason" IN ($2);

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.scheduleId = string
r.namespace = $1 AND r.schedule_id = $2;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.status = readonly RunStatus[]
r.namespace = $1 AND r."status" IN ($2);

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.version = number
r.namespace = $1 AND r.version = $2;

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1);

-- engine/insight/listing-filters.sql.ts filterOf, the least, query.workflow = string
r.namespace = $1 AND r.workflow = $2;

-- engine/insight/listing.sql.ts countSource
SELECT count(*) AS found FROM ("ids" LIMIT 10001) AS c;

-- engine/insight/listing.sql.ts runsOf
("ids" LIMIT 1) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r;

-- engine/insight/listing.sql.ts pageOfSource
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
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
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[] = 1
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[] = 1
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "<="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value <= $27 AND a.type = $28 AND a.number_value <= $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value <= $32 AND a.type = $33 AND a.number_value <= $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value = $27 AND a.type = $28 AND a.number_value = $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value = $32 AND a.type = $33 AND a.number_value = $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value > $27 AND a.type = $28 AND a.number_value > $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value > $32 AND a.type = $33 AND a.number_value > $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value >= $27 AND a.type = $28 AND a.number_value >= $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value >= $32 AND a.type = $33 AND a.number_value >= $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].value = number
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 11;

-- engine/insight/listing.sql.ts pageOfSource, query.attributes[].compare[].value = string
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.text_value < $27 AND a.type = $28 AND a.text_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.text_value < $32 AND a.type = $33 AND a.text_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.blocked = false
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r.workflow = $14 AND r.version = $15 AND r.parent_id = $16 AND r.schedule_id = $17 AND r.id >= $18 AND r.id < $19 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $20 AND a.type = $21 AND a.number_value < $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.createdBefore = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r."status" IN ($9, $10) AND r."reason" IN ($11, $12) AND r."reason" IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.createdFrom = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.namespace = $6 AND r.created_at < $7 AND r."status" IN ($8, $9) AND r."reason" IN ($10, $11) AND r."reason" IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.endedBefore = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at >= $5 AND r.namespace = $6 AND r.created_at >= $7 AND r.created_at < $8 AND r."status" IN ($9, $10) AND r."reason" IN ($11, $12) AND r."reason" IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.endedFrom = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at < $4 AND r.finished_at >= $5 AND r.namespace = $6 AND r.created_at >= $7 AND r.created_at < $8 AND r."status" IN ($9, $10) AND r."reason" IN ($11, $12) AND r."reason" IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.idPrefix = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.order = "newest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6 AND r.namespace = $7 AND r.finished_at >= $8 AND r.finished_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.order = "oldest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at >= $1 AND (r.created_at > $2 OR r.id > $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6 AND r.namespace = $7 AND r.finished_at >= $8 AND r.finished_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.created_at ASC, r.id ASC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.parentId = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.past = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at IS NOT NULL AND r.finished_at >= $1 AND r.finished_at < $2 AND r.finished_at >= $3 AND r.namespace = $4 AND r.created_at >= $5 AND r.created_at < $6 AND r."status" IN ($7, $8) AND r."reason" IN ($9, $10) AND r."reason" IN ($11, $12, $13, $14, $15) AND r.workflow = $16 AND r.version = $17 AND r.parent_id = $18 AND r.schedule_id = $19 AND r.id >= $20 AND r.id < $21 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $27 AND a.type = $28 AND a.number_value < $29 AND a.type = $30 AND a.number_value < $31 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.reason = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.scheduleId = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.status = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."reason" IN ($10, $11) AND r."reason" IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.version = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "limiter"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "retry"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "run"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs')
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "signal"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "task"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.waitsFor[] = "timer"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, query.workflow = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r."status" IN ($10, $11) AND r."reason" IN ($12, $13) AND r."reason" IN ($14, $15, $16, $17, $18) AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/insight/listing.sql.ts pageOfSource, the least
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.attributes = readonly AttributeFilter[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.blocked = true
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r."reason" IN ($2, $3, $4, $5, $6)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.createdBefore = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at < $1 AND r.namespace = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.createdFrom = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at >= $1 AND r.namespace = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.endedBefore = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at < $1 AND r.namespace = $2 AND r.finished_at < $3
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.endedFrom = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.finished_at >= $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.idPrefix = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.id >= $2 AND r.id < $3
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.order = "ended"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at IS NOT NULL AND r.namespace = $1
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.order = "oldest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1
  ORDER BY r.created_at ASC, r.id ASC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.parentId = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.parent_id = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.past = ListPosition
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.namespace = $4
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.reason = readonly RunReason[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r."reason" IN ($2)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.scheduleId = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.schedule_id = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.status = readonly RunStatus[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r."status" IN ($2)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.version = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.version = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfSource, the least, query.workflow = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.workflow = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/insight/listing.sql.ts pageOfOrder
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
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
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $19 AND r.status = 'cancelled' AND r.finished_at <= $20 AND (r.finished_at < $21 OR r.id < $22) AND r.finished_at IS NOT NULL AND r.finished_at >= $23 AND r.finished_at < $24 AND r.finished_at >= $25
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[] = 1
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $24 AND r.status = 'cancelled' AND r.finished_at <= $25 AND (r.finished_at < $26 OR r.id < $27) AND r.finished_at IS NOT NULL AND r.finished_at >= $28 AND r.finished_at < $29 AND r.finished_at >= $30
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[] = 1
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $25 AND r.status = 'cancelled' AND r.finished_at <= $26 AND (r.finished_at < $27 OR r.id < $28) AND r.finished_at IS NOT NULL AND r.finished_at >= $29 AND r.finished_at < $30 AND r.finished_at >= $31
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "<="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value <= $21 AND a.type = $22 AND a.number_value <= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value <= $26 AND a.type = $27 AND a.number_value <= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value = $21 AND a.type = $22 AND a.number_value = $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value = $26 AND a.type = $27 AND a.number_value = $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value > $21 AND a.type = $22 AND a.number_value > $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value > $26 AND a.type = $27 AND a.number_value > $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value >= $21 AND a.type = $22 AND a.number_value >= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value >= $26 AND a.type = $27 AND a.number_value >= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = number
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 12)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 12) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 11
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = string
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.text_value < $21 AND a.type = $22 AND a.text_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.text_value < $26 AND a.type = $27 AND a.text_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.blocked = false
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r.workflow = $8 AND r.version = $9 AND r.parent_id = $10 AND r.schedule_id = $11 AND r.id >= $12 AND r.id < $13 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $24 AND r.status = 'cancelled' AND r.finished_at <= $25 AND (r.finished_at < $26 OR r.id < $27) AND r.finished_at IS NOT NULL AND r.finished_at >= $28 AND r.finished_at < $29 AND r.finished_at >= $30
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.createdBefore = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r."status" IN ($3, $4) AND r."reason" IN ($5, $6) AND r."reason" IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.createdFrom = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at < $2 AND r."status" IN ($3, $4) AND r."reason" IN ($5, $6) AND r."reason" IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.endedBefore = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.endedFrom = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.idPrefix = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $27 AND r.status = 'cancelled' AND r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.order = "newest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at <= $29 AND (r.created_at < $30 OR r.id < $31) AND r.created_at >= $32 AND r.created_at < $33 AND r.created_at < $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 8)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at >= $29 AND (r.created_at > $30 OR r.id > $31) AND r.created_at >= $32 AND r.created_at < $33 AND r.created_at < $34 ORDER BY r.created_at ASC, r.id ASC LIMIT 8)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at ASC, id ASC LIMIT 7
    ) AS f
    UNION ALL SELECT max(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at ASC, u.id ASC;

-- engine/insight/listing.sql.ts pageOfOrder, query.parentId = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.past = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at IS NOT NULL AND r.finished_at >= $30 AND r.finished_at < $31 AND r.finished_at >= $32
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.reason = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $27 AND r.status = 'cancelled' AND r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.scheduleId = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."reason" IN ($4, $5) AND r."reason" IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $27 AND r.status = 'completed' AND r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $34 AND r.status = 'failed' AND r.finished_at <= $35 AND (r.finished_at < $36 OR r.id < $37) AND r.finished_at IS NOT NULL AND r.finished_at >= $38 AND r.finished_at < $39 AND r.finished_at >= $40
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $41 AND r.status = 'cancelled' AND r.finished_at <= $42 AND (r.finished_at < $43 OR r.id < $44) AND r.finished_at IS NOT NULL AND r.finished_at >= $45 AND r.finished_at < $46 AND r.finished_at >= $47
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $48 AND r.status = 'compensation_failed' AND r.finished_at <= $49 AND (r.finished_at < $50 OR r.id < $51) AND r.finished_at IS NOT NULL AND r.finished_at >= $52 AND r.finished_at < $53 AND r.finished_at >= $54
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status[] = "compensating"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM () AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status[] = "compensation_failed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'compensation_failed' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status[] = "completed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'completed' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.status[] = "failed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'failed' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.version = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "limiter"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "retry"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "run"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "signal"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "task"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.waitsFor[] = "timer"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, query.workflow = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r."status" IN ($4, $5) AND r."reason" IN ($6, $7) AND r."reason" IN ($8, $9, $10, $11, $12) AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.attributes = readonly AttributeFilter[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.blocked = true
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r."reason" IN ($2, $3, $4, $5, $6) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.createdBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at < $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.createdFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at >= $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.endedBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at < $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at < $3 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.endedFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.idPrefix = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.id >= $2 AND r.id < $3 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.order = "ended"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $2 AND r.status = 'completed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $3 AND r.status = 'failed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $4 AND r.status = 'cancelled' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $5 AND r.status = 'compensation_failed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 2) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at ASC, r.id ASC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at ASC, id ASC LIMIT 2
    ) AS f
    UNION ALL SELECT max(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at ASC, u.id ASC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.parentId = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.parent_id = $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.past = ListPosition
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at <= $2 AND (r.created_at < $3 OR r.id < $4) ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.reason = readonly RunReason[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r."reason" IN ($2) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.scheduleId = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.schedule_id = $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.status = readonly RunStatus[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r."status" IN ($2) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.version = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.version = $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/listing.sql.ts pageOfOrder, the least, query.workflow = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.workflow = $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/insight/overdue-runs.sql.ts selectOverdue
SELECT f.workflow, f.version, min(f.since) AS since
  FROM (
  (WITH RECURSIVE "by_wake_at" AS (
    SELECT o.workflow, o.version, o.since FROM (
      SELECT r.workflow, r.version, r.wake_at AS since FROM "durable_runs" AS r
      WHERE r.namespace = $1 AND r."wake_at" IS NOT NULL 
      ORDER BY r.workflow, r.version, r."wake_at" LIMIT 1) AS o
    UNION ALL
    SELECT o.workflow, o.version, o.since FROM "by_wake_at" AS f
    CROSS JOIN LATERAL (
      SELECT r.workflow, r.version, r.wake_at AS since FROM "durable_runs" AS r
      WHERE r.namespace = $2 AND r."wake_at" IS NOT NULL AND (r.workflow, r.version) > (f.workflow, f.version)
      ORDER BY r.workflow, r.version, r."wake_at" LIMIT 1) AS o
  ) SELECT workflow, version, since FROM "by_wake_at") UNION ALL 
  (WITH RECURSIVE "by_turn" AS (
    SELECT o.workflow, o.version, o.since FROM (
      SELECT r.workflow, r.version, r.created_at AS since FROM "durable_runs" AS r
      WHERE r.namespace = $3 AND r."turn" IS NOT NULL 
      ORDER BY r.workflow, r.version, r."turn" LIMIT 1) AS o
    UNION ALL
    SELECT o.workflow, o.version, o.since FROM "by_turn" AS f
    CROSS JOIN LATERAL (
      SELECT r.workflow, r.version, r.created_at AS since FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r."turn" IS NOT NULL AND (r.workflow, r.version) > (f.workflow, f.version)
      ORDER BY r.workflow, r.version, r."turn" LIMIT 1) AS o
  ) SELECT workflow, version, since FROM "by_turn")) AS f
  WHERE f.since <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1
  GROUP BY f.workflow, f.version;
-- "namespace"
-- "namespace"
-- "namespace"
-- "namespace"

-- engine/insight/signals-in-sight.sql.ts selectUntaken
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $1 AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $2 AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = $3 AND n.addressed = 'key' AND n.target = $4 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;
-- "channel"
-- "channel"
-- "name"
-- "key"

-- engine/insight/signals-in-sight.sql.ts selectUntaken, source.channel = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.target = $1 AND s.addressed = 'run' AND s.namespace = $2  LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = $3 AND n.addressed = 'key' AND n.target = $4 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, source.key = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $1 AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $2 AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = $3 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, source.name = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $1 AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $2 AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.addressed = 'key' AND n.target = $3 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $1 AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $2 AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least, source.channel = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $1 AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $2 AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least, source.key = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $1 AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $2 AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.addressed = 'key' AND n.target = $3 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least, source.name = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $1 AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $2 AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = $3 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts selectUntaken, the least, source.run = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.target = $1 AND s.addressed = 'run' AND s.namespace = $2  LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/insight/signals-in-sight.sql.ts countListening
SELECT w.channel, count(*) AS waits FROM "durable_signal_waits" AS w WHERE w.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) GROUP BY w.channel;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/insight/signals-in-sight.sql.ts selectSignalWaits
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (
    SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM (
      SELECT s.run_id, s.seq FROM "durable_steps" AS s
      WHERE s.run_id = $1 AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT 1000
    ) AS o JOIN "durable_signal_waits" AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
    WHERE w.channel > $2 OR (w.channel = $3 AND w.step_id > $4) ORDER BY w.channel, w.step_id LIMIT 1) AS w
  LEFT JOIN "durable_steps" AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN "durable_runs" AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;
-- "run"
-- "channel"
-- "channel"
-- "stepId"

-- engine/insight/signals-in-sight.sql.ts selectSignalWaits, source.run = undefined
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM "durable_signal_waits" AS w  WHERE w.channel = $1 AND w.step_id > $2 ORDER BY w.step_id LIMIT 1) AS w
  LEFT JOIN "durable_steps" AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN "durable_runs" AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;

-- engine/insight/signals-in-sight.sql.ts selectSignalWaits, the least
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (
    SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM (
      (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM "durable_signal_waits" AS w  WHERE w.channel = $1 AND w.step_id > $2 ORDER BY w.step_id LIMIT 1) UNION ALL
      (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM "durable_signal_waits" AS w  WHERE w.channel > $3 ORDER BY w.channel, w.step_id LIMIT 1)
    ) AS w ORDER BY w.channel, w.step_id LIMIT 1) AS w
  LEFT JOIN "durable_steps" AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN "durable_runs" AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;

-- engine/insight/sql-story.ts selectStoryMoments
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM "durable_steps" AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM "durable_steps" AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM "durable_step_attempts" AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($12 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($13 AS integer)) AS again) AS k)) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM "durable_signals" AS g JOIN f ON f.run_id = g.target WHERE g.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($14 AS integer)]) ELSE a END FROM (SELECT CAST($15 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($16 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($17 AS integer)) AS again) AS k)) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM (SELECT * FROM json_to_recordset(CAST($18 AS json)) AS listed("run" bigint, "channel" text, "position" bigint)) AS t
  JOIN "durable_signals" AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($19 AS integer)]) ELSE a END FROM (SELECT CAST($20 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($21 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($22 AS integer)) AS again) AS k))
    AND g.position = ANY (CAST($23 AS bigint[])) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($24 AS bigint), CAST($25 AS bigint), CAST($26 AS bigint), CAST($27 AS bigint), CAST($28 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;
-- "[{"run_id":"runIds-1","run":0},{"run_id":"runIds-2","run":1}]"
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
-- "[{"run":6,"channel":"channel-1","position":7},{"run":8,"channel":"channel-2","position":9}]"
-- 2
-- "{"channel-1","channel-2"}"
-- 1
-- 1
-- "{7,9}"
-- 1
-- 2
-- 3
-- 4
-- "0"

-- engine/insight/sql-story.ts selectStoryMoments, 2.past = undefined
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM "durable_steps" AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM "durable_steps" AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM "durable_step_attempts" AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($12 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($13 AS integer)) AS again) AS k)) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, 1000000000 AS stage, 7 AS what, g.id AS item
    FROM "durable_signals" AS g JOIN f ON f.run_id = g.target WHERE g.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($14 AS integer)]) ELSE a END FROM (SELECT CAST($15 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($16 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($17 AS integer)) AS again) AS k)) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, 1000000000 AS stage, 7 AS what, g.id AS item
  FROM (SELECT * FROM json_to_recordset(CAST($18 AS json)) AS listed("run" bigint, "channel" text, "position" bigint)) AS t
  JOIN "durable_signals" AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($19 AS integer)]) ELSE a END FROM (SELECT CAST($20 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($21 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($22 AS integer)) AS again) AS k))
    AND g.position = ANY (CAST($23 AS bigint[])) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/insight/sql-story.ts selectStoryRuns
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM "durable_steps" AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM "durable_step_attempts" AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM "durable_runs" AS b WHERE b.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))) AS r ORDER BY r.id;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/insight/sql-story.ts selectStoryChildren
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM "durable_steps" AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM "durable_step_attempts" AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM "durable_runs" AS b WHERE b.parent_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND b.namespace = $5 ORDER BY b.id LIMIT 1) AS r ORDER BY r.id;
-- 2
-- "{"parentIds-1","parentIds-2"}"
-- 1
-- 1
-- "namespace"

-- engine/insight/sql-story.ts selectTakenRefs
SELECT s.run_id, s.ref FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.kind = 'signal' AND s.ref IS NOT NULL
  ORDER BY s.run_id, s.seq LIMIT 10000;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/insight/sql-story.ts selectStorySteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, s.output AS output FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_steps" AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND s.seq >= 1 AND s.seq <= 2;
-- "[{"of_run":"runId-1","at_seq":1},{"of_run":"runId-2","at_seq":2}]"
-- 2
-- "{"runId-1","runId-2"}"
-- 1
-- 1

-- engine/insight/sql-story.ts selectStorySteps, keys[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, s.output AS output FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_steps" AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND s.seq >= 1 AND s.seq <= 1;

-- engine/insight/sql-story.ts selectStorySteps, payloads = false
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, CASE WHEN (s.kind = 'marker' AND s.ref = 'publish') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END AS output FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_steps" AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND s.seq >= 1 AND s.seq <= 2;

-- engine/insight/sql-story.ts selectStorySteps, the least
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, CASE WHEN (s.kind = 'marker' AND s.ref = 'publish') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END AS output FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_steps" AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND s.seq >= 1 AND s.seq <= 1;

-- engine/insight/sql-story.ts selectStoryAttempts
SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_step_attempts" AS a ON a.run_id = k.of_run AND a.seq = k.at_seq
  WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND a.seq >= 1 AND a.seq <= 2;
-- "[{"of_run":"runId-1","at_seq":1},{"of_run":"runId-2","at_seq":2}]"
-- 2
-- "{"runId-1","runId-2"}"
-- 1
-- 1

-- engine/insight/sql-story.ts selectStoryAttempts, keys[] = 1
SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_step_attempts" AS a ON a.run_id = k.of_run AND a.seq = k.at_seq
  WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND a.seq >= 1 AND a.seq <= 1;

-- engine/insight/sql-story.ts selectStorySignals
SELECT g.id, g.name, g.addressed, g.target, g.payload AS payload FROM "durable_signals" AS g
  WHERE g.id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- engine/insight/sql-story.ts selectStorySignals, payloads = false
SELECT g.id, g.name, g.addressed, g.target, NULL AS payload FROM "durable_signals" AS g
  WHERE g.id = ANY (CAST($1 AS bigint[]));

-- engine/insight/sql-unfinished-runs.ts selectEndOfScan
SELECT s.id FROM "durable_runs" AS s WHERE s.id > $1 ORDER BY s.id LIMIT 1 OFFSET 0;
-- "afterId"

-- engine/insight/sql-unfinished-runs.ts selectUnfinished
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r
  WHERE r.id > $1 AND r.id <= $2
    AND r.namespace = $3 AND r.status NOT IN ($4, $5, $6, $7) ORDER BY r.id;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/insight/sql-unfinished-runs.ts selectUnfinished, end = undefined
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r
  WHERE r.id > $1 
    AND r.namespace = $2 AND r.status NOT IN ($3, $4, $5, $6) ORDER BY r.id;

-- engine/insight/sql-unfinished-runs.ts countUnfinished
SELECT r.workflow, r.version, count(*) AS runs FROM "durable_runs" AS r
  WHERE r.id > $1 AND r.id <= $2
    AND r.namespace = $3 AND r.status NOT IN ($4, $5, $6, $7) GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/insight/sql-unfinished-runs.ts countUnfinished, end = undefined
SELECT r.workflow, r.version, count(*) AS runs FROM "durable_runs" AS r
  WHERE r.id > $1 
    AND r.namespace = $2 AND r.status NOT IN ($3, $4, $5, $6) GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version;

-- engine/insight/step-reads.sql.ts selectClaimed
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r WHERE r.id = $1;
-- "runId"

-- engine/insight/step-reads.sql.ts selectFirstSeq
SELECT first_seq FROM "durable_runs" WHERE id = $1;
-- "runId"

-- engine/insight/step-reads.sql.ts selectFacts
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = $1 AND seq > $2 ORDER BY run_id, seq LIMIT 2;
-- "runId"
-- 1

-- engine/insight/step-reads.sql.ts selectPart
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM "durable_steps" WHERE run_id = $1 AND seq > $2 ORDER BY run_id, seq LIMIT 2;
-- "runId"
-- 1

-- engine/insight/step-reads.sql.ts selectSettledAfter
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps"
  WHERE run_id = $1 AND settled > $2 ORDER BY settled LIMIT 2;
-- "runId"
-- 1

-- engine/insight/step-reads.sql.ts selectOpen
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = $1 AND settled IS NULL AND kind <> 'marker'
  ORDER BY COALESCE(asked_at, created_at) DESC, seq DESC LIMIT 1;
-- "runId"

-- engine/insight/step-reads.sql.ts selectLastSettled
SELECT COALESCE(MAX(settled), 0) AS settled FROM "durable_steps" WHERE run_id = $1;
-- "runId"

-- engine/insight/step-reads.sql.ts countLines
SELECT l.seq, count(*) AS line_count
  FROM (SELECT seq FROM "durable_step_logs" WHERE run_id = $1 ORDER BY run_id, id LIMIT 3) AS l
  WHERE l.seq >= $2 AND l.seq <= $3 GROUP BY l.seq;
-- "runId"
-- 1
-- 2
