-- engine/schedules/schedule.sql.ts insertSchedules
INSERT INTO `durable_schedules` (id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at) SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `declared` bigint PATH '$.declared' NULL ON EMPTY ERROR ON ERROR, `spec` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.spec' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `paused` bigint PATH '$.paused' NULL ON EMPTY ERROR ON ERROR, `next_at` bigint PATH '$.next_at' NULL ON EMPTY ERROR ON ERROR, `fired_at` bigint PATH '$.fired_at' NULL ON EMPTY ERROR ON ERROR, `last_run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.last_run_id' NULL ON EMPTY ERROR ON ERROR, `buffered_at` bigint PATH '$.buffered_at' NULL ON EMPTY ERROR ON ERROR)) AS n WHERE 1 = 1 ON DUPLICATE KEY UPDATE `namespace` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`namespace`), VALUES(`namespace`));
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","declared":1,"spec":"spec-1","input":"input-1","paused":1,"next_at":1,"fired_at":2,"last_run_id":"lastRunId-1","buffered_at":3,"created_at":4},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","declared":1,"spec":"spec-2","input":"input-2","paused":1,"next_at":5,"fired_at":6,"last_run_id":"lastRunId-2","buffered_at":7,"created_at":8}]"
-- a large number
-- a large number
-- a large number

-- engine/schedules/schedule.sql.ts updateSchedules
UPDATE `durable_schedules` AS s JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `declared` bigint PATH '$.declared' NULL ON EMPTY ERROR ON ERROR, `spec` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.spec' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `paused` bigint PATH '$.paused' NULL ON EMPTY ERROR ON ERROR, `next_at` bigint PATH '$.next_at' NULL ON EMPTY ERROR ON ERROR, `fired_at` bigint PATH '$.fired_at' NULL ON EMPTY ERROR ON ERROR, `last_run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.last_run_id' NULL ON EMPTY ERROR ON ERROR, `buffered_at` bigint PATH '$.buffered_at' NULL ON EMPTY ERROR ON ERROR)) AS n ON s.namespace = n.namespace AND s.id = n.id SET s.workflow = n.workflow, s.declared = n.declared, s.spec = n.spec, s.input = n.input, s.paused = n.paused, s.next_at = n.next_at, s.fired_at = n.fired_at, s.last_run_id = n.last_run_id, s.buffered_at = n.buffered_at;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","declared":1,"spec":"spec-1","input":"input-1","paused":1,"next_at":1,"fired_at":2,"last_run_id":"lastRunId-1","buffered_at":3,"created_at":4},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","declared":1,"spec":"spec-2","input":"input-2","paused":1,"next_at":5,"fired_at":6,"last_run_id":"lastRunId-2","buffered_at":7,"created_at":8}]"

-- engine/schedules/schedule.sql.ts listSchedules
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 3;
-- "namespace"
-- "1"
-- "2"
-- "workflows-1"
-- "workflows-2"
-- "afterId"

-- engine/schedules/schedule.sql.ts listSchedules, query.afterId = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?, ?) AND declared = 1
  ORDER BY id LIMIT 3;

-- engine/schedules/schedule.sql.ts listSchedules, query.declared = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?, ?) AND id > ?
  ORDER BY id LIMIT 3;

-- engine/schedules/schedule.sql.ts listSchedules, query.ids = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND workflow IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 1;

-- engine/schedules/schedule.sql.ts listSchedules, query.ids[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id IN (?) AND workflow IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 2;

-- engine/schedules/schedule.sql.ts listSchedules, query.limit = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, query.workflows = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 3;

-- engine/schedules/schedule.sql.ts listSchedules, query.workflows[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 3;

-- engine/schedules/schedule.sql.ts listSchedules, the least
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ?
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.afterId = string
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id > ?
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.declared = true
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND declared = 1
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.ids = readonly string[]
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND id IN (?)
  ORDER BY id;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.limit = number
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ?
  ORDER BY id LIMIT 1;

-- engine/schedules/schedule.sql.ts listSchedules, the least, query.workflows = readonly string[]
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules` WHERE namespace = ? AND workflow IN (?)
  ORDER BY id;

-- engine/schedules/schedule.sql.ts deleteSchedules
DELETE FROM `durable_schedules` WHERE namespace = ? AND id IN (?, ?);
-- "namespace"
-- "1"
-- "2"

-- engine/schedules/schedule.sql.ts deleteSchedules, ids[] = 1
DELETE FROM `durable_schedules` WHERE namespace = ? AND id IN (?);

-- engine/schedules/schedule.sql.ts selectClock
SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now;

-- engine/schedules/schedule.sql.ts lockSchedules
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND workflow IN (?, ?) AND NOT (id IN (?, ?))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "namespace"
-- "workflows-1"
-- "workflows-2"
-- "except-1"
-- "except-2"

-- engine/schedules/schedule.sql.ts lockSchedules, which = { namespace: string; } & { ids: readonly string[]; }
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` WHERE namespace = ? AND id IN (?, ?) ORDER BY id FOR UPDATE;

-- engine/schedules/schedule.sql.ts lockSchedules, which.due.except[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND workflow IN (?, ?) AND NOT (id IN (?))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- engine/schedules/schedule.sql.ts lockSchedules, which.due.workflows[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND workflow IN (?) AND NOT (id IN (?, ?))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- engine/schedules/schedule.sql.ts lockSchedules, the least
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` WHERE namespace = ? AND id IN (?) ORDER BY id FOR UPDATE;

-- engine/schedules/schedule.sql.ts lockSchedules, the least, which = { namespace: string; } & { due: { workflows: readonly string[]; except: readonly string[]; limit: number; }; }
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND workflow IN (?) AND NOT (id IN (?))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- engine/schedules/schedule.sql.ts selectStatuses
SELECT id, status FROM `durable_runs` WHERE id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/schedules/schedule.sql.ts selectStatuses, runIds[] = 1
SELECT id, status FROM `durable_runs` WHERE id IN (?);

-- engine/schedules/schedule.sql.ts lookAtSchedules
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?, ?) AND NOT (id IN (?, ?)) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?, ?) AND NOT (id IN (?, ?)) AND s.buffered_at IS NOT NULL);
-- "namespace"
-- "workflows-1"
-- "workflows-2"
-- "except-1"
-- "except-2"
-- "namespace"
-- "workflows-1"
-- "workflows-2"
-- "except-1"
-- "except-2"

-- engine/schedules/schedule.sql.ts lookAtSchedules, 2.except[] = 1
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?, ?) AND NOT (id IN (?)) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?, ?) AND NOT (id IN (?)) AND s.buffered_at IS NOT NULL);

-- engine/schedules/schedule.sql.ts lookAtSchedules, 2.workflows[] = 1
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?) AND NOT (id IN (?, ?)) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?) AND NOT (id IN (?, ?)) AND s.buffered_at IS NOT NULL);

-- engine/schedules/schedule.sql.ts lookAtSchedules, the least
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?) AND NOT (id IN (?)) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id,
    (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?) AND NOT (id IN (?)) AND s.buffered_at IS NOT NULL);

-- engine/schedules/schedule.sql.ts selectLate
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules`
  WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ? AND next_at IS NOT NULL AND paused = 0
  ORDER BY next_at, id LIMIT 2;
-- "namespace"
-- 1
