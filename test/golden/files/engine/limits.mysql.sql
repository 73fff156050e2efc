-- engine/limits/limiter.sql.ts lockConditional
SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS overdue
  FROM `durable_runs` WHERE id IN (?, ?) AND owner IS NOT NULL ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/limits/limiter.sql.ts lockConditional, ids[] = 1
SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS overdue
  FROM `durable_runs` WHERE id IN (?) AND owner IS NOT NULL ORDER BY id FOR UPDATE;

-- engine/limits/limiter.sql.ts insertLimiters
INSERT INTO `durable_limiters` (limiter, namespace, name, limiter_key)
  SELECT n.limiter, n.namespace, n.name, n.limiter_key FROM JSON_TABLE(?, '$[*]' COLUMNS (`limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `limiter_key` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter_key' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `limiter` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`limiter`), VALUES(`limiter`));
-- "[{"limiter":"limiter-1","namespace":"namespace-1","name":"name-1","limiter_key":"key-1"},{"limiter":"limiter-2","namespace":"namespace-2","name":"name-2","limiter_key":"key-2"}]"
-- a large number
-- a large number
-- a large number

-- engine/limits/limiter.sql.ts lockLimiters
SELECT limiter, grants, open_at FROM `durable_limiters` WHERE limiter IN (?, ?) ORDER BY limiter FOR UPDATE;
-- "limiters-1"
-- "limiters-2"

-- engine/limits/limiter.sql.ts lockLimiters, limiters[] = 1
SELECT limiter, grants, open_at FROM `durable_limiters` WHERE limiter IN (?) ORDER BY limiter FOR UPDATE;

-- engine/limits/limiter.sql.ts selectLimiters
SELECT limiter, grants, open_at FROM `durable_limiters` WHERE limiter IN (?, ?);
-- "limiters-1"
-- "limiters-2"

-- engine/limits/limiter.sql.ts selectLimiters, limiters[] = 1
SELECT limiter, grants, open_at FROM `durable_limiters` WHERE limiter IN (?);

-- engine/limits/limiter.sql.ts countGranted
SELECT limiter, count(*) AS granted FROM `durable_limiter_entries`
  WHERE limiter IN (?, ?) AND granted = 1 GROUP BY limiter;
-- "limiters-1"
-- "limiters-2"

-- engine/limits/limiter.sql.ts countGranted, limiters[] = 1
SELECT limiter, count(*) AS granted FROM `durable_limiter_entries`
  WHERE limiter IN (?) AND granted = 1 GROUP BY limiter;

-- engine/limits/limiter.sql.ts selectWaiting
(SELECT e.limiter, e.holder, e.run_id, e.limits, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (SELECT e.limiter, e.holder, e.run_id, e.limits, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1);
-- "limiters-1"
-- "limiters-2"

-- engine/limits/limiter.sql.ts selectWaiting, limiters[] = 1
(SELECT e.limiter, e.holder, e.run_id, e.limits, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1);

-- engine/limits/limiter.sql.ts insertRunEntries
INSERT INTO `durable_limiter_entries` (holder, limiter, run_id, granted, turn, queued_at, limits)
  SELECT n.holder, n.limiter, n.holder, 0, n.turn, n.queued_at, n.limits
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`holder` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.holder' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `queued_at` bigint PATH '$.queued_at' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `holder` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`holder`), VALUES(`holder`));
-- "[{"holder":"id-1","limiter":"limiter-1","limits":"limitRequest-1","turn":1,"queued_at":2},{"holder":"id-2","limiter":"limiter-2","limits":"limitRequest-2","turn":3,"queued_at":4}]"
-- a large number
-- a large number
-- a large number

-- engine/limits/limiter.sql.ts upsertStepEntries
INSERT INTO `durable_limiter_entries` (holder, limiter, run_id, granted, turn, queued_at, limits, task)
  SELECT n.holder, n.limiter, n.run_id, 0, n.turn, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.limits, n.task
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`holder` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.holder' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `task` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.task' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE granted = 0, `limiter` = VALUES(`limiter`), `limits` = VALUES(`limits`), `task` = VALUES(`task`);
-- "[{"holder":"stepId-1","limiter":"limiter-1","run_id":"runId-1","turn":-7,"limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":4,\\"rate\\":{\\"max\\":5,\\"durationMs\\":6}}}","task":"{\\"stepId\\":\\"stepId-1\\",\\"runId\\":\\"runId-1\\",\\"seq\\":1,\\"name\\":\\"name-1\\",\\"group\\":\\"group-1\\",\\"input\\":\\"input-1\\",\\"attempt\\":2,\\"priority\\":3}"},{"holder":"stepId-2","limiter":"limiter-2","run_id":"runId-2","turn":-14,"limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":11,\\"rate\\":{\\"max\\":12,\\"durationMs\\":13}}}","task":"{\\"stepId\\":\\"stepId-2\\",\\"runId\\":\\"runId-2\\",\\"seq\\":8,\\"name\\":\\"name-2\\",\\"group\\":\\"group-2\\",\\"input\\":\\"input-2\\",\\"attempt\\":9,\\"priority\\":10}"}]"

-- engine/limits/limiter.sql.ts deleteEntries
DELETE FROM `durable_limiter_entries` WHERE holder IN (?, ?);
-- "holders-1"
-- "holders-2"

-- engine/limits/limiter.sql.ts deleteEntries, holders[] = 1
DELETE FROM `durable_limiter_entries` WHERE holder IN (?);

-- engine/limits/limiter.sql.ts selectEntries
SELECT holder, limiter, granted FROM `durable_limiter_entries` WHERE holder IN (?, ?);
-- "holders-1"
-- "holders-2"

-- engine/limits/limiter.sql.ts selectEntries, holders[] = 1
SELECT holder, limiter, granted FROM `durable_limiter_entries` WHERE holder IN (?);

-- engine/limits/limiter.sql.ts lockEntries
SELECT holder, run_id, task FROM `durable_limiter_entries`
  WHERE holder IN (?, ?) AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED;
-- "holders-1"
-- "holders-2"

-- engine/limits/limiter.sql.ts lockEntries, holders[] = 1
SELECT holder, run_id, task FROM `durable_limiter_entries`
  WHERE holder IN (?) AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED;

-- engine/limits/limiter.sql.ts lockWaitingRuns
SELECT id, owner FROM `durable_runs`
  WHERE id IN (?, ?) AND precondition = 'limiter' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED;
-- "1"
-- "2"

-- engine/limits/limiter.sql.ts lockWaitingRuns, ids[] = 1
SELECT id, owner FROM `durable_runs`
  WHERE id IN (?) AND precondition = 'limiter' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED;

-- engine/limits/limiter.sql.ts markGranted
UPDATE `durable_limiter_entries` SET granted = 1, task = NULL WHERE holder IN (?, ?);
-- "holders-1"
-- "holders-2"

-- engine/limits/limiter.sql.ts markGranted, holders[] = 1
UPDATE `durable_limiter_entries` SET granted = 1, task = NULL WHERE holder IN (?);

-- engine/limits/limiter.sql.ts passRuns
UPDATE `durable_runs` SET precondition = NULL, reason = NULL, wake_at = CASE WHEN owner IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) END
  WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/limits/limiter.sql.ts passRuns, ids[] = 1
UPDATE `durable_runs` SET precondition = NULL, reason = NULL, wake_at = CASE WHEN owner IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) END
  WHERE id IN (?);

-- engine/limits/limiter.sql.ts startRuns
UPDATE `durable_runs`
  SET precondition = NULL, reason = NULL, started_at = COALESCE(started_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)),
    status = CASE WHEN closing IS NULL THEN 'running' ELSE status END
  WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/limits/limiter.sql.ts startRuns, ids[] = 1
UPDATE `durable_runs`
  SET precondition = NULL, reason = NULL, started_at = COALESCE(started_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)),
    status = CASE WHEN closing IS NULL THEN 'running' ELSE status END
  WHERE id IN (?);

-- engine/limits/limiter.sql.ts parkRuns
UPDATE `durable_runs` SET owner = NULL, status = 'pending', reason = ?, wake_at = deadline
  WHERE id IN (?, ?);
-- "reason"
-- "1"
-- "2"

-- engine/limits/limiter.sql.ts parkRuns, ids[] = 1
UPDATE `durable_runs` SET owner = NULL, status = 'pending', reason = ?, wake_at = deadline
  WHERE id IN (?);

-- engine/limits/limiter.sql.ts updateLimiters
UPDATE `durable_limiters` AS l JOIN JSON_TABLE(?, '$[*]' COLUMNS (`limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `grants` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.grants' NULL ON EMPTY ERROR ON ERROR, `open_at` bigint PATH '$.open_at' NULL ON EMPTY ERROR ON ERROR)) AS n ON l.limiter = n.limiter SET l.grants = n.grants, l.open_at = n.open_at;
-- "[{"limiter":"limiter-1","grants":"grants-1","open_at":1},{"limiter":"limiter-2","grants":"grants-2","open_at":2}]"

-- engine/limits/limiter.sql.ts deleteLimiters
DELETE FROM `durable_limiters` WHERE limiter IN (?, ?);
-- "limiters-1"
-- "limiters-2"

-- engine/limits/limiter.sql.ts deleteLimiters, limiters[] = 1
DELETE FROM `durable_limiters` WHERE limiter IN (?);

-- engine/limits/limiter.sql.ts selectPeopled
SELECT DISTINCT limiter FROM `durable_limiter_entries` WHERE limiter > ? ORDER BY limiter LIMIT 2;
-- "1"

-- engine/limits/limiter.sql.ts notifyLimiters
UPDATE `durable_runs` SET notifies = notifies + 4
  WHERE id IN (?, ?) AND notifies < 4;
-- "runIds-1"
-- "runIds-2"

-- engine/limits/limiter.sql.ts notifyLimiters, runIds[] = 1
UPDATE `durable_runs` SET notifies = notifies + 4
  WHERE id IN (?) AND notifies < 4;
