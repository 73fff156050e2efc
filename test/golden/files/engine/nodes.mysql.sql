-- engine/nodes/node-list.sql.ts lockAlive
SELECT draining_since, draining_by FROM `durable_nodes`
  WHERE id = ? AND expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FOR UPDATE;
-- "nodeId"

-- engine/nodes/node-list.sql.ts setDraining
UPDATE `durable_nodes` SET draining_by = ?,
    draining_since = COALESCE(draining_since, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  WHERE id = ?;
-- "by"
-- "nodeId"

-- engine/nodes/node-list.sql.ts setDraining, by = null
UPDATE `durable_nodes` SET draining_by = ?,
    draining_since = NULL
  WHERE id = ?;

-- engine/nodes/node-list.sql.ts selectNodes
SELECT t.now, n.id, n.namespace, n.host, n.pid, n.roles, n.serves, n.version, n.build, n.busy,
    n.started_at, n.seen_at, n.expires_at, n.left_at, n.draining_since, n.draining_by
  FROM (SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now) AS t LEFT JOIN `durable_nodes` AS n ON 1 = 1
  ORDER BY n.expires_at DESC, n.id LIMIT 2000;

-- engine/nodes/node-list.sql.ts selectForgotten
SELECT f.id FROM (
    SELECT n.id, n.expires_at, row_number() OVER (ORDER BY n.expires_at DESC, n.id) AS n_th
    FROM `durable_nodes` AS n WHERE n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  ) AS f WHERE f.n_th > 500 OR f.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ? ORDER BY f.id;
-- 86400000

-- engine/nodes/node-list.sql.ts strikeOff
DELETE FROM `durable_nodes` WHERE id IN (?, ?) AND expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "1"
-- "2"

-- engine/nodes/node-list.sql.ts strikeOff, ids[] = 1
DELETE FROM `durable_nodes` WHERE id IN (?) AND expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/nodes/node.sql.ts signIn
INSERT INTO `durable_nodes`
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?, NULL, CONCAT(@@hostname, ':', @@port), ?)
  ON DUPLICATE KEY UPDATE `serves` = VALUES(`serves`), `expires_at` = VALUES(`expires_at`), `seen_at` = VALUES(`seen_at`), `left_at` = VALUES(`left_at`), `server` = VALUES(`server`), `busy` = VALUES(`busy`);
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- "serves"
-- "version"
-- "build"
-- 2
-- "load"

-- engine/nodes/node.sql.ts selectElsewhere
SELECT n.id, n.server, n.expires_at, CONCAT(@@hostname, ':', @@port) AS here FROM `durable_nodes` AS n
  WHERE n.server <> CONCAT(@@hostname, ':', @@port) AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/nodes/node.sql.ts signInReturningBeat
INSERT INTO `durable_nodes`
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?, NULL, CONCAT(@@hostname, ':', @@port), ?)
  ON DUPLICATE KEY UPDATE `serves` = VALUES(`serves`), `expires_at` = VALUES(`expires_at`), `seen_at` = VALUES(`seen_at`), `left_at` = VALUES(`left_at`), `server` = VALUES(`server`), `busy` = VALUES(`busy`) RETURNING CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining;
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- "serves"
-- "version"
-- "build"
-- 2
-- "load"

-- engine/nodes/node.sql.ts selectBeat
SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining FROM `durable_nodes` WHERE id = ?;
-- "nodeId"

-- engine/nodes/node.sql.ts selectNow
SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now;

-- engine/nodes/node.sql.ts selectDeadOwners
SELECT o.owner FROM (SELECT DISTINCT owner FROM `durable_runs` WHERE owner IS NOT NULL) AS o LEFT JOIN `durable_nodes` AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/nodes/node.sql.ts lookAround
SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM (SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now) AS t
  UNION ALL SELECT 'draining', n.id, 0, NULL, NULL FROM `durable_nodes` AS n WHERE n.id = ? AND n.draining_since IS NOT NULL
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM `durable_runs` AS r WHERE r.owner = ?
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (SELECT DISTINCT owner FROM `durable_runs` WHERE owner IS NOT NULL) AS o LEFT JOIN `durable_nodes` AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) AS d WHERE d.owner <> ?
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM `durable_nodes` AS o JOIN `durable_nodes` AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) WHERE o.id = ?;
-- "nodeId"
-- "nodeId"
-- "nodeId"
-- "nodeId"

-- engine/nodes/node.sql.ts signOff
UPDATE `durable_nodes` SET expires_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), left_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) WHERE id = ?;
-- "nodeId"

-- engine/nodes/node.sql.ts selectAlive
SELECT n.id FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "nodeId"

-- engine/nodes/sample.sql.ts insertSample
INSERT INTO `durable_samples` (minute, node, namespace, body)
  SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - MOD(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), 60000), ?, ?, ? ON DUPLICATE KEY UPDATE `minute` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`minute`), VALUES(`minute`));
-- "node"
-- "namespace"
-- "body"
-- a large number
-- a large number
-- a large number

-- engine/nodes/sample.sql.ts selectSamples
SELECT minute, node, body FROM `durable_samples`
  WHERE minute >= ? AND minute < ? AND namespace = ?
  ORDER BY minute, node LIMIT 3;
-- 1
-- 2
-- "namespace"

-- engine/nodes/sample.sql.ts selectSamples, 2.keep = "last"
SELECT minute, node, body FROM `durable_samples`
  WHERE minute >= ? AND minute < ? AND namespace = ?
  ORDER BY minute DESC, node DESC LIMIT 3;

-- engine/nodes/sample.sql.ts selectSamples, 2.namespace = undefined
SELECT minute, node, body FROM `durable_samples`
  WHERE minute >= ? AND minute < ? 
  ORDER BY minute, node LIMIT 3;

-- engine/nodes/sample.sql.ts selectSamples, the least, 2.keep = "last"
SELECT minute, node, body FROM `durable_samples`
  WHERE minute >= ? AND minute < ? 
  ORDER BY minute DESC, node DESC LIMIT 3;

-- engine/nodes/sample.sql.ts selectOldSamples
SELECT minute, node FROM `durable_samples` WHERE minute <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
  ORDER BY minute, node LIMIT 2;
-- 1

-- engine/nodes/sample.sql.ts deleteSamples
DELETE s FROM `durable_samples` AS s JOIN JSON_TABLE(?, '$[*]' COLUMNS (`minute` bigint PATH '$.minute' NULL ON EMPTY ERROR ON ERROR, `node` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.node' NULL ON EMPTY ERROR ON ERROR)) AS o ON s.minute = o.minute AND s.node = o.node;
-- "[{"minute":1,"node":"node-1"},{"minute":2,"node":"node-2"}]"

-- engine/nodes/sql-stranded-runs.ts selectPage
SELECT id, status FROM `durable_runs` WHERE id > ? ORDER BY id LIMIT 1;
-- "afterId"

-- engine/nodes/sql-stranded-runs.ts selectAsked
SELECT s.run_id, s.seq FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM `durable_limiter_entries` AS e WHERE e.run_id = s.run_id AND e.granted = 0));
-- "runIds-1"
-- "runIds-2"

-- engine/nodes/sql-stranded-runs.ts selectAsked, runIds[] = 1
SELECT s.run_id, s.seq FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM `durable_limiter_entries` AS e WHERE e.run_id = s.run_id AND e.granted = 0));

-- engine/nodes/sql-stranded-runs.ts wakeParked
UPDATE `durable_runs` SET wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id IN (?, ?) AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL;
-- "runIds-1"
-- "runIds-2"

-- engine/nodes/sql-stranded-runs.ts wakeParked, runIds[] = 1
UPDATE `durable_runs` SET wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id IN (?) AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL;
