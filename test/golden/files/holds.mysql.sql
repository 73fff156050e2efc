-- holds/hold.sql.ts selectHolds
SELECT kind, name, since, actor, reason, until_at FROM `durable_holds` WHERE namespace IN (?, ?) AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  LOCK IN SHARE MODE;
-- "namespace"
-- "*"

-- holds/hold.sql.ts selectHolds, newest = false
SELECT kind, name, since, actor, reason, until_at FROM `durable_holds` WHERE namespace IN (?, ?) AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed));

-- holds/hold.sql.ts isNotHeld
(SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'effect' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0;
-- "*"
-- "name"

-- holds/hold.sql.ts isNotHeld, kind = "group"
(SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'group' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0;

-- holds/hold.sql.ts isNotHeld, kind = "schedule"
(SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'schedule' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0;

-- holds/hold.sql.ts isNotHeld, kind = "workflow"
(SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0;

-- holds/hold.sql.ts lockHold
SELECT kind, name, since, actor, reason, until_at FROM `durable_holds` WHERE namespace = ? AND kind = ? AND name = ? AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) FOR UPDATE;
-- "*"
-- "effect"
-- "name"

-- holds/hold.sql.ts insertHold
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

-- holds/hold.sql.ts upsertHold
INSERT INTO `durable_holds` (namespace, kind, name, since, actor, reason, until_at)
  VALUES (?, ?, ?, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), ?, ?, ?)
  ON DUPLICATE KEY UPDATE actor = VALUES(`actor`), reason = VALUES(`reason`), until_at = VALUES(`until_at`);
-- "*"
-- "effect"
-- "name"
-- "actor"
-- "reason"
-- 1

-- holds/hold.sql.ts deleteHold
DELETE FROM `durable_holds` WHERE namespace = ? AND kind = ? AND name = ?;
-- "*"
-- "effect"
-- "name"

-- holds/hold.sql.ts deleteEndedHold
DELETE FROM `durable_holds` WHERE namespace = ? AND kind = ? AND name = ? AND NOT (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed));
-- "*"
-- "effect"
-- "name"
