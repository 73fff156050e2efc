-- worker/leases.mysql.sql.ts lockFreeByKey
SELECT t.*, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `table` AS t FORCE INDEX (`PRIMARY`) ON t.step_id = k.found
  WHERE (claimed_at IS NULL OR claimed_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?) FOR UPDATE SKIP LOCKED;
-- "[{"found":"stepIds-1"},{"found":"stepIds-2"}]"
-- 1

-- worker/leases.mysql.sql.ts lockHolders
SELECT step_id, claimed_by, claimed_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `table` AS t FORCE INDEX (`PRIMARY`) ON t.step_id = k.found FOR UPDATE;
-- "[{"found":"stepId-1"},{"found":"stepId-2"}]"

-- worker/tasks.sql.ts lockHolders
SELECT step_id, attempt, claimed_by, claimed_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_transport_tasks` AS t FORCE INDEX (`PRIMARY`) ON t.step_id = k.found FOR UPDATE SKIP LOCKED;
-- "[{"found":"stepIds-1"},{"found":"stepIds-2"}]"

-- worker/tasks.sql.ts lockAnswers
SELECT step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_transport_results` AS t FORCE INDEX (`PRIMARY`) ON t.step_id = k.found FOR UPDATE;
-- "[{"found":"stepIds-1"},{"found":"stepIds-2"}]"
