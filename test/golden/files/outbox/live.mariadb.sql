-- outbox/live/channel-reader.sql.ts selectTopsOf
SELECT g.n, (SELECT CAST(o.sequence_id AS char) FROM `outbox` AS o
      WHERE o.channel = CONVERT(g.channel USING utf8mb4) ORDER BY o.sequence_id DESC LIMIT 1) AS top,
    (SELECT CAST(p.position AS char) FROM `pruned` AS p WHERE p.channel = CONVERT(g.channel USING utf8mb4)) AS pruned
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR)) AS g;
-- "[{"n":0,"channel":"channels-1"},{"n":1,"channel":"channels-2"}]"
