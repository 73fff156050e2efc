-- engine/starts/run-lives.sql.ts selectForkable
SELECT seq, kind, name, settled, CASE WHEN kind = 'signal' AND settled IS NULL THEN output END AS output
  FROM `durable_steps` WHERE run_id = ? LOCK IN SHARE MODE;
-- "runId"

-- engine/starts/run-lives.sql.ts selectMark
SELECT 1 AS found FROM `durable_erasures` WHERE run_id = ? LIMIT 1 LOCK IN SHARE MODE;
-- "runId"

-- engine/starts/run-lives.sql.ts rebegin
UPDATE `durable_runs`
  SET status = 'pending', input = COALESCE(?, input), version = COALESCE(?, version),
    context = COALESCE(?, context),
    epoch = epoch + 1, first_seq = ?, created_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), continued_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 1, wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed),
    deadline = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + timeout_ms, started_at = NULL, finished_at = NULL, output = NULL, error = NULL, closing = NULL,
    reason = NULL, reason_detail = NULL, resume = NULL, custom_status = NULL, owner = NULL, turn = NULL,
    forked_from = NULL, forked_seq = NULL, settled = 0, crashes = 0, unwinds = 0, blockers = 0,
    precondition = CASE WHEN limiter IS NULL THEN NULL ELSE 'limiter' END
  WHERE id = ?;
-- "input"
-- 1
-- "context"
-- 2
-- "id"

-- engine/starts/run-lives.sql.ts insertFork
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, context, input, status, epoch, settled, crashes, wake_at, deadline, created_at,
    notifies, precondition, forked_from, forked_seq)
  SELECT ?, namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, COALESCE(?, o.context), COALESCE(?, o.input), 'pending', 1, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + o.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed),
    CASE WHEN o.limiter IS NULL THEN 0 ELSE 4 END,
    CASE WHEN o.limiter IS NULL THEN NULL ELSE 'limiter' END, ?, 1
  FROM `durable_runs` AS o WHERE o.id = ? ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));
-- "id"
-- "context"
-- "input"
-- "source"
-- "source"
-- a large number
-- a large number
-- a large number

-- engine/starts/run-lives.sql.ts selectFork
SELECT forked_from, forked_seq FROM `durable_runs` WHERE id = ? LOCK IN SHARE MODE;
-- "id"

-- engine/starts/run-lives.sql.ts copySteps
INSERT INTO `durable_steps` (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
  SELECT ?, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM `durable_steps` AS s
  WHERE s.run_id = ? AND s.seq >= 0 AND s.seq < ? AND NOT (s.kind = 'signal' AND s.settled IS NULL);
-- "id"
-- "source"
-- 1

-- engine/starts/run-lives.sql.ts copyNotes
INSERT INTO `durable_step_attempts` (run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error)
  SELECT ?, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM `durable_step_attempts` AS a
  WHERE a.run_id = ? AND a.seq >= 0 AND a.seq < ?;
INSERT INTO `durable_run_attributes` (run_id, name, namespace, type, text_value, number_value)
  SELECT ?, name, namespace, type, text_value, number_value FROM `durable_run_attributes` AS a WHERE a.run_id = ?;
-- "id"
-- "source"
-- 1
-- "id"
-- "source"

-- engine/starts/sql-id-reuse.ts lockOld
SELECT id, namespace, workflow, status, epoch, first_seq, erased_at FROM `durable_runs`
  WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/starts/sql-id-reuse.ts lockOld, ids[] = 1
SELECT id, namespace, workflow, status, epoch, first_seq, erased_at FROM `durable_runs`
  WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/starts/sql-id-reuse.ts selectLast
SELECT run_id, MAX(seq) AS seq FROM `durable_steps` WHERE run_id IN (?, ?)
  GROUP BY run_id LOCK IN SHARE MODE;
-- "1"
-- "2"

-- engine/starts/sql-id-reuse.ts selectLast, ids[] = 1
SELECT run_id, MAX(seq) AS seq FROM `durable_steps` WHERE run_id IN (?)
  GROUP BY run_id LOCK IN SHARE MODE;

-- engine/starts/sql-id-reuse.ts goOnFrom
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `first_seq` bigint PATH '$.first_seq' NULL ON EMPTY ERROR ON ERROR)) AS n ON r.id = n.id SET r.epoch = n.epoch, r.first_seq = n.first_seq;
-- "[{"id":"id-1","epoch":1,"first_seq":2},{"id":"id-2","epoch":3,"first_seq":4}]"

-- engine/starts/sql-run-children.ts insertChildren
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn, n.context
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2"}]"
-- a large number
-- a large number
-- a large number

-- engine/starts/sql-run-children.ts insertChildren, children[].context = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts/sql-run-children.ts insertChildren, children[].turn = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.context
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts/sql-run-children.ts insertChildren, the least
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts/sql-run-children.ts selectBelonging
SELECT id, parent_id, parent_seq FROM `durable_runs` WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/starts/sql-run-children.ts selectBelonging, ids[] = 1
SELECT id, parent_id, parent_seq FROM `durable_runs` WHERE id IN (?);

-- engine/starts/sql-run-turns.ts selectLastTurns
SELECT ? AS nth, 
    (SELECT o.turn FROM `durable_runs` AS o WHERE o.limiter = ? AND o.turn >= ? AND o.turn < ?
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM `durable_runs` AS h
      WHERE h.namespace = ? AND h.workflow = ? AND h.version = ?
        AND h.turn >= ? AND h.turn < ?
      ORDER BY h.turn LIMIT 1) AS head_turn UNION ALL SELECT ? AS nth, 
    (SELECT o.turn FROM `durable_runs` AS o WHERE o.limiter = ? AND o.turn >= ? AND o.turn < ?
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM `durable_runs` AS h
      WHERE h.namespace = ? AND h.workflow = ? AND h.version = ?
        AND h.turn >= ? AND h.turn < ?
      ORDER BY h.turn LIMIT 1) AS head_turn;
-- 1
-- "limiter-1"
-- 3
-- 4
-- "namespace-1"
-- "workflow-1"
-- 2
-- 3
-- 4
-- 5
-- "limiter-2"
-- 7
-- 8
-- "namespace-2"
-- "workflow-2"
-- 6
-- 7
-- 8

-- engine/starts/sql-run-turns.ts selectLastTurns, keys[] = 1
SELECT ? AS nth, 
    (SELECT o.turn FROM `durable_runs` AS o WHERE o.limiter = ? AND o.turn >= ? AND o.turn < ?
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM `durable_runs` AS h
      WHERE h.namespace = ? AND h.workflow = ? AND h.version = ?
        AND h.turn >= ? AND h.turn < ?
      ORDER BY h.turn LIMIT 1) AS head_turn;

-- engine/starts/start-key.sql.ts insertKeys
INSERT INTO `durable_start_keys` (start_key, run_id, expires_at, latest_at)
  SELECT n.start_key, n.run_id, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.window_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.longest_ms FROM JSON_TABLE(?, '$[*]' COLUMNS (`start_key` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.start_key' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `window_ms` bigint PATH '$.window_ms' NULL ON EMPTY ERROR ON ERROR, `longest_ms` bigint PATH '$.longest_ms' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `start_key` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`start_key`), VALUES(`start_key`));
-- "[{"start_key":"key-1","run_id":"id-1","longest_ms":3},{"start_key":"key-2","run_id":"id-2","longest_ms":6}]"
-- a large number
-- a large number
-- a large number

-- engine/starts/start-key.sql.ts lockKeys
SELECT start_key, run_id, CASE WHEN expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired
  FROM `durable_start_keys` WHERE start_key IN (?, ?) ORDER BY start_key FOR UPDATE;
-- "keys-1"
-- "keys-2"

-- engine/starts/start-key.sql.ts lockKeys, keys[] = 1
SELECT start_key, run_id, CASE WHEN expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired
  FROM `durable_start_keys` WHERE start_key IN (?) ORDER BY start_key FOR UPDATE;

-- engine/starts/start-key.sql.ts takeKeys
UPDATE `durable_start_keys` AS k JOIN JSON_TABLE(?, '$[*]' COLUMNS (`start_key` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.start_key' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `window_ms` bigint PATH '$.window_ms' NULL ON EMPTY ERROR ON ERROR, `longest_ms` bigint PATH '$.longest_ms' NULL ON EMPTY ERROR ON ERROR)) AS n ON k.start_key = n.start_key SET k.run_id = n.run_id, k.expires_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.window_ms, k.latest_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.longest_ms;
-- "[{"start_key":"key-1","run_id":"id-1","longest_ms":3},{"start_key":"key-2","run_id":"id-2","longest_ms":6}]"

-- engine/starts/start-key.sql.ts selectOpen
SELECT id FROM `durable_runs` WHERE id IN (?, ?) AND status NOT IN (?, ?, ?, ?)
  LOCK IN SHARE MODE;
-- "1"
-- "2"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/starts/start-key.sql.ts selectOpen, ids[] = 1
SELECT id FROM `durable_runs` WHERE id IN (?) AND status NOT IN (?, ?, ?, ?)
  LOCK IN SHARE MODE;

-- engine/starts/start-key.sql.ts lockUnbegun
SELECT id FROM `durable_runs`
  WHERE id IN (?, ?) AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/starts/start-key.sql.ts lockUnbegun, ids[] = 1
SELECT id FROM `durable_runs`
  WHERE id IN (?) AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE;

-- engine/starts/start-key.sql.ts putOff
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `start_key` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.start_key' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR)) AS n JOIN `durable_start_keys` AS k ON k.start_key = n.start_key ON r.id = n.run_id SET r.input = n.input, r.wake_at = LEAST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, COALESCE(k.latest_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms)), r.deadline = LEAST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, COALESCE(k.latest_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms)) + n.timeout_ms, r.timeout_ms = n.timeout_ms;
-- "[{"run_id":"runId-1","start_key":"key-1","input":"input-1","delay_ms":1,"timeout_ms":2},{"run_id":"runId-2","start_key":"key-2","input":"input-2","delay_ms":4,"timeout_ms":5}]"
