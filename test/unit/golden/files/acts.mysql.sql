-- acts/acts.sql.ts insertActs
INSERT INTO `durable_acts` (actor, reason, action, kind, target, namespace, details, outcome, `at`)
  SELECT actor, reason, action, kind, target, namespace, details, outcome, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FROM JSON_TABLE(?, '$[*]' COLUMNS (`actor` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.actor' NULL ON EMPTY ERROR ON ERROR, `reason` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.reason' NULL ON EMPTY ERROR ON ERROR, `action` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.action' NULL ON EMPTY ERROR ON ERROR, `kind` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `target` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target' NULL ON EMPTY ERROR ON ERROR, `namespace` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `details` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.details' NULL ON EMPTY ERROR ON ERROR, `outcome` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.outcome' NULL ON EMPTY ERROR ON ERROR, `ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR)) AS n ORDER BY n.ordinal;
-- "[{"actor":"actor-1","reason":"reason-1","action":"action-1","kind":"bulk","target":"target-1","namespace":"namespace-1","details":"{\\"named\\":\\"named-1\\"}","outcome":"outcome-1","ordinal":0},{"actor":"actor-2","reason":"reason-2","action":"action-2","kind":"bulk","target":"target-2","namespace":"namespace-2","details":"{\\"named\\":\\"named-2\\"}","outcome":"outcome-2","ordinal":1}]"

-- acts/acts.sql.ts selectActsOf
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `target` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT a.`at` AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM `durable_acts` AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind IN (?) AND a.target IN (?, ?)
      AND (a.namespace = ? OR a.namespace IS NULL)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 7;
-- "[{"kind":"bulk","target":"target-1","run":1},{"kind":"bulk","target":"target-2","run":2}]"
-- "bulk"
-- "target-1"
-- "target-2"
-- "namespace"
-- 3
-- 4
-- 5
-- 6
-- "0"

-- acts/acts.sql.ts selectActsOf, next.past = undefined
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `target` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT a.`at` AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM `durable_acts` AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind IN (?) AND a.target IN (?, ?)
      AND (a.namespace = ? OR a.namespace IS NULL)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 3;

-- acts/acts.sql.ts selectActsOf, targets[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `target` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT a.`at` AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM `durable_acts` AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind IN (?) AND a.target IN (?)
      AND (a.namespace = ? OR a.namespace IS NULL)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 6;

-- acts/acts.sql.ts selectActsOf, the least
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `target` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT a.`at` AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM `durable_acts` AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind IN (?) AND a.target IN (?)
      AND (a.namespace = ? OR a.namespace IS NULL)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 2;

-- acts/acts.sql.ts selectActs
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? AND a.target = ? AND a.actor = ? AND a.action = ? AND a.`at` >= CAST(? AS signed) AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 3;
-- "bulk"
-- "target"
-- "before"
-- "from"
-- "namespace"
-- "bulk"
-- "target"
-- "actor"
-- "action"
-- 1
-- 2

-- acts/acts.sql.ts selectActs, query.action = undefined
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? AND a.target = ? AND a.actor = ? AND a.`at` >= CAST(? AS signed) AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, query.actor = undefined
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? AND a.target = ? AND a.action = ? AND a.`at` >= CAST(? AS signed) AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, query.kind = undefined
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM (SELECT u.* FROM (
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000)) AS u ORDER BY u.id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.target = ? AND a.actor = ? AND a.action = ? AND a.`at` >= CAST(? AS signed) AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, query.since = undefined
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? AND a.target = ? AND a.actor = ? AND a.action = ? AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 2;

-- acts/acts.sql.ts selectActs, query.target = undefined
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_actor`) WHERE actor = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? AND a.actor = ? AND a.action = ? AND a.`at` >= CAST(? AS signed) AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, query.until = undefined
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? AND a.target = ? AND a.actor = ? AND a.action = ? AND a.`at` >= CAST(? AS signed) ORDER BY s.id DESC LIMIT 2;

-- acts/acts.sql.ts selectActs, range.before = undefined
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? AND a.target = ? AND a.actor = ? AND a.action = ? AND a.`at` >= CAST(? AS signed) AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, range.from = undefined
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? AND a.target = ? AND a.actor = ? AND a.action = ? AND a.`at` >= CAST(? AS signed) AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, the least
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) ORDER BY s.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.action = string
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_action`) WHERE action = ? ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.action = ? ORDER BY s.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.actor = string
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_actor`) WHERE actor = ? ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.actor = ? ORDER BY s.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.kind = "bulk"
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.kind = ? ORDER BY s.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.since = number
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.`at` >= CAST(? AS signed) ORDER BY s.id DESC LIMIT 2;

-- acts/acts.sql.ts selectActs, the least, query.target = string
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM (SELECT u.* FROM (
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000)) AS u ORDER BY u.id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.target = ? ORDER BY s.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.until = number
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) AND a.`at` < CAST(? AS signed) ORDER BY s.id DESC LIMIT 2;

-- acts/acts.sql.ts selectActs, the least, range.before = string
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 AND id < CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) ORDER BY s.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, range.from = string
SELECT a.id, a.`at`, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s STRAIGHT_JOIN `durable_acts` AS a ON a.id = s.id
  WHERE (a.namespace = ? OR a.namespace IS NULL) ORDER BY s.id DESC LIMIT 1;

-- acts/acts.sql.ts selectOldActs
SELECT id FROM `durable_acts` WHERE `at` <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ? ORDER BY `at` LIMIT ?;
-- 1
-- 2

-- acts/acts.sql.ts deleteActs
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_acts` AS gone FORCE INDEX (`PRIMARY`) ON gone.id = k.found;
-- "[{"found":"1"},{"found":"2"}]"

-- acts/acts.sql.ts eraseDetails
UPDATE `durable_acts` FORCE INDEX (`durable_acts_target`) SET details = '{}'
  WHERE kind = ? AND target IN (?, ?) AND details <> '{}';
-- "bulk"
-- "targets-1"
-- "targets-2"

-- acts/acts.sql.ts eraseDetails, targets[] = 1
UPDATE `durable_acts` FORCE INDEX (`durable_acts_target`) SET details = '{}'
  WHERE kind = ? AND target IN (?) AND details <> '{}';

-- acts/acts.sql.ts selectScanEnd
SELECT s.id FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;
-- "bulk"
-- "target"
-- "before"
-- "from"

-- acts/acts.sql.ts selectScanEnd, query.kind = undefined
SELECT s.id FROM (SELECT u.* FROM (
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000)) AS u ORDER BY u.id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, query.target = undefined
SELECT s.id FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_actor`) WHERE actor = ? AND id < CAST(? AS signed) AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, range.before = undefined
SELECT s.id FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, range.from = undefined
SELECT s.id FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? AND id < CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least
SELECT s.id FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, query.action = string
SELECT s.id FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_action`) WHERE action = ? ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, query.actor = string
SELECT s.id FROM 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_actor`) WHERE actor = ? ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, query.target = string
SELECT s.id FROM (SELECT u.* FROM (
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM `durable_acts` FORCE INDEX (`durable_acts_target`) WHERE kind = ? AND target = ? ORDER BY id DESC LIMIT 10000)) AS u ORDER BY u.id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, range.before = string
SELECT s.id FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 AND id < CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, range.from = string
SELECT s.id FROM 
    (SELECT id FROM `durable_acts`  WHERE 1 = 1 AND id >= CAST(? AS signed) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectFirstSince
SELECT id FROM `durable_acts` WHERE `at` >= CAST(? AS signed) ORDER BY `at`, id LIMIT 1;
-- 1

-- acts/acts.sql.ts selectLastBefore
SELECT id FROM `durable_acts` WHERE `at` < CAST(? AS signed) ORDER BY `at` DESC, id DESC LIMIT 1;
-- 1

-- acts/holds.sql.ts selectHolds
SELECT kind, name, since, actor, reason, until_at FROM `durable_holds` FORCE INDEX (`PRIMARY`) WHERE namespace IN (?, ?) AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  LOCK IN SHARE MODE;
-- "namespace"
-- "*"

-- acts/holds.sql.ts selectHolds, newest = false
SELECT kind, name, since, actor, reason, until_at FROM `durable_holds` FORCE INDEX (`PRIMARY`) WHERE namespace IN (?, ?) AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed));

-- acts/holds.sql.ts isNotHeld
(SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'effect' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0;
-- "*"
-- "name"

-- acts/holds.sql.ts isNotHeld, kind = "group"
(SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'group' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0;

-- acts/holds.sql.ts isNotHeld, kind = "schedule"
(SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'schedule' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0;

-- acts/holds.sql.ts isNotHeld, kind = "workflow"
(SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0;

-- acts/holds.sql.ts lockHold
SELECT kind, name, since, actor, reason, until_at FROM `durable_holds` WHERE namespace = ? AND kind = ? AND name = ? AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) FOR UPDATE;
-- "*"
-- "effect"
-- "name"

-- acts/holds.sql.ts insertHold
INSERT INTO `durable_holds` (namespace, kind, name, since, actor, reason, until_at)
  VALUES (?, ?, ?, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), ?, ?, ?) ON DUPLICATE KEY UPDATE `namespace` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`namespace`), VALUES(`namespace`));
-- "*"
-- "effect"
-- "name"
-- "actor"
-- "reason"
-- 1
-- a large number
-- a large number
-- a large number

-- acts/holds.sql.ts upsertHold
INSERT INTO `durable_holds` (namespace, kind, name, since, actor, reason, until_at)
  VALUES (?, ?, ?, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), ?, ?, ?)
  ON DUPLICATE KEY UPDATE actor = VALUES(`actor`), reason = VALUES(`reason`), until_at = VALUES(`until_at`);
-- "*"
-- "effect"
-- "name"
-- "actor"
-- "reason"
-- 1

-- acts/holds.sql.ts deleteHold
DELETE FROM `durable_holds` WHERE namespace = ? AND kind = ? AND name = ?;
-- "*"
-- "effect"
-- "name"

-- acts/holds.sql.ts deleteEndedHold
DELETE FROM `durable_holds` WHERE namespace = ? AND kind = ? AND name = ? AND NOT (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed));
-- "*"
-- "effect"
-- "name"
