-- engine/nodes/node.sql.ts signIn
INSERT INTO `durable_nodes` (id, namespace, host, pid, roles, started_at, expires_at, server)
  VALUES (?, ?, ?, ?, ?, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?, CONCAT(@@hostname, ':', @@port))
  ON DUPLICATE KEY UPDATE expires_at = VALUES(`expires_at`), server = VALUES(`server`);
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- 2

-- engine/nodes/node.sql.ts selectElsewhere
SELECT n.id, n.server, n.expires_at, CONCAT(@@hostname, ':', @@port) AS here FROM `durable_nodes` AS n
  WHERE n.server <> CONCAT(@@hostname, ':', @@port) AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/nodes/node.sql.ts signInReturningNow
INSERT INTO `durable_nodes` (id, namespace, host, pid, roles, started_at, expires_at, server)
  VALUES (?, ?, ?, ?, ?, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?, CONCAT(@@hostname, ':', @@port))
  ON DUPLICATE KEY UPDATE expires_at = VALUES(`expires_at`), server = VALUES(`server`) RETURNING CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now;
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- 2

-- engine/nodes/node.sql.ts selectNow
SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now;

-- engine/nodes/node.sql.ts selectDeadOwners
SELECT o.owner FROM (SELECT DISTINCT owner FROM `durable_runs` WHERE owner IS NOT NULL) AS o LEFT JOIN `durable_nodes` AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/nodes/node.sql.ts lookAround
SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM (SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now) AS t
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM `durable_runs` AS r WHERE r.owner = ?
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (SELECT DISTINCT owner FROM `durable_runs` WHERE owner IS NOT NULL) AS o LEFT JOIN `durable_nodes` AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) AS d WHERE d.owner <> ?
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM `durable_nodes` AS o JOIN `durable_nodes` AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) WHERE o.id = ?;
-- "nodeId"
-- "nodeId"
-- "nodeId"

-- engine/nodes/node.sql.ts signOff
DELETE FROM `durable_nodes` WHERE id = ?;
-- "nodeId"

-- engine/nodes/node.sql.ts strikeOff
DELETE FROM `durable_nodes` WHERE expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?;
-- 1

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
