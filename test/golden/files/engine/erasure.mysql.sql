-- engine/erasure/erasure.sql.ts selectHaving
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.run_id > ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS b WHERE b.run_id = a.run_id AND b.name = ? AND b.type = ? AND b.number_value = ?)
  ORDER BY a.run_id LIMIT 2;
-- "namespace"
-- "attributes-1"
-- "date"
-- 4
-- "1"
-- "attributes-2"
-- "date"
-- 3

-- engine/erasure/erasure.sql.ts selectHaving, 2.attributes[] = 1
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.run_id > ? 
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure/erasure.sql.ts selectHaving, 2.attributes[][1] = number
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.run_id > ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS b WHERE b.run_id = a.run_id AND b.name = ? AND b.type = ? AND b.number_value = ?)
  ORDER BY a.run_id LIMIT 4;

-- engine/erasure/erasure.sql.ts selectHaving, 2.attributes[][1] = string
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.text_value = ? AND a.run_id > ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS b WHERE b.run_id = a.run_id AND b.name = ? AND b.type = ? AND b.text_value = ?)
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure/erasure.sql.ts selectHaving, the least, 2.attributes[][1] = number
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.run_id > ? 
  ORDER BY a.run_id LIMIT 3;

-- engine/erasure/erasure.sql.ts selectHaving, the least, 2.attributes[][1] = string
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.text_value = ? AND a.run_id > ? 
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure/erasure.sql.ts insertMarks
INSERT INTO `durable_erasures` (run_id, seq, namespace, erasure_id, discards, asked_at)
  SELECT n.run_id, n.seq, ?, ?, CAST(? AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS n LEFT JOIN `durable_runs` AS r ON r.id = n.run_id
  WHERE r.id IS NULL OR r.namespace = ?
  ON DUPLICATE KEY UPDATE erasure_id = VALUES(`erasure_id`), discards = VALUES(`discards`);
-- "namespace"
-- "id"
-- 1
-- "[{"run_id":"runIds-1","seq":-2000000000},{"run_id":"runIds-2","seq":-2000000000}]"
-- "namespace"

-- engine/erasure/erasure.sql.ts selectUnmarkedChildren
SELECT r.id AS run_id, -2000000000 AS seq, r.parent_id AS of_run FROM `durable_runs` AS r
  WHERE r.parent_id IN (?, ?)
    AND NOT EXISTS (SELECT 1 FROM `durable_erasures` AS e WHERE e.run_id = r.id AND e.seq = -2000000000)
  LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts selectUnmarkedChildren, runIds[] = 1
SELECT r.id AS run_id, -2000000000 AS seq, r.parent_id AS of_run FROM `durable_runs` AS r
  WHERE r.parent_id IN (?)
    AND NOT EXISTS (SELECT 1 FROM `durable_erasures` AS e WHERE e.run_id = r.id AND e.seq = -2000000000)
  LIMIT 1;

-- engine/erasure/erasure.sql.ts selectUnmarkedParents
SELECT r.parent_id AS run_id, r.parent_seq AS seq, r.id AS of_run FROM `durable_runs` AS r
  WHERE r.id IN (?, ?) AND r.parent_id IS NOT NULL AND r.parent_seq IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM `durable_erasures` AS e
      WHERE e.run_id = r.parent_id AND (e.seq = r.parent_seq OR e.seq = -2000000000));
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts selectUnmarkedParents, runIds[] = 1
SELECT r.parent_id AS run_id, r.parent_seq AS seq, r.id AS of_run FROM `durable_runs` AS r
  WHERE r.id IN (?) AND r.parent_id IS NOT NULL AND r.parent_seq IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM `durable_erasures` AS e
      WHERE e.run_id = r.parent_id AND (e.seq = r.parent_seq OR e.seq = -2000000000));

-- engine/erasure/erasure.sql.ts insertFollowed
INSERT INTO `durable_erasures` (run_id, seq, namespace, erasure_id, discards, asked_at)
  SELECT n.run_id, n.seq, e.namespace, e.erasure_id, e.discards, e.asked_at
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR)) AS n JOIN `durable_erasures` AS e ON e.run_id = n.of_run AND e.seq = -2000000000
  WHERE true ON DUPLICATE KEY UPDATE `run_id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`run_id`), VALUES(`run_id`));
-- "[{"run_id":"run_id-1","seq":1,"of_run":"of_run-1"},{"run_id":"run_id-2","seq":2,"of_run":"of_run-2"}]"
-- a large number
-- a large number
-- a large number

-- engine/erasure/erasure.sql.ts selectMarks
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM `durable_erasures` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.run_id
  WHERE e.erasure_id = ?
    AND e.run_id >= ? AND (e.run_id > ? OR e.seq > 1)
  ORDER BY e.run_id, e.seq LIMIT 2;
-- "of"
-- "runId"
-- "runId"

-- engine/erasure/erasure.sql.ts selectMarks, after.seq = null
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM `durable_erasures` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.run_id
  WHERE e.erasure_id = ?
    AND e.run_id >= ? AND (e.run_id > ? OR e.seq > -2000000000)
  ORDER BY e.run_id, e.seq LIMIT 1;

-- engine/erasure/erasure.sql.ts selectMarks, of = undefined
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM `durable_erasures` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.run_id
  WHERE e.namespace = ? AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 60000))
    AND e.run_id >= ? AND (e.run_id > ? OR e.seq > 1)
  ORDER BY e.run_id, e.seq LIMIT 2;

-- engine/erasure/erasure.sql.ts selectMarks, the least
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM `durable_erasures` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.run_id
  WHERE e.namespace = ? AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 60000))
    AND e.run_id >= ? AND (e.run_id > ? OR e.seq > -2000000000)
  ORDER BY e.run_id, e.seq LIMIT 1;

-- engine/erasure/erasure.sql.ts lockEnded
SELECT id FROM `durable_runs`
  WHERE id IN (?, ?) AND finished_at IS NOT NULL ORDER BY id FOR UPDATE;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts lockEnded, runIds[] = 1
SELECT id FROM `durable_runs`
  WHERE id IN (?) AND finished_at IS NOT NULL ORDER BY id FOR UPDATE;

-- engine/erasure/erasure.sql.ts lockErased
SELECT id FROM `durable_runs`
  WHERE id IN (?, ?) AND finished_at IS NOT NULL AND erased_at IS NOT NULL ORDER BY id FOR UPDATE;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts lockErased, runIds[] = 1
SELECT id FROM `durable_runs`
  WHERE id IN (?) AND finished_at IS NOT NULL AND erased_at IS NOT NULL ORDER BY id FOR UPDATE;

-- engine/erasure/erasure.sql.ts blankRuns
UPDATE `durable_runs` SET reason_detail = NULL, input = NULL, output = NULL, error = NULL, limits = NULL, custom_status = NULL, resume = NULL, context = NULL,
    erased_at = COALESCE(erased_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  WHERE id IN (?, ?)
    AND (erased_at IS NULL OR reason_detail IS NOT NULL OR input IS NOT NULL OR output IS NOT NULL OR error IS NOT NULL OR limits IS NOT NULL OR custom_status IS NOT NULL OR resume IS NOT NULL OR context IS NOT NULL);
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts blankRuns, runIds[] = 1
UPDATE `durable_runs` SET reason_detail = NULL, input = NULL, output = NULL, error = NULL, limits = NULL, custom_status = NULL, resume = NULL, context = NULL,
    erased_at = COALESCE(erased_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  WHERE id IN (?)
    AND (erased_at IS NULL OR reason_detail IS NOT NULL OR input IS NOT NULL OR output IS NOT NULL OR error IS NOT NULL OR limits IS NOT NULL OR custom_status IS NOT NULL OR resume IS NOT NULL OR context IS NOT NULL);

-- engine/erasure/erasure.sql.ts noteErased
UPDATE `durable_runs` SET erased_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id IN (?, ?) AND erased_at IS NULL;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts noteErased, runIds[] = 1
UPDATE `durable_runs` SET erased_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id IN (?) AND erased_at IS NULL;

-- engine/erasure/erasure.sql.ts deleteAttributesOf
DELETE FROM `durable_run_attributes` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts deleteAttributesOf, runIds[] = 1
DELETE FROM `durable_run_attributes` WHERE run_id IN (?);

-- engine/erasure/erasure.sql.ts deleteEntriesOf
DELETE FROM `durable_limiter_entries` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts deleteEntriesOf, runIds[] = 1
DELETE FROM `durable_limiter_entries` WHERE run_id IN (?);

-- engine/erasure/erasure.sql.ts selectSteps
SELECT s.run_id, s.seq, CASE WHEN s.kind = 'signal' THEN s.ref END AS taken FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL) AND NOT (s.kind = 'marker' AND COALESCE(s.ref, '') = 'publish')
  ORDER BY s.run_id, s.seq LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts selectSteps, runIds[] = 1
SELECT s.run_id, s.seq, CASE WHEN s.kind = 'signal' THEN s.ref END AS taken FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL) AND NOT (s.kind = 'marker' AND COALESCE(s.ref, '') = 'publish')
  ORDER BY s.run_id, s.seq LIMIT 1;

-- engine/erasure/erasure.sql.ts blankSteps
UPDATE `durable_steps` AS s JOIN JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS g ON s.run_id = g.run_id AND s.seq = g.seq AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL) SET s.input = NULL, s.output = NULL, s.error = NULL;
-- "[{"run_id":"run_id-1","seq":1},{"run_id":"run_id-2","seq":3}]"

-- engine/erasure/erasure.sql.ts blankAttemptsAt
UPDATE `durable_step_attempts` AS a JOIN JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS g ON a.run_id = g.run_id AND a.seq = g.seq AND a.error IS NOT NULL SET a.error = NULL;
-- "[{"run_id":"run_id-1","seq":1},{"run_id":"run_id-2","seq":3}]"

-- engine/erasure/erasure.sql.ts selectAttempts
SELECT DISTINCT a.run_id, a.seq FROM `durable_step_attempts` AS a
  WHERE a.run_id IN (?, ?) AND a.error IS NOT NULL LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts selectAttempts, runIds[] = 1
SELECT DISTINCT a.run_id, a.seq FROM `durable_step_attempts` AS a
  WHERE a.run_id IN (?) AND a.error IS NOT NULL LIMIT 1;

-- engine/erasure/erasure.sql.ts selectLines
SELECT id FROM `durable_step_logs` WHERE run_id IN (?, ?) LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts selectLines, runIds[] = 1
SELECT id FROM `durable_step_logs` WHERE run_id IN (?) LIMIT 1;

-- engine/erasure/erasure.sql.ts deleteLines
DELETE FROM `durable_step_logs` WHERE id IN (?, ?);
-- 1
-- 2

-- engine/erasure/erasure.sql.ts deleteLines, the least
DELETE FROM `durable_step_logs` WHERE id IN (?);

-- engine/erasure/erasure.sql.ts selectSent
SELECT id FROM `durable_signals` WHERE target IN (?, ?) AND addressed = 'run' LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts selectSent, runIds[] = 1
SELECT id FROM `durable_signals` WHERE target IN (?) AND addressed = 'run' LIMIT 1;

-- engine/erasure/erasure.sql.ts selectTaken
SELECT g.id FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR)) AS n
  JOIN `durable_signals` AS g ON g.channel = n.channel AND g.position = n.position AND g.taken_by = n.run_id;
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1"},{"channel":"channel-2","position":2,"run_id":"run_id-2"}]"

-- engine/erasure/erasure.sql.ts selectPublished
SELECT s.run_id, s.seq, s.output FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND s.kind = 'marker' AND s.ref = ? AND s.output IS NOT NULL
    AND (s.run_id > ? OR (s.run_id = ? AND s.seq > 1))
  ORDER BY s.run_id, s.seq LIMIT 2;
-- "runIds-1"
-- "runIds-2"
-- "publish"
-- "runId"
-- "runId"

-- engine/erasure/erasure.sql.ts selectPublished, after.seq = null
SELECT s.run_id, s.seq, s.output FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND s.kind = 'marker' AND s.ref = ? AND s.output IS NOT NULL
    AND (s.run_id > ? OR (s.run_id = ? AND s.seq > -2000000000))
  ORDER BY s.run_id, s.seq LIMIT 1;

-- engine/erasure/erasure.sql.ts selectPublished, runIds[] = 1
SELECT s.run_id, s.seq, s.output FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND s.kind = 'marker' AND s.ref = ? AND s.output IS NOT NULL
    AND (s.run_id > ? OR (s.run_id = ? AND s.seq > 1))
  ORDER BY s.run_id, s.seq LIMIT 2;

-- engine/erasure/erasure.sql.ts selectPublished, the least
SELECT s.run_id, s.seq, s.output FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND s.kind = 'marker' AND s.ref = ? AND s.output IS NOT NULL
    AND (s.run_id > ? OR (s.run_id = ? AND s.seq > -2000000000))
  ORDER BY s.run_id, s.seq LIMIT 1;

-- engine/erasure/erasure.sql.ts selectUnerased
SELECT id FROM `durable_runs` WHERE id IN (?, ?) AND (finished_at IS NULL OR erased_at IS NULL);
-- "runIds-1"
-- "runIds-2"

-- engine/erasure/erasure.sql.ts selectUnerased, runIds[] = 1
SELECT id FROM `durable_runs` WHERE id IN (?) AND (finished_at IS NULL OR erased_at IS NULL);

-- engine/erasure/erasure.sql.ts deleteMarks
DELETE e FROM `durable_erasures` AS e JOIN JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `erasure_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.erasure_id' NULL ON EMPTY ERROR ON ERROR)) AS g ON e.run_id = g.run_id AND e.seq = g.seq AND e.erasure_id = g.erasure_id;
-- "[{"run_id":"runId-1","seq":1,"erasure_id":"erasureId-1"},{"run_id":"runId-2","seq":2,"erasure_id":"erasureId-2"}]"
