-- doctor/run-checks.ts countOf
SELECT count(*) AS count FROM (`rows` LIMIT 1001) AS counted;

-- doctor/run-checks.ts selectFirstDue
SELECT namespace, workflow, version, min(wake_at) AS first FROM `durable_runs`
  GROUP BY namespace, workflow, version HAVING first <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 ORDER BY first LIMIT 100;

-- doctor/run-checks.ts countUntaken
(SELECT 0 AS n, count(*) AS count FROM (
    SELECT 1 AS found FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.workflow = ? AND r.version = 1
      AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND r.owner IS NULL AND NOT EXISTS (`unless`) LIMIT 4
  ) AS u) UNION ALL 
  (SELECT 1 AS n, count(*) AS count FROM (
    SELECT 1 AS found FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.workflow = ? AND r.version = 2
      AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND r.owner IS NULL AND NOT EXISTS (`unless`) LIMIT 4
  ) AS u);
-- "namespace-1"
-- "workflow-1"
-- "namespace-2"
-- "workflow-2"

-- doctor/run-checks.ts countUntaken, kinds[] = 1
(SELECT 0 AS n, count(*) AS count FROM (
    SELECT 1 AS found FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.workflow = ? AND r.version = 1
      AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 2 AND r.owner IS NULL AND NOT EXISTS (`unless`) LIMIT 3
  ) AS u);

-- doctor/run-checks.ts countUntaken, kinds[].version = string
(SELECT 0 AS n, count(*) AS count FROM (
    SELECT 1 AS found FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.workflow = ? AND r.version = NaN
      AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 AND r.owner IS NULL AND NOT EXISTS (`unless`) LIMIT 2
  ) AS u) UNION ALL 
  (SELECT 1 AS n, count(*) AS count FROM (
    SELECT 1 AS found FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.workflow = ? AND r.version = NaN
      AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 AND r.owner IS NULL AND NOT EXISTS (`unless`) LIMIT 2
  ) AS u);

-- doctor/run-checks.ts countUntaken, the least
(SELECT 0 AS n, count(*) AS count FROM (
    SELECT 1 AS found FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.workflow = ? AND r.version = NaN
      AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1 AND r.owner IS NULL AND NOT EXISTS (`unless`) LIMIT 2
  ) AS u);

-- doctor/run-checks.ts selectBlockedByIndex
SELECT b.namespace, b.workflow, b.reason, count(*) AS count FROM (
    SELECT r.namespace, r.workflow, r.reason FROM (
      SELECT namespace, reason, workflow, version FROM `durable_runs` FORCE INDEX (`durable_runs_blocked`)
      GROUP BY namespace, reason, workflow, version
    ) AS k STRAIGHT_JOIN `durable_runs` AS r
      ON r.namespace = k.namespace AND r.workflow = k.workflow AND r.version = k.version AND r.reason = k.reason
    WHERE k.reason IS NOT NULL AND r.status = 'suspended' AND (r.wake_at IS NULL OR r.wake_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
    LIMIT 1
  ) AS b GROUP BY b.namespace, b.workflow, b.reason ORDER BY count(*) DESC LIMIT 10;

-- doctor/run-checks.ts selectNextNamespace
SELECT namespace FROM `durable_runs` WHERE namespace > ?
  ORDER BY namespace LIMIT 1;
-- "1"

-- doctor/run-checks.ts selectNextNamespace, after = undefined
SELECT namespace FROM `durable_runs` WHERE namespace >= ''
  ORDER BY namespace LIMIT 1;

-- doctor/run-checks.ts countEnded
SELECT e.namespace, count(*) AS count FROM (
    (SELECT r.namespace FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.`ended` = ? AND r.finished_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1
    LIMIT 2) UNION ALL 
    (SELECT r.namespace FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.`ended` = ? AND r.finished_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1
    LIMIT 2) UNION ALL 
    (SELECT r.namespace FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.`ended` = ? AND r.finished_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1
    LIMIT 2) UNION ALL 
    (SELECT r.namespace FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.`ended` = ? AND r.finished_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1
    LIMIT 2) LIMIT 2) AS e
  GROUP BY e.namespace ORDER BY e.namespace;
-- "namespaces-1"
-- "statuses-1"
-- "namespaces-1"
-- "statuses-2"
-- "namespaces-2"
-- "statuses-1"
-- "namespaces-2"
-- "statuses-2"

-- doctor/run-checks.ts countEnded, 2.namespaces[] = 1
SELECT e.namespace, count(*) AS count FROM (
    (SELECT r.namespace FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.`ended` = ? AND r.finished_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1
    LIMIT 2) UNION ALL 
    (SELECT r.namespace FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.`ended` = ? AND r.finished_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1
    LIMIT 2) LIMIT 2) AS e
  GROUP BY e.namespace ORDER BY e.namespace;

-- doctor/run-checks.ts countEnded, the least
SELECT e.namespace, count(*) AS count FROM (
    (SELECT r.namespace FROM `durable_runs` AS r
    WHERE r.namespace = ? AND r.`ended` = ? AND r.finished_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1
    LIMIT 2) LIMIT 2) AS e
  GROUP BY e.namespace ORDER BY e.namespace;

-- doctor/tables.ts isListed
(TABLE_SCHEMA, TABLE_NAME) IN ((COALESCE(?, DATABASE()), ?), (COALESCE(?, DATABASE()), ?));
-- "schema-1"
-- "name-1"
-- "schema-2"
-- "name-2"

-- doctor/tables.ts isListed, tables[] = 1
(TABLE_SCHEMA, TABLE_NAME) IN ((COALESCE(?, DATABASE()), ?));
