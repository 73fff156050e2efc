-- outbox/channels.sql.ts selectTopsOf
SELECT g.n, (SELECT CAST(o.sequence_id AS char) FROM `outbox` AS o
      WHERE o.channel = CONVERT(g.channel USING utf8mb4) ORDER BY o.sequence_id DESC LIMIT 1) AS top,
    (SELECT CAST(p.position AS char) FROM `pruned` AS p WHERE p.channel = CONVERT(g.channel USING utf8mb4)) AS pruned
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR)) AS g;
-- "[{"n":0,"channel":"channels-1"},{"n":1,"channel":"channels-2"}]"

-- outbox/events.sql.ts selectEra
SELECT CASE WHEN server = CONCAT_WS('/', @@server_id, @@hostname, @@port) THEN 1 ELSE 0 END AS same FROM `durable_outbox_era` WHERE id = 0;

-- outbox/events.sql.ts insertEra
INSERT INTO `durable_outbox_era` (id, server) SELECT 0, CONCAT_WS('/', @@server_id, @@hostname, @@port) ON DUPLICATE KEY UPDATE id = 0;

-- outbox/events.sql.ts lockEra
SELECT CASE WHEN server = CONCAT_WS('/', @@server_id, @@hostname, @@port) THEN 1 ELSE 0 END AS same FROM `durable_outbox_era` WHERE id = 0 FOR UPDATE;

-- outbox/events.sql.ts updateEra
UPDATE `durable_outbox_era` SET server = CONCAT_WS('/', @@server_id, @@hostname, @@port), reached = GREATEST(reached, COALESCE(
    (SELECT sequence_id FROM `durable_outbox` WHERE channel = '' AND mutation_id = ?), 0)) WHERE id = 0;
-- "mark"
