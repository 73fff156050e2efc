-- outbox/live/channel-reader.sql.ts selectTopsOf
SELECT g.n, (SELECT CAST(o.sequence_id AS char) FROM `outbox` AS o
      WHERE o.channel = CONVERT(g.channel USING utf8mb4) ORDER BY o.channel DESC, o.sequence_id DESC LIMIT 1) AS top,
    (SELECT CAST(p.position AS char) FROM `pruned` AS p WHERE p.channel = CONVERT(g.channel USING utf8mb4)) AS pruned
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR)) AS g;
-- "[{"n":0,"channel":"channels-1"},{"n":1,"channel":"channels-2"}]"

-- outbox/live/channel-reader.sql.ts selectPagesOf
(SELECT 0 AS n, CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS char) AS data, CAST(o.headers AS char) AS headers FROM `outbox` AS o WHERE o.channel = ? AND o.sequence_id > ?
   ORDER BY o.channel, o.sequence_id LIMIT 3) UNION ALL 
  (SELECT 1 AS n, CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS char) AS data, CAST(o.headers AS char) AS headers FROM `outbox` AS o WHERE o.channel = ? AND o.sequence_id > ?
   ORDER BY o.channel, o.sequence_id LIMIT 3) UNION ALL 
  SELECT 0, NULL, CAST(position AS char), NULL, NULL, NULL, NULL FROM `pruned` WHERE channel = ? AND position > ? UNION ALL 
  SELECT 1, NULL, CAST(position AS char), NULL, NULL, NULL, NULL FROM `pruned` WHERE channel = ? AND position > ?;
-- "channel-1"
-- 1
-- "channel-2"
-- 2
-- "channel-1"
-- 1
-- "channel-2"
-- 2

-- outbox/live/channel-reader.sql.ts selectPagesOf, positions[] = 1
(SELECT 0 AS n, CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS char) AS data, CAST(o.headers AS char) AS headers FROM `outbox` AS o WHERE o.channel = ? AND o.sequence_id > ?
   ORDER BY o.channel, o.sequence_id LIMIT 2) UNION ALL 
  SELECT 0, NULL, CAST(position AS char), NULL, NULL, NULL, NULL FROM `pruned` WHERE channel = ? AND position > ?;

-- outbox/live/channel-reader.sql.ts selectPosition
SELECT (SELECT CAST(max(o.sequence_id) AS char) FROM `outbox` AS o WHERE o.channel = ?) AS top,
    (SELECT CAST(p.position AS char) FROM `pruned` AS p WHERE p.channel = ?) AS pruned;
-- "channel"
-- "channel"

-- outbox/live/run-channels.sql.ts selectOwner
SELECT consumer AS owner FROM `table` WHERE consumer > ? ORDER BY consumer LIMIT 1;
-- "1"

-- outbox/live/run-channels.sql.ts selectOwner, 2.owner = "destination"
SELECT destination AS owner FROM `table` WHERE destination > ? ORDER BY destination LIMIT 1;

-- outbox/live/run-channels.sql.ts selectRunChannels
SELECT channel FROM `table`
  WHERE consumer = ? AND channel >= 'durable:run:' AND channel < 'durable:run;' AND channel > ?
  ORDER BY consumer, channel LIMIT 1;
-- "owner"
-- "channel"

-- outbox/live/run-channels.sql.ts selectRunChannels, 2.owner = "destination"
SELECT channel FROM `table`
  WHERE destination = ? AND channel >= 'durable:run:' AND channel < 'durable:run;' AND channel > ?
  ORDER BY destination, channel LIMIT 1;

-- outbox/live/run-channels.sql.ts lockPositions
SELECT channel FROM `table` WHERE consumer = ? AND channel IN (?, ?)
  AND only FOR UPDATE SKIP LOCKED;
-- "of"
-- "channels-1"
-- "channels-2"

-- outbox/live/run-channels.sql.ts lockPositions, 2.only = undefined
SELECT channel FROM `table` WHERE consumer = ? AND channel IN (?, ?)
  FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts lockPositions, 2.owner = "destination"
SELECT channel FROM `table` WHERE destination = ? AND channel IN (?, ?)
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts lockPositions, channels[] = 1
SELECT channel FROM `table` WHERE consumer = ? AND channel IN (?)
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts lockPositions, the least
SELECT channel FROM `table` WHERE destination = ? AND channel IN (?)
  FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts lockPositions, the least, 2.only = string
SELECT channel FROM `table` WHERE destination = ? AND channel IN (?)
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts lockPositions, the least, 2.owner = "consumer"
SELECT channel FROM `table` WHERE consumer = ? AND channel IN (?)
  FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts lockPositions, the least, channels[] = 2
SELECT channel FROM `table` WHERE destination = ? AND channel IN (?, ?)
  FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts selectUnprocessed
SELECT DISTINCT o.channel FROM `outbox` AS o
  WHERE o.channel IN (?, ?) AND o.processed = 0;
-- "channels-1"
-- "channels-2"

-- outbox/live/run-channels.sql.ts selectUnprocessed, channels[] = 1
SELECT DISTINCT o.channel FROM `outbox` AS o
  WHERE o.channel IN (?) AND o.processed = 0;

-- outbox/live/run-channels.sql.ts deletePositions
DELETE FROM `table` WHERE consumer = ? AND channel IN (?, ?);
-- "of"
-- "channels-1"
-- "channels-2"

-- outbox/live/run-channels.sql.ts deletePositions, 2.owner = "destination"
DELETE FROM `table` WHERE destination = ? AND channel IN (?, ?);

-- outbox/live/run-channels.sql.ts deletePositions, channels[] = 1
DELETE FROM `table` WHERE consumer = ? AND channel IN (?);

-- outbox/live/run-channels.sql.ts deletePositions, the least
DELETE FROM `table` WHERE destination = ? AND channel IN (?);

-- outbox/live/run-channels.sql.ts lockPruned
SELECT channel FROM `pruned` WHERE channel >= 'durable:run:' AND channel < 'durable:run;' ORDER BY channel LIMIT 1 FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts deletePruned
DELETE FROM `pruned` WHERE channel IN (?, ?);
-- "channels-1"
-- "channels-2"

-- outbox/live/run-channels.sql.ts deletePruned, channels[] = 1
DELETE FROM `pruned` WHERE channel IN (?);

-- outbox/live/sql-event-pruning.ts selectPage
SELECT CAST(p.sequence_id AS char) AS sequence_id, p.channel, p.processed, p.old,
    p.sequence_id = (SELECT MAX(sequence_id) FROM `outbox`) AS newest FROM (
  SELECT o.sequence_id, o.channel, o.processed, (o.created_at < TIMESTAMPADD(MICROSECOND, ((CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1) - (TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)) * 1000, NOW(3))) AS old FROM `outbox` AS o
  WHERE o.sequence_id > ? ORDER BY o.sequence_id LIMIT 3) AS p;
-- 2

-- outbox/live/sql-event-pruning.ts notePruned
INSERT INTO `pruned` (channel, position)
  VALUES (?, ?), (?, ?)
  ON DUPLICATE KEY UPDATE position = GREATEST(position, VALUES(`position`));
-- "channel-1"
-- 1
-- "channel-2"
-- 2

-- outbox/live/sql-event-pruning.ts notePruned, positions[] = 1
INSERT INTO `pruned` (channel, position)
  VALUES (?, ?)
  ON DUPLICATE KEY UPDATE position = GREATEST(position, VALUES(`position`));

-- outbox/live/sql-event-pruning.ts deleteEvents
DELETE FROM `outbox` WHERE processed = 1 AND sequence_id IN (?, ?);
-- 1
-- 2

-- outbox/live/sql-event-pruning.ts deleteEvents, numbers[] = 1
DELETE FROM `outbox` WHERE processed = 1 AND sequence_id IN (?);
