-- worker/leases.mysql.sql.ts selectClaimable
SELECT 1 AS found FROM ((SELECT 1 AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 1) UNION ALL (SELECT 1 AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 1)) AS probes LIMIT 1;
-- "group-1"
-- 2
-- 6
-- "names-1"
-- "names-2"
-- "group-2"
-- 4
-- 6
-- "names-1"
-- "names-2"

-- worker/leases.mysql.sql.ts selectClaimable, request.groups[] = 1
SELECT 1 AS found FROM ((SELECT 1 AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 1)) AS probes LIMIT 1;

-- worker/leases.mysql.sql.ts selectClaimable, request.names[] = 1
SELECT 1 AS found FROM ((SELECT 1 AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 1) UNION ALL (SELECT 1 AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 1)) AS probes LIMIT 1;

-- worker/leases.mysql.sql.ts selectClaimable, the least
SELECT 1 AS found FROM ((SELECT 1 AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 1)) AS probes LIMIT 1;

-- worker/leases.mysql.sql.ts lockClaimable
(
  SELECT step_id, run_id, seq, name, grp, input, attempt, claimed_by, claimed_at, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `step_id` AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 7) AS f
  STRAIGHT_JOIN `durable_transport_tasks` FORCE INDEX (PRIMARY) ON `durable_transport_tasks`.`step_id` = f.found
  WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) LIMIT 1 FOR UPDATE SKIP LOCKED) UNION ALL (
  SELECT step_id, run_id, seq, name, grp, input, attempt, claimed_by, claimed_at, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `step_id` AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 21) AS f
  STRAIGHT_JOIN `durable_transport_tasks` FORCE INDEX (PRIMARY) ON `durable_transport_tasks`.`step_id` = f.found
  WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) LIMIT 3 FOR UPDATE SKIP LOCKED);
-- "group-1"
-- 2
-- 6
-- "names-1"
-- "names-2"
-- "group-1"
-- 2
-- 6
-- "names-1"
-- "names-2"
-- "group-2"
-- 4
-- 6
-- "names-1"
-- "names-2"
-- "group-2"
-- 4
-- 6
-- "names-1"
-- "names-2"

-- worker/leases.mysql.sql.ts lockClaimable, request.groups[] = 1
(
  SELECT step_id, run_id, seq, name, grp, input, attempt, claimed_by, claimed_at, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `step_id` AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 5) AS f
  STRAIGHT_JOIN `durable_transport_tasks` FORCE INDEX (PRIMARY) ON `durable_transport_tasks`.`step_id` = f.found
  WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) LIMIT 1 FOR UPDATE SKIP LOCKED);

-- worker/leases.mysql.sql.ts lockClaimable, request.names[] = 1
(
  SELECT step_id, run_id, seq, name, grp, input, attempt, claimed_by, claimed_at, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `step_id` AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 7) AS f
  STRAIGHT_JOIN `durable_transport_tasks` FORCE INDEX (PRIMARY) ON `durable_transport_tasks`.`step_id` = f.found
  WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) LIMIT 1 FOR UPDATE SKIP LOCKED) UNION ALL (
  SELECT step_id, run_id, seq, name, grp, input, attempt, claimed_by, claimed_at, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `step_id` AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 21) AS f
  STRAIGHT_JOIN `durable_transport_tasks` FORCE INDEX (PRIMARY) ON `durable_transport_tasks`.`step_id` = f.found
  WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) LIMIT 3 FOR UPDATE SKIP LOCKED);

-- worker/leases.mysql.sql.ts lockClaimable, the least
(
  SELECT step_id, run_id, seq, name, grp, input, attempt, claimed_by, claimed_at, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `step_id` AS found FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 5) AS f
  STRAIGHT_JOIN `durable_transport_tasks` FORCE INDEX (PRIMARY) ON `durable_transport_tasks`.`step_id` = f.found
  WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) LIMIT 1 FOR UPDATE SKIP LOCKED);

-- worker/leases.mysql.sql.ts selectGroupsBehind
(SELECT grp FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 1 OFFSET 7) UNION ALL (SELECT grp FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 1 OFFSET 21);
-- "group-1"
-- 2
-- 6
-- "names-1"
-- "names-2"
-- "group-2"
-- 4
-- 6
-- "names-1"
-- "names-2"

-- worker/leases.mysql.sql.ts selectGroupsBehind, request.groups[] = 1
(SELECT grp FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?, ?) ORDER BY created_at LIMIT 1 OFFSET 5);

-- worker/leases.mysql.sql.ts selectGroupsBehind, request.names[] = 1
(SELECT grp FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 1 OFFSET 7) UNION ALL (SELECT grp FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 1 OFFSET 21);

-- worker/leases.mysql.sql.ts selectGroupsBehind, the least
(SELECT grp FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`) WHERE grp = ? AND created_at >= ? AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) AND name IN (?) ORDER BY created_at LIMIT 1 OFFSET 5);

-- worker/leases.mysql.sql.ts stampTasks
UPDATE `durable_transport_tasks` FORCE INDEX (PRIMARY)
  SET attempt = attempt + (claimed_at IS NOT NULL), claimed_by = ?, claimed_at = ?
  WHERE step_id IN (?, ?);
-- "claimedBy"
-- 1
-- "stepIds-1"
-- "stepIds-2"

-- worker/leases.mysql.sql.ts stampTasks, stepIds[] = 1
UPDATE `durable_transport_tasks` FORCE INDEX (PRIMARY)
  SET attempt = attempt + (claimed_at IS NOT NULL), claimed_by = ?, claimed_at = ?
  WHERE step_id IN (?);

-- worker/leases.mysql.sql.ts stampRows
UPDATE `table` AS t FORCE INDEX (PRIMARY) SET t.claimed_by = `claimed_by`, t.claimed_at = ? WHERE t.step_id IN (?, ?);
-- "claimed_at"
-- "stepIds-1"
-- "stepIds-2"

-- worker/leases.mysql.sql.ts stampRows, stamp.claimed_by = bigint
UPDATE `table` AS t FORCE INDEX (PRIMARY) SET t.claimed_by = ?, t.claimed_at = ? WHERE t.step_id IN (?, ?);

-- worker/leases.mysql.sql.ts stampRows, stamp.claimed_by = undefined
UPDATE `table` AS t FORCE INDEX (PRIMARY) SET t.claimed_at = ? WHERE t.step_id IN (?, ?);

-- worker/leases.mysql.sql.ts stampRows, stepIds[] = 1
UPDATE `table` AS t FORCE INDEX (PRIMARY) SET t.claimed_by = `claimed_by`, t.claimed_at = ? WHERE t.step_id IN (?);

-- worker/leases.mysql.sql.ts stampRows, the least
UPDATE `table` AS t FORCE INDEX (PRIMARY) SET t.claimed_at = ? WHERE t.step_id IN (?);

-- worker/leases.mysql.sql.ts stampRows, the least, stamp.claimed_by = bigint
UPDATE `table` AS t FORCE INDEX (PRIMARY) SET t.claimed_by = ?, t.claimed_at = ? WHERE t.step_id IN (?);

-- worker/leases.mysql.sql.ts lockFreeByKey
SELECT t.*, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `table` AS t FORCE INDEX (PRIMARY)
  WHERE step_id IN (?, ?) AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) ORDER BY step_id FOR UPDATE SKIP LOCKED;
-- "stepIds-1"
-- "stepIds-2"
-- 1

-- worker/leases.mysql.sql.ts lockFreeByKey, stepIds[] = 1
SELECT t.*, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `table` AS t FORCE INDEX (PRIMARY)
  WHERE step_id IN (?) AND (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) ORDER BY step_id FOR UPDATE SKIP LOCKED;

-- worker/leases.mysql.sql.ts lockHolders
SELECT step_id, claimed_by, claimed_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at
  FROM `table` FORCE INDEX (PRIMARY) WHERE step_id IN (?, ?) ORDER BY step_id FOR UPDATE;
-- "stepId-1"
-- "stepId-2"

-- worker/leases.mysql.sql.ts lockHolders, claims[] = 1
SELECT step_id, claimed_by, claimed_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at
  FROM `table` FORCE INDEX (PRIMARY) WHERE step_id IN (?) ORDER BY step_id FOR UPDATE;

-- worker/leases.mysql.sql.ts deleteRows
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `table` AS gone FORCE INDEX (`PRIMARY`) ON gone.step_id = k.found;
-- "[{"found":"stepIds-1"},{"found":"stepIds-2"}]"

-- worker/leases.mysql.sql.ts insertAnswers
INSERT INTO `durable_transport_results` (step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)
  SELECT r.step_id, r.run_id, r.seq, r.status, r.output, r.error, r.started_at, ?, r.claimed_by
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`step_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.step_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `claimed_by` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.claimed_by' NULL ON EMPTY ERROR ON ERROR)) AS r ON DUPLICATE KEY UPDATE `step_id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`step_id`), VALUES(`step_id`));
-- "at"
-- "[{"step_id":"stepId-1","run_id":"runId-1","seq":1,"status":"completed","output":"output-1","error":"error-1","started_at":2,"claimed_by":"by:3:worker-1"},{"step_id":"stepId-2","run_id":"runId-2","seq":4,"status":"completed","output":"output-2","error":"error-2","started_at":5,"claimed_by":"by:6:worker-2"}]"
-- a large number
-- a large number
-- a large number

-- worker/lost-attempts.sql.ts insertLost
INSERT INTO `attempts` (run_id, seq, attempt, finished_at, worker, error, outcome)
  SELECT run_id, seq, attempt, finished_at, worker, error, 'lost' FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR)) AS l
  WHERE EXISTS (SELECT 1 FROM `runs` AS r WHERE r.id = l.run_id) ON DUPLICATE KEY UPDATE `outcome` = VALUES(`outcome`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`), `error` = VALUES(`error`);
-- "[{"seq":1,"attempt":2,"worker":"worker-1","error":"error-1","run_id":"runId-1","finished_at":3},{"seq":4,"attempt":5,"worker":"worker-2","error":"error-2","run_id":"runId-2","finished_at":6}]"

-- worker/lost-attempts.sql.ts selectLosses
SELECT (SELECT COUNT(*) FROM `attempts` AS o
    WHERE o.run_id = l.run_id AND o.seq = l.seq AND o.attempt = l.attempt) AS known, (SELECT COALESCE(MAX(k.attempt), 0) FROM `attempts` AS k
    WHERE k.run_id = l.run_id AND k.seq = l.seq AND k.attempt < l.attempt AND k.outcome <> 'lost') AS kept, (SELECT COUNT(*) - COUNT(DISTINCT CASE WHEN n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) OR n.seen_at > a.finished_at THEN NULL ELSE a.worker END)
    FROM `attempts` AS a JOIN `nodes` AS n ON n.id = a.worker
    WHERE a.run_id = l.run_id AND a.seq = l.seq AND a.attempt <= l.attempt AND a.outcome = 'lost' AND a.attempt > (SELECT COALESCE(MAX(k.attempt), 0) FROM `attempts` AS k
    WHERE k.run_id = l.run_id AND k.seq = l.seq AND k.attempt < l.attempt AND k.outcome <> 'lost')) AS spared
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR)) AS l ORDER BY l.n;
-- "[{"n":0,"run_id":"runId-1","seq":1,"attempt":2},{"n":1,"run_id":"runId-2","seq":4,"attempt":5}]"

-- worker/lost-attempts.sql.ts insertStepLines
INSERT INTO `logs` (run_id, seq, attempt, level, message, fields, logged_at)
  SELECT run_id, seq, attempt, level, message, fields, logged_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `level` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.level' NULL ON EMPTY ERROR ON ERROR, `message` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.message' NULL ON EMPTY ERROR ON ERROR, `fields` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.fields' NULL ON EMPTY ERROR ON ERROR, `logged_at` bigint PATH '$.logged_at' NULL ON EMPTY ERROR ON ERROR)) AS l WHERE EXISTS (SELECT 1 FROM `runs` AS r WHERE r.id = l.run_id) ORDER BY l.n;
-- "[{"seq":1,"attempt":2,"level":"debug","message":"message-1","fields":"fields-1","n":0,"run_id":"runId-1","logged_at":3},{"seq":4,"attempt":5,"level":"debug","message":"message-2","fields":"fields-2","n":1,"run_id":"runId-2","logged_at":6}]"

-- worker/tasks.sql.ts upsertTasksMysql
INSERT INTO `durable_transport_tasks` (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at - COALESCE(r.head_start, 0), r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`step_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.step_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `grp` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.grp' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `head_start` bigint PATH '$.head_start' NULL ON EMPTY ERROR ON ERROR, `claimed_by` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.claimed_by' NULL ON EMPTY ERROR ON ERROR)) AS r, (SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at) AS clock ON DUPLICATE KEY UPDATE `durable_transport_tasks`.`run_id` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`run_id`), `durable_transport_tasks`.`run_id`), `durable_transport_tasks`.`seq` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`seq`), `durable_transport_tasks`.`seq`), `durable_transport_tasks`.`name` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`name`), `durable_transport_tasks`.`name`), `durable_transport_tasks`.`grp` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`grp`), `durable_transport_tasks`.`grp`), `durable_transport_tasks`.`input` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`input`), `durable_transport_tasks`.`input`), `durable_transport_tasks`.`created_at` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`created_at`), `durable_transport_tasks`.`created_at`), `durable_transport_tasks`.`claimed_by` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`claimed_by`), `durable_transport_tasks`.`claimed_by`), `durable_transport_tasks`.`claimed_at` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`claimed_at`), `durable_transport_tasks`.`claimed_at`), `durable_transport_tasks`.`attempt` = GREATEST(`durable_transport_tasks`.`attempt`, VALUES(`attempt`));
-- "[{"head_start":3000,"claimed_by":"get","step_id":"stepId-1","run_id":"runId-1","seq":1,"name":"name-1","grp":"group-1","input":"input-1","attempt":2},{"head_start":6000,"claimed_by":"get","step_id":"stepId-2","run_id":"runId-2","seq":4,"name":"name-2","grp":"group-2","input":"input-2","attempt":5}]"

-- worker/tasks.sql.ts upsertTasksMysql, marks.has() = false
INSERT INTO `durable_transport_tasks` (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - COALESCE(r.head_start, 0)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`step_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.step_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `grp` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.grp' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `head_start` bigint PATH '$.head_start' NULL ON EMPTY ERROR ON ERROR)) AS r ON DUPLICATE KEY UPDATE `durable_transport_tasks`.`run_id` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`run_id`), `durable_transport_tasks`.`run_id`), `durable_transport_tasks`.`seq` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`seq`), `durable_transport_tasks`.`seq`), `durable_transport_tasks`.`name` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`name`), `durable_transport_tasks`.`name`), `durable_transport_tasks`.`grp` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`grp`), `durable_transport_tasks`.`grp`), `durable_transport_tasks`.`input` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`input`), `durable_transport_tasks`.`input`), `durable_transport_tasks`.`created_at` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`created_at`), `durable_transport_tasks`.`created_at`), `durable_transport_tasks`.`claimed_by` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, NULL, `durable_transport_tasks`.`claimed_by`), `durable_transport_tasks`.`claimed_at` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, NULL, `durable_transport_tasks`.`claimed_at`), `durable_transport_tasks`.`attempt` = GREATEST(`durable_transport_tasks`.`attempt`, VALUES(`attempt`));

-- worker/tasks.sql.ts upsertTasksMysql, tasks[].priority = undefined
INSERT INTO `durable_transport_tasks` (step_id, run_id, seq, name, grp, input, attempt, status, created_at, claimed_by, claimed_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', clock.at, r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`step_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.step_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `grp` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.grp' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `claimed_by` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.claimed_by' NULL ON EMPTY ERROR ON ERROR)) AS r, (SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at) AS clock ON DUPLICATE KEY UPDATE `durable_transport_tasks`.`run_id` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`run_id`), `durable_transport_tasks`.`run_id`), `durable_transport_tasks`.`seq` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`seq`), `durable_transport_tasks`.`seq`), `durable_transport_tasks`.`name` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`name`), `durable_transport_tasks`.`name`), `durable_transport_tasks`.`grp` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`grp`), `durable_transport_tasks`.`grp`), `durable_transport_tasks`.`input` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`input`), `durable_transport_tasks`.`input`), `durable_transport_tasks`.`created_at` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`created_at`), `durable_transport_tasks`.`created_at`), `durable_transport_tasks`.`claimed_by` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`claimed_by`), `durable_transport_tasks`.`claimed_by`), `durable_transport_tasks`.`claimed_at` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`claimed_at`), `durable_transport_tasks`.`claimed_at`), `durable_transport_tasks`.`attempt` = GREATEST(`durable_transport_tasks`.`attempt`, VALUES(`attempt`));

-- worker/tasks.sql.ts upsertTasksMysql, the least
INSERT INTO `durable_transport_tasks` (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`step_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.step_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `grp` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.grp' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR)) AS r ON DUPLICATE KEY UPDATE `durable_transport_tasks`.`run_id` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`run_id`), `durable_transport_tasks`.`run_id`), `durable_transport_tasks`.`seq` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`seq`), `durable_transport_tasks`.`seq`), `durable_transport_tasks`.`name` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`name`), `durable_transport_tasks`.`name`), `durable_transport_tasks`.`grp` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`grp`), `durable_transport_tasks`.`grp`), `durable_transport_tasks`.`input` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`input`), `durable_transport_tasks`.`input`), `durable_transport_tasks`.`created_at` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, VALUES(`created_at`), `durable_transport_tasks`.`created_at`), `durable_transport_tasks`.`claimed_by` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, NULL, `durable_transport_tasks`.`claimed_by`), `durable_transport_tasks`.`claimed_at` = IF(VALUES(`attempt`) > `durable_transport_tasks`.`attempt`, NULL, `durable_transport_tasks`.`claimed_at`), `durable_transport_tasks`.`attempt` = GREATEST(`durable_transport_tasks`.`attempt`, VALUES(`attempt`));

-- worker/tasks.sql.ts deleteTasks
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_transport_tasks` AS gone FORCE INDEX (`PRIMARY`) ON gone.step_id = k.found;
-- "[{"found":"stepIds-1"},{"found":"stepIds-2"}]"

-- worker/tasks.sql.ts selectAlive
SELECT step_id, run_id FROM `durable_transport_tasks` WHERE step_id IN (?, ?)
  UNION ALL
  SELECT step_id, run_id FROM `durable_transport_results` WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"
-- "stepIds-1"
-- "stepIds-2"

-- worker/tasks.sql.ts selectAlive, stepIds[] = 1
SELECT step_id, run_id FROM `durable_transport_tasks` WHERE step_id IN (?)
  UNION ALL
  SELECT step_id, run_id FROM `durable_transport_results` WHERE step_id IN (?);

-- worker/tasks.sql.ts selectHolders
SELECT step_id, attempt, claimed_by, claimed_at FROM `durable_transport_tasks` FORCE INDEX (`PRIMARY`) WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- worker/tasks.sql.ts selectHolders, stepIds[] = 1
SELECT step_id, attempt, claimed_by, claimed_at FROM `durable_transport_tasks` FORCE INDEX (`PRIMARY`) WHERE step_id IN (?);

-- worker/tasks.sql.ts selectClaimed
SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM ((
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE t.grp = ? AND t.created_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at LIMIT 10000) UNION ALL (
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE t.grp = ? AND t.created_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at LIMIT 10000)) AS o
    WHERE o.claimed_at IS NOT NULL;
-- "groups-1"
-- "groups-2"

-- worker/tasks.sql.ts selectClaimed, groups[] = 1
SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM ((
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE t.grp = ? AND t.created_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at LIMIT 10000)) AS o
    WHERE o.claimed_at IS NOT NULL;

-- worker/tasks.sql.ts selectClaimed, withinMs = undefined
SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM ((
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE t.grp = ? ORDER BY t.created_at LIMIT 10000) UNION ALL (
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE t.grp = ? ORDER BY t.created_at LIMIT 10000)) AS o
    WHERE o.claimed_at IS NOT NULL;

-- worker/tasks.sql.ts selectClaimed, the least
SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM ((
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE t.grp = ? ORDER BY t.created_at LIMIT 10000)) AS o
    WHERE o.claimed_at IS NOT NULL;

-- worker/tasks.sql.ts endLeases
UPDATE `durable_transport_tasks` FORCE INDEX (`PRIMARY`) SET claimed_at = 0 WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- worker/tasks.sql.ts endLeases, stepIds[] = 1
UPDATE `durable_transport_tasks` FORCE INDEX (`PRIMARY`) SET claimed_at = 0 WHERE step_id IN (?);

-- worker/tasks.sql.ts selectAnswers
SELECT step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `durable_transport_results`
  WHERE created_at >= ? AND (created_at > ? OR step_id > ?)
  ORDER BY created_at, step_id
  LIMIT 1;
-- 2
-- 2
-- "stepId"

-- worker/tasks.sql.ts deleteAnswers
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_transport_results` AS gone FORCE INDEX (`PRIMARY`) ON gone.step_id = k.found;
-- "[{"found":"stepIds-1"},{"found":"stepIds-2"}]"

-- worker/tasks.sql.ts lockHolders
SELECT step_id, attempt, claimed_by, claimed_at FROM `durable_transport_tasks` FORCE INDEX (`PRIMARY`) WHERE step_id IN (?, ?) ORDER BY step_id FOR UPDATE SKIP LOCKED;
-- "stepIds-1"
-- "stepIds-2"

-- worker/tasks.sql.ts lockHolders, stepIds[] = 1
SELECT step_id, attempt, claimed_by, claimed_at FROM `durable_transport_tasks` FORCE INDEX (`PRIMARY`) WHERE step_id IN (?) ORDER BY step_id FOR UPDATE SKIP LOCKED;

-- worker/tasks.sql.ts lockAnswers
SELECT step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by FROM `durable_transport_results` FORCE INDEX (`PRIMARY`) WHERE step_id IN (?, ?) ORDER BY step_id FOR UPDATE;
-- "stepIds-1"
-- "stepIds-2"

-- worker/tasks.sql.ts lockAnswers, stepIds[] = 1
SELECT step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by FROM `durable_transport_results` FORCE INDEX (`PRIMARY`) WHERE step_id IN (?) ORDER BY step_id FOR UPDATE;

-- worker/transport.sql.ts selectMarked
SELECT step_id, created_at FROM `durable_transport_results` WHERE step_id IN (?, ?) AND claimed_by = ?;
-- "stepIds-1"
-- "stepIds-2"
-- "mark"

-- worker/transport.sql.ts selectMarked, stepIds[] = 1
SELECT step_id, created_at FROM `durable_transport_results` WHERE step_id IN (?) AND claimed_by = ?;

-- worker/waiting-tasks.sql.ts selectGroups
SELECT g.grp FROM (
    SELECT w.grp FROM (
      SELECT w.grp FROM (
        SELECT t.grp FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
        WHERE t.grp > ? GROUP BY t.grp ORDER BY t.grp LIMIT 1) AS w) AS w UNION SELECT a.grp FROM JSON_TABLE(?, '$[*]' COLUMNS (`grp` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.grp' NULL ON EMPTY ERROR ON ERROR)) AS a WHERE a.grp > ?
  ) AS g ORDER BY g.grp LIMIT 1;
-- "2"
-- "[{"grp":"also-1"},{"grp":"also-2"}]"
-- "2"

-- worker/waiting-tasks.sql.ts selectGroups, 2.also = undefined
SELECT w.grp FROM (
        SELECT t.grp FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
        WHERE t.grp > ? GROUP BY t.grp ORDER BY t.grp LIMIT 1) AS w ORDER BY grp;

-- worker/waiting-tasks.sql.ts selectOverdueGroups
SELECT g.grp, CASE WHEN g.since <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 2 THEN 1 ELSE 0 END AS overdue FROM (
    SELECT grp, min(created_at) AS since FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE grp > _utf8mb4 0x31 GROUP BY grp ORDER BY grp LIMIT 1000
  ) AS g ORDER BY g.grp;

-- worker/waiting-tasks.sql.ts selectWindows
(
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE grp = ? AND created_at >= ? AND (created_at > ? OR step_id > ?)
    ORDER BY created_at, step_id LIMIT 2) UNION ALL (
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE grp = ? AND created_at >= ? AND (created_at > ? OR step_id > ?)
    ORDER BY created_at, step_id LIMIT 4);
-- "group-1"
-- 1
-- 1
-- "stepId-1"
-- "group-2"
-- 3
-- 3
-- "stepId-2"

-- worker/waiting-tasks.sql.ts selectWindows, windows[] = 1
(
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE grp = ? AND created_at >= ? AND (created_at > ? OR step_id > ?)
    ORDER BY created_at, step_id LIMIT 2);

-- worker/waiting-tasks.sql.ts selectWindows, windows[].after = undefined
(
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE grp = ? ORDER BY created_at LIMIT 1) UNION ALL (
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE grp = ? ORDER BY created_at LIMIT 2);

-- worker/waiting-tasks.sql.ts selectWindows, the least
(
    SELECT step_id, run_id, attempt, name, grp, created_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - created_at AS waited_ms, CASE WHEN (claimed_at IS NOT NULL AND claimed_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000) THEN 1 ELSE 0 END AS claimed
    FROM `durable_transport_tasks` FORCE INDEX (`durable_transport_tasks_claim`)
    WHERE grp = ? ORDER BY created_at LIMIT 1);

-- worker/waiting-tasks.sql.ts selectUnclaimed
SELECT step_id, attempt FROM `durable_transport_tasks`
  WHERE step_id IN (?, ?) AND NOT (claimed_at IS NOT NULL AND claimed_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000);
-- "stepIds-1"
-- "stepIds-2"

-- worker/waiting-tasks.sql.ts selectUnclaimed, stepIds[] = 1
SELECT step_id, attempt FROM `durable_transport_tasks`
  WHERE step_id IN (?) AND NOT (claimed_at IS NOT NULL AND claimed_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000);

-- worker/waiting-tasks.sql.ts countTasks
(
    SELECT CAST(? AS char) COLLATE utf8mb4_0900_bin AS grp, count(*) AS tasks,
      count(CASE WHEN o.claimed_at IS NULL THEN 1 END) AS waiting,
      min(CASE WHEN o.claimed_at IS NULL THEN o.created_at END) AS since,
      count(CASE WHEN o.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 1 END) AS lapsed
    FROM (
      SELECT t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
      WHERE t.grp = ? ORDER BY t.created_at LIMIT 2
    ) AS o) UNION ALL (
    SELECT CAST(? AS char) COLLATE utf8mb4_0900_bin AS grp, count(*) AS tasks,
      count(CASE WHEN o.claimed_at IS NULL THEN 1 END) AS waiting,
      min(CASE WHEN o.claimed_at IS NULL THEN o.created_at END) AS since,
      count(CASE WHEN o.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 1 END) AS lapsed
    FROM (
      SELECT t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
      WHERE t.grp = ? ORDER BY t.created_at LIMIT 2
    ) AS o);
-- "groups-1"
-- "groups-1"
-- "groups-2"
-- "groups-2"

-- worker/waiting-tasks.sql.ts countTasks, groups[] = 1
(
    SELECT CAST(? AS char) COLLATE utf8mb4_0900_bin AS grp, count(*) AS tasks,
      count(CASE WHEN o.claimed_at IS NULL THEN 1 END) AS waiting,
      min(CASE WHEN o.claimed_at IS NULL THEN o.created_at END) AS since,
      count(CASE WHEN o.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 1 END) AS lapsed
    FROM (
      SELECT t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`)
      WHERE t.grp = ? ORDER BY t.created_at LIMIT 2
    ) AS o);

-- worker/waiting-tasks.sql.ts selectScanEnd
SELECT t.grp, t.created_at, t.step_id FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? AND (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) ORDER BY t.created_at, t.step_id LIMIT 1 OFFSET 9999;
-- "group"
-- "group"
-- "group"
-- 2
-- 2
-- "stepId"

-- worker/waiting-tasks.sql.ts selectScanEnd, query.after = undefined
SELECT t.grp, t.created_at, t.step_id FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? ORDER BY t.created_at, t.step_id LIMIT 1 OFFSET 9999;

-- worker/waiting-tasks.sql.ts selectScanEnd, query.group = undefined
SELECT t.grp, t.created_at, t.step_id FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) ORDER BY t.grp, t.created_at, t.step_id LIMIT 1 OFFSET 9999;

-- worker/waiting-tasks.sql.ts selectScanEnd, the least
SELECT t.grp, t.created_at, t.step_id FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 1 OFFSET 9999;

-- worker/waiting-tasks.sql.ts selectListed
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? AND (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) AND (t.grp < ? OR (t.grp = ? AND (t.created_at < ?
        OR (t.created_at = ? AND t.step_id <= ?)))) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = ? AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END = ? AND (t.claimed_by = ? OR LEFT(t.claimed_by, 7) = ?) AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;
-- "group"
-- "group"
-- "group"
-- 2
-- 2
-- "stepId"
-- "group"
-- "group"
-- 4
-- 4
-- "stepId"
-- "name"
-- "inHand"
-- "worker"
-- "worker#"

-- worker/waiting-tasks.sql.ts selectListed, end = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? AND (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = ? AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END = ? AND (t.claimed_by = ? OR LEFT(t.claimed_by, 7) = ?) AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, query.after = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? AND (t.grp < ? OR (t.grp = ? AND (t.created_at < ?
        OR (t.created_at = ? AND t.step_id <= ?)))) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = ? AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END = ? AND (t.claimed_by = ? OR LEFT(t.claimed_by, 7) = ?) AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, query.group = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) AND (t.grp < ? OR (t.grp = ? AND (t.created_at < ?
        OR (t.created_at = ? AND t.step_id <= ?)))) ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = ? AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END = ? AND (t.claimed_by = ? OR LEFT(t.claimed_by, 7) = ?) AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, query.name = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? AND (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) AND (t.grp < ? OR (t.grp = ? AND (t.created_at < ?
        OR (t.created_at = ? AND t.step_id <= ?)))) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END = ? AND (t.claimed_by = ? OR LEFT(t.claimed_by, 7) = ?) AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, query.status = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? AND (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) AND (t.grp < ? OR (t.grp = ? AND (t.created_at < ?
        OR (t.created_at = ? AND t.step_id <= ?)))) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = ? AND (t.claimed_by = ? OR LEFT(t.claimed_by, 7) = ?) AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, query.worker = undefined
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? AND (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) AND (t.grp < ? OR (t.grp = ? AND (t.created_at < ?
        OR (t.created_at = ? AND t.step_id <= ?)))) ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = ? AND CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END = ? AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, the least
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, end = TaskPosition
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE (t.grp < ? OR (t.grp = ? AND (t.created_at < ?
        OR (t.created_at = ? AND t.step_id <= ?)))) ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.after = TaskPosition
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE (t.grp > ? OR (t.grp = ? AND (t.created_at > ?
        OR (t.created_at = ? AND t.step_id > ?)))) ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 4;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.group = string
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE t.grp = ? ORDER BY t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.name = string
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE t.name = ? AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.status = "inHand"
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END = ? AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;

-- worker/waiting-tasks.sql.ts selectListed, the least, query.worker = string
SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at, CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 300000 THEN 'lapsed' ELSE 'inHand' END AS standing FROM (
    SELECT t.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at FROM `durable_transport_tasks` AS t FORCE INDEX (`durable_transport_tasks_claim`) WHERE 1 = 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 10000) AS t
  WHERE (t.claimed_by = ? OR LEFT(t.claimed_by, 7) = ?) AND t.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY t.grp, t.created_at, t.step_id LIMIT 3;
