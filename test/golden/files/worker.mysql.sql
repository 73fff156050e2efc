-- worker/lost-attempts.sql.ts insertLost
INSERT INTO `attempts` (run_id, seq, attempt, finished_at, worker, error, outcome)
  SELECT run_id, seq, attempt, finished_at, worker, error, 'lost' FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR)) AS l
  WHERE EXISTS (SELECT 1 FROM `runs` AS r WHERE r.id = l.run_id) ON DUPLICATE KEY UPDATE `outcome` = VALUES(`outcome`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`), `error` = VALUES(`error`);
-- "[{"seq":1,"attempt":2,"worker":"worker-1","error":"error-1","run_id":"runId-1","finished_at":3},{"seq":4,"attempt":5,"worker":"worker-2","error":"error-2","run_id":"runId-2","finished_at":6}]"

-- worker/lost-attempts.sql.ts selectLastKept
SELECT (SELECT COALESCE(MAX(a.attempt), 0) FROM `attempts` AS a
    WHERE a.run_id = l.run_id AND a.seq = l.seq AND a.attempt < l.attempt AND a.outcome <> 'lost') AS kept
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR)) AS l ORDER BY l.n;
-- "[{"n":0,"run_id":"runId-1","seq":1,"attempt":2},{"n":1,"run_id":"runId-2","seq":4,"attempt":5}]"

-- worker/sql-step-log-sink.ts insertStepLines
INSERT INTO `logs` (run_id, seq, attempt, level, message, fields, logged_at)
  SELECT run_id, seq, attempt, level, message, fields, logged_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `level` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.level' NULL ON EMPTY ERROR ON ERROR, `message` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.message' NULL ON EMPTY ERROR ON ERROR, `fields` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.fields' NULL ON EMPTY ERROR ON ERROR, `logged_at` bigint PATH '$.logged_at' NULL ON EMPTY ERROR ON ERROR)) AS l WHERE EXISTS (SELECT 1 FROM `runs` AS r WHERE r.id = l.run_id) ORDER BY l.n;
-- "[{"seq":1,"attempt":2,"level":"debug","message":"message-1","fields":"fields-1","n":0,"run_id":"runId-1","logged_at":3},{"seq":4,"attempt":5,"level":"debug","message":"message-2","fields":"fields-2","n":1,"run_id":"runId-2","logged_at":6}]"
