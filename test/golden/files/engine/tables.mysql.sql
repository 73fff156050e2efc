-- engine/tables/note.sql.ts upsertAttributes
INSERT INTO `durable_run_attributes` (run_id, name, namespace, type, text_value, number_value)
  SELECT a.run_id, a.name, r.namespace, a.type, a.text_value, CAST(a.number_value AS double)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `type` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.type' NULL ON EMPTY ERROR ON ERROR, `text_value` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.text_value' NULL ON EMPTY ERROR ON ERROR, `number_value` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.number_value' NULL ON EMPTY ERROR ON ERROR)) AS a JOIN `durable_runs` AS r ON r.id = a.run_id
  WHERE true ON DUPLICATE KEY UPDATE `type` = VALUES(`type`), `text_value` = VALUES(`text_value`), `number_value` = VALUES(`number_value`);
-- "[{"run_id":"runId-1","name":"name-1","type":"date","text_value":null,"number_value":"1"},{"run_id":"runId-2","name":"name-2","type":"date","text_value":null,"number_value":"2"}]"

-- engine/tables/note.sql.ts deleteAttributes
DELETE a FROM `durable_run_attributes` AS a JOIN JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR)) AS d ON a.run_id = d.run_id AND a.name = d.name;
-- "[{"run_id":"runId-1","name":"name-1"},{"run_id":"runId-2","name":"name-2"}]"

-- engine/tables/note.sql.ts upsertAttempts
INSERT INTO `durable_step_attempts` (run_id, seq, attempt, started_at, finished_at, error)
  SELECT run_id, seq, attempt, started_at, finished_at, error FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR)) AS a WHERE true ON DUPLICATE KEY UPDATE `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `error` = VALUES(`error`);
-- "[{"run_id":"runId-1","seq":1,"attempt":2,"started_at":3,"finished_at":4,"error":"error-1"},{"run_id":"runId-2","seq":5,"attempt":6,"started_at":7,"finished_at":8,"error":"error-2"}]"

-- engine/tables/note.sql.ts deleteLine
DELETE FROM `durable_step_logs` WHERE run_id = ? AND logged_at = ? AND message = ?;
-- "runId"
-- 3
-- "message"

-- engine/tables/note.sql.ts setCustomStatus
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `status` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR)) AS n ON r.id = n.id SET r.custom_status = n.status;
-- "[{"id":"id-1","status":"status-1"},{"id":"id-2","status":"status-2"}]"

-- engine/tables/run.sql.ts insertRuns
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR)) AS n;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24}]"

-- engine/tables/run.sql.ts insertRuns, runs[].turn = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR)) AS n;

-- engine/tables/run.sql.ts selectRuns
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, owner FROM `durable_runs` WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/tables/run.sql.ts selectRuns, ids[] = 1
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, owner FROM `durable_runs` WHERE id IN (?);

-- engine/tables/run.sql.ts selectRunsLatest
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, owner FROM `durable_runs` WHERE id IN (?, ?) LOCK IN SHARE MODE;
-- "1"
-- "2"

-- engine/tables/run.sql.ts selectRunsLatest, ids[] = 1
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, owner FROM `durable_runs` WHERE id IN (?) LOCK IN SHARE MODE;

-- engine/tables/run.sql.ts selectOwned
SELECT id, epoch FROM `durable_runs` WHERE owner = ?;
-- "nodeId"

-- engine/tables/run.sql.ts selectClaims
SELECT id, epoch, owner FROM `durable_runs` WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/tables/run.sql.ts selectClaims, ids[] = 1
SELECT id, epoch, owner FROM `durable_runs` WHERE id IN (?);

-- engine/tables/run.sql.ts ownedBy
NULLIF(alias.owner, '') = ?;
-- "owner"

-- engine/tables/run.sql.ts freeClaims
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `owner` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.owner' NULL ON EMPTY ERROR ON ERROR)) AS c ON r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = 'suspended', r.wake_at = CASE WHEN r.closing IS NULL THEN r.deadline END, r.reason = ?, r.reason_detail = ?, r.crashes = r.crashes + 1, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);
-- "[{"id":"runId-1","epoch":1,"owner":"owner-1"},{"id":"runId-2","epoch":2,"owner":"owner-2"}]"
-- "history_lost"
-- "detail"

-- engine/tables/run.sql.ts freeClaims, crashed = false
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `owner` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.owner' NULL ON EMPTY ERROR ON ERROR)) AS c ON r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = 'suspended', r.wake_at = CASE WHEN r.closing IS NULL THEN r.deadline END, r.reason = ?, r.reason_detail = ?, r.crashes = r.crashes + 0, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);

-- engine/tables/run.sql.ts freeClaims, standstill = undefined
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `owner` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.owner' NULL ON EMPTY ERROR ON ERROR)) AS c ON r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.crashes = r.crashes + 1, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);

-- engine/tables/run.sql.ts freeClaims, the least
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `owner` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.owner' NULL ON EMPTY ERROR ON ERROR)) AS c ON r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.crashes = r.crashes + 0, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);

-- engine/tables/run.sql.ts freeRuns
UPDATE `durable_runs` AS r SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.crashes = r.crashes + 1, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id) WHERE r.id `among` AND r.owner IS NOT NULL;

-- engine/tables/run.sql.ts lockOrphans
SELECT id FROM `durable_runs` WHERE owner = ? ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "owner"

-- engine/tables/step.sql.ts upsertSteps
INSERT INTO `durable_steps` AS old (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR)) AS i `held` WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`) WHERE old.settled IS NULL RETURNING 1;
-- "[{"run_id":"runId-1","seq":1,"kind":"child","name":"name-1","status":"answered","attempt":2,"settled":3,"output":"output-1","error":"error-1","ref":"ref-1","wake_at":4,"created_at":5,"started_at":6,"finished_at":7},{"run_id":"runId-2","seq":8,"kind":"child","name":"name-2","status":"answered","attempt":9,"settled":10,"output":"output-2","error":"error-2","ref":"ref-2","wake_at":11,"created_at":12,"started_at":13,"finished_at":14}]"

-- engine/tables/step.sql.ts upsertSteps, 3.held = undefined
INSERT INTO `durable_steps` AS old (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR)) AS i  WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`) WHERE old.settled IS NULL RETURNING 1;

-- engine/tables/step.sql.ts upsertSteps, 3.once = false
INSERT INTO `durable_steps` (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR)) AS i `held` WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`);

-- engine/tables/step.sql.ts upsertSteps, the least
INSERT INTO `durable_steps` (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR)) AS i  WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`);

-- engine/tables/step.sql.ts selectHistories
SELECT run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at FROM `durable_steps` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/tables/step.sql.ts selectHistories, runIds[] = 1
SELECT run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at FROM `durable_steps` WHERE run_id IN (?);

-- engine/tables/step.sql.ts selectStep
SELECT run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at FROM `durable_steps` WHERE run_id = ? AND seq = ?;
-- "runId"
-- 1

-- engine/tables/step.sql.ts selectRecorded
SELECT s.run_id, s.seq FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS p
    JOIN `durable_steps` AS s ON s.run_id = p.run_id AND s.seq = p.seq;
-- "[{"run_id":"runId-1","seq":1},{"run_id":"runId-2","seq":2}]"

-- engine/tables/step.sql.ts deleteHistories
DELETE FROM `durable_steps` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/tables/step.sql.ts deleteHistories, runIds[] = 1
DELETE FROM `durable_steps` WHERE run_id IN (?);

-- engine/tables/step.sql.ts selectAnswerable
SELECT run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at FROM `durable_steps`
  WHERE run_id IN (?, ?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;
-- "runIds-1"
-- "runIds-2"

-- engine/tables/step.sql.ts selectAnswerable, runIds[] = 1
SELECT run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at FROM `durable_steps`
  WHERE run_id IN (?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;
