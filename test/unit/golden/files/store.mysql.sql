-- store/store.sql.ts selectValue
SELECT s.value FROM `durable_store` AS s WHERE s.namespace = ? AND s.name = ?;
-- "namespace"
-- "key"

-- store/store.sql.ts selectEntry
SELECT s.value FROM `durable_store` AS s WHERE s.namespace = ? AND s.name = ? AND (s.expires_at IS NULL OR s.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed));
-- "namespace"
-- "key"

-- store/store.sql.ts deleteEntry
DELETE s FROM JSON_TABLE(?, '$[*]' COLUMNS (`namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_store` AS s FORCE INDEX (`PRIMARY`) ON s.namespace = n.namespace AND s.name = n.name AND (s.expires_at IS NULL OR s.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed));
-- "[{"namespace":"namespace","name":"key"}]"

-- store/store.sql.ts upsertEntry
INSERT INTO `durable_store` 
    (namespace, name, value, expires_at)
  VALUES (?, ?, ?, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + CAST(? AS signed)) ON DUPLICATE KEY UPDATE `value` = VALUES(`value`), `expires_at` = VALUES(`expires_at`);
-- "namespace"
-- "key"
-- "value"
-- 1

-- store/store.sql.ts keepEntry
INSERT INTO `durable_store` 
    (namespace, name, value, expires_at)
  VALUES (?, ?, ?, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + CAST(? AS signed)) ON DUPLICATE KEY UPDATE `namespace` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`namespace`), VALUES(`namespace`));
-- "namespace"
-- "key"
-- "value"
-- 1
-- a large number
-- a large number
-- a large number

-- store/store.sql.ts changeEntry
UPDATE `durable_store` AS s SET s.value = `value`, s.expires_at = CASE WHEN coalesce(s.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), 1 = 0) THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + CAST(? AS signed) ELSE s.expires_at END
  WHERE s.namespace = ? AND s.name = ? AND `where`;
-- 1
-- "namespace"
-- "key"

-- store/store.sql.ts changeEntry, change.keepsTime() = false
UPDATE `durable_store` AS s SET s.value = `value`, s.expires_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + CAST(? AS signed)
  WHERE s.namespace = ? AND s.name = ? AND `where`;

-- store/store.sql.ts lockExpired
SELECT namespace, name FROM `durable_store`
  WHERE expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED;
