-- outbox/channels.sql.ts selectTopsOf
SELECT g.n, (SELECT CAST(o.sequence_id AS char) FROM `outbox` AS o
      WHERE o.channel = CONVERT(g.channel USING utf8mb4) ORDER BY o.channel DESC, o.sequence_id DESC LIMIT 1) AS top,
    (SELECT CAST(p.position AS char) FROM `pruned` AS p WHERE p.channel = CONVERT(g.channel USING utf8mb4)) AS pruned
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR)) AS g;
-- "[{"n":0,"channel":"channels-1"},{"n":1,"channel":"channels-2"}]"

-- outbox/channels.sql.ts selectPagesOf
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

-- outbox/channels.sql.ts selectPagesOf, positions[] = 1
(SELECT 0 AS n, CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS char) AS data, CAST(o.headers AS char) AS headers FROM `outbox` AS o WHERE o.channel = ? AND o.sequence_id > ?
   ORDER BY o.channel, o.sequence_id LIMIT 2) UNION ALL 
  SELECT 0, NULL, CAST(position AS char), NULL, NULL, NULL, NULL FROM `pruned` WHERE channel = ? AND position > ?;

-- outbox/channels.sql.ts selectPosition
SELECT (SELECT CAST(max(o.sequence_id) AS char) FROM `outbox` AS o WHERE o.channel = ?) AS top,
    (SELECT CAST(p.position AS char) FROM `pruned` AS p WHERE p.channel = ?) AS pruned;
-- "channel"
-- "channel"

-- outbox/channels.sql.ts selectPage
SELECT CAST(p.sequence_id AS char) AS sequence_id, p.channel, p.processed, p.old,
    p.sequence_id = (SELECT MAX(sequence_id) FROM `outbox`) AS newest FROM (
  SELECT o.sequence_id, o.channel, o.processed, (o.created_at < TIMESTAMPADD(MICROSECOND, ((CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 1) - (TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)) * 1000, NOW(3))) AS old FROM `outbox` AS o
  WHERE o.sequence_id > ? ORDER BY o.sequence_id LIMIT 3) AS p;
-- 2

-- outbox/channels.sql.ts notePruned
INSERT INTO `pruned` (channel, position)
  VALUES (?, ?), (?, ?)
  ON DUPLICATE KEY UPDATE position = GREATEST(position, VALUES(`position`));
-- "channel-1"
-- 1
-- "channel-2"
-- 2

-- outbox/channels.sql.ts notePruned, positions[] = 1
INSERT INTO `pruned` (channel, position)
  VALUES (?, ?)
  ON DUPLICATE KEY UPDATE position = GREATEST(position, VALUES(`position`));

-- outbox/channels.sql.ts deleteEvents
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `outbox` AS gone FORCE INDEX (`PRIMARY`) ON gone.sequence_id = k.found AND processed = 1;
-- "[{"found":"1"},{"found":"2"}]"

-- outbox/channels.sql.ts selectOwner
SELECT consumer AS owner FROM `table` WHERE consumer > ? ORDER BY consumer LIMIT 1;
-- "1"

-- outbox/channels.sql.ts selectOwner, 2.owner = "destination"
SELECT destination AS owner FROM `table` WHERE destination > ? ORDER BY destination LIMIT 1;

-- outbox/channels.sql.ts selectRunChannels
SELECT channel FROM `table`
  WHERE consumer = ? AND channel >= 'durable:run:' AND channel < 'durable:run;' AND channel > ?
  ORDER BY consumer, channel LIMIT 1;
-- "owner"
-- "channel"

-- outbox/channels.sql.ts selectRunChannels, 2.owner = "destination"
SELECT channel FROM `table`
  WHERE destination = ? AND channel >= 'durable:run:' AND channel < 'durable:run;' AND channel > ?
  ORDER BY destination, channel LIMIT 1;

-- outbox/channels.sql.ts lockPositions
SELECT channel, last_sequence_id FROM `table` FORCE INDEX (`PRIMARY`) WHERE consumer = ? AND channel IN (?, ?)
  AND only FOR UPDATE SKIP LOCKED;
-- "of"
-- "channels-1"
-- "channels-2"

-- outbox/channels.sql.ts lockPositions, 2.only = undefined
SELECT channel, last_sequence_id FROM `table` FORCE INDEX (`PRIMARY`) WHERE consumer = ? AND channel IN (?, ?)
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, 2.owner = "destination"
SELECT channel, last_sequence_id FROM `table` FORCE INDEX (`PRIMARY`) WHERE destination = ? AND channel IN (?, ?)
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, 2.reached = "position"
SELECT channel, position FROM `table` FORCE INDEX (`PRIMARY`) WHERE consumer = ? AND channel IN (?, ?)
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, channels[] = 1
SELECT channel, last_sequence_id FROM `table` FORCE INDEX (`PRIMARY`) WHERE consumer = ? AND channel IN (?)
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least
SELECT channel, position FROM `table` FORCE INDEX (`PRIMARY`) WHERE destination = ? AND channel IN (?)
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least, 2.only = string
SELECT channel, position FROM `table` FORCE INDEX (`PRIMARY`) WHERE destination = ? AND channel IN (?)
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least, 2.owner = "consumer"
SELECT channel, position FROM `table` FORCE INDEX (`PRIMARY`) WHERE consumer = ? AND channel IN (?)
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least, 2.reached = "last_sequence_id"
SELECT channel, last_sequence_id FROM `table` FORCE INDEX (`PRIMARY`) WHERE destination = ? AND channel IN (?)
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least, channels[] = 2
SELECT channel, position FROM `table` FORCE INDEX (`PRIMARY`) WHERE destination = ? AND channel IN (?, ?)
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts selectUnprocessed
SELECT DISTINCT o.channel FROM `outbox` AS o
  WHERE o.channel IN (?, ?) AND o.processed = 0;
-- "channels-1"
-- "channels-2"

-- outbox/channels.sql.ts selectUnprocessed, channels[] = 1
SELECT DISTINCT o.channel FROM `outbox` AS o
  WHERE o.channel IN (?) AND o.processed = 0;

-- outbox/channels.sql.ts deletePositions
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `table` AS gone FORCE INDEX (`PRIMARY`) ON gone.channel = k.found AND consumer = ?;
-- "[{"found":"channels-1"},{"found":"channels-2"}]"
-- "of"

-- outbox/channels.sql.ts deletePositions, 2.owner = "destination"
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `table` AS gone FORCE INDEX (`PRIMARY`) ON gone.channel = k.found AND destination = ?;

-- outbox/channels.sql.ts lockPruned
SELECT channel FROM `pruned` WHERE channel >= 'durable:run:' AND channel < 'durable:run;' ORDER BY channel LIMIT 1 FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts deletePruned
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `pruned` AS gone FORCE INDEX (`PRIMARY`) ON gone.channel = k.found;
-- "[{"found":"channels-1"},{"found":"channels-2"}]"

-- outbox/dead-letters.sql.ts insertDead
INSERT INTO `durable_outbox_dead` (destination, sequence_id, mutation_id, channel, name, rejected, data, headers, attempts, reason, last_error, failed_at)
  SELECT ?, sequence_id, mutation_id, channel, name, rejected, data, headers, attempts, reason, last_error, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FROM JSON_TABLE(?, '$[*]' COLUMNS (`sequence_id` bigint PATH '$.sequence_id' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` bigint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR, `attempts` bigint PATH '$.attempts' NULL ON EMPTY ERROR ON ERROR, `reason` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.reason' NULL ON EMPTY ERROR ON ERROR, `last_error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.last_error' NULL ON EMPTY ERROR ON ERROR)) AS d ON DUPLICATE KEY UPDATE `attempts` = VALUES(`attempts`), `reason` = VALUES(`reason`), `last_error` = VALUES(`last_error`), `failed_at` = VALUES(`failed_at`);
-- "destination"
-- "[{"sequence_id":"1","mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":1,"data":"\\"data-1\\"","headers":"{\\"named\\":\\"named-1\\"}","attempts":2,"reason":"behind","last_error":"error-1"},{"sequence_id":"3","mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":1,"data":"\\"data-2\\"","headers":"{\\"named\\":\\"named-2\\"}","attempts":4,"reason":"behind","last_error":"error-2"}]"

-- outbox/dead-letters.sql.ts selectDeadMoments
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?, ?) AND d.channel IN (?, ?)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 7;
-- "[{"run":1,"mutation_id":"mutationId-1"},{"run":2,"mutation_id":"mutationId-2"}]"
-- "[{"destination":"destinations-1","n":0},{"destination":"destinations-2","n":1}]"
-- "destinations-1"
-- "destinations-2"
-- "channels-1"
-- "channels-2"
-- 3
-- 4
-- 5
-- 6
-- "0"

-- outbox/dead-letters.sql.ts selectDeadMoments, 3.channels[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?, ?) AND d.channel IN (?)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 7;

-- outbox/dead-letters.sql.ts selectDeadMoments, 3.events[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?, ?) AND d.channel IN (?, ?)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 6;

-- outbox/dead-letters.sql.ts selectDeadMoments, destinations[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?) AND d.channel IN (?, ?)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 7;

-- outbox/dead-letters.sql.ts selectDeadMoments, next.past = undefined
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?, ?) AND d.channel IN (?, ?)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 3;

-- outbox/dead-letters.sql.ts selectDeadMoments, the least
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?) AND d.channel IN (?)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 2;

-- outbox/dead-letters.sql.ts selectDeadMoments, the least, 3.channels[] = 2
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?) AND d.channel IN (?, ?)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 2;

-- outbox/dead-letters.sql.ts selectDeadMoments, the least, 3.events[] = 2
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?) AND d.channel IN (?)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 3;

-- outbox/dead-letters.sql.ts selectDeadMoments, the least, destinations[] = 2
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?, ?) AND d.channel IN (?)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 2;

-- outbox/dead-letters.sql.ts selectDeadMoments, the least, next.past = Moment
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `mutation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM `durable_outbox_dead` AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS w ON w.destination = d.destination
    WHERE d.destination IN (?) AND d.channel IN (?)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 6;

-- outbox/dead-letters.sql.ts selectLeases
SELECT shard, epoch
  FROM `durable_outbox_shards` WHERE destination = ? AND owner = ? AND lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  ORDER BY shard;
-- "destination"
-- "owner"

-- outbox/dead-letters.sql.ts lockLeases
SELECT shard, epoch
  FROM `durable_outbox_shards` WHERE destination = ? AND owner = ? AND lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  ORDER BY shard LOCK IN SHARE MODE;
-- "destination"
-- "owner"

-- outbox/dead-letters.sql.ts setState
INSERT INTO `durable_outbox_channels` (destination, channel, state, failed_at)
  SELECT ?, g.channel, ?, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR)) AS g
  WHERE 1 = 1 ORDER BY g.channel
  ON DUPLICATE KEY UPDATE state = VALUES(`state`), failed_at = VALUES(`failed_at`), attempts = 0, crashed = NULL, available_at = NULL;
-- "destination"
-- "parked"
-- "[{"channel":"channels-1"},{"channel":"channels-2"}]"

-- outbox/dead-letters.sql.ts forgetFailures
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = ? AND channel IN (?, ?);
-- "destination"
-- "channels-1"
-- "channels-2"

-- outbox/dead-letters.sql.ts forgetFailures, channels[] = 1
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = ? AND channel IN (?);

-- outbox/dead-letters.sql.ts lockChannel
SELECT c.state, c.attempts, c.last_error, c.position FROM `durable_outbox_channels` AS c 
  WHERE c.destination = ? AND c.channel = ? FOR UPDATE;
-- "destination"
-- "channel"

-- outbox/dead-letters.sql.ts retryBlocked
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET state = NULL, attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = ? AND state = 'blocked' AND channel IN (?, ?);
-- "destination"
-- "channels-1"
-- "channels-2"

-- outbox/dead-letters.sql.ts retryBlocked, channels[] = 1
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET state = NULL, attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = ? AND state = 'blocked' AND channel IN (?);

-- outbox/dead-letters.sql.ts selectBlamed
SELECT destination, channel FROM `durable_outbox_channels` WHERE crashed IS NOT NULL AND position(? IN crashed) > 0
  ORDER BY destination, channel;
-- "[owner]"

-- outbox/dead-letters.sql.ts clearOf
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET state = CASE WHEN state = 'blocked' THEN NULL ELSE state END,
    crashed = NULLIF(REPLACE(crashed, ?, ''), '')
  WHERE destination = ? AND channel IN (?, ?) AND crashed IS NOT NULL;
-- "[owner]"
-- "destination"
-- "channels-1"
-- "channels-2"

-- outbox/dead-letters.sql.ts clearOf, channels[] = 1
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET state = CASE WHEN state = 'blocked' THEN NULL ELSE state END,
    crashed = NULLIF(REPLACE(crashed, ?, ''), '')
  WHERE destination = ? AND channel IN (?) AND crashed IS NOT NULL;

-- outbox/dead-letters.sql.ts dropCalm
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_outbox_channels` AS gone FORCE INDEX (`PRIMARY`) ON gone.channel = k.found AND destination = ?
    AND position = 0 AND state IS NULL AND attempts = 0 AND crashed IS NULL;
-- "[{"found":"channels-1"},{"found":"channels-2"}]"
-- "destination"

-- outbox/dead-letters.sql.ts selectBlocked
SELECT channel FROM `durable_outbox_channels`
  WHERE destination = ? AND state = 'blocked' AND channel > ? ORDER BY channel LIMIT 2;
-- "destination"
-- "1"

-- outbox/dead-letters.sql.ts selectFirst
SELECT o.channel, CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS char) AS data, CAST(o.headers AS char) AS headers FROM `durable_outbox` AS o
  WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ?
    AND o.sequence_id > ?
  ORDER BY o.shard, o.channel, o.sequence_id LIMIT 1;
-- 1
-- "channel"
-- "2"

-- outbox/dead-letters.sql.ts selectDead
SELECT CAST(d.sequence_id AS char) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM `durable_outbox_dead` AS d
  WHERE d.destination = ? AND d.sequence_id > ?
    AND d.channel = ?
  ORDER BY d.sequence_id LIMIT 1;
-- "destination"
-- "2"
-- "channel"

-- outbox/dead-letters.sql.ts selectDead, 2.channel = undefined
SELECT CAST(d.sequence_id AS char) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM `durable_outbox_dead` AS d
  WHERE d.destination = ? AND d.sequence_id > ?
    
  ORDER BY d.sequence_id LIMIT 1;

-- outbox/dead-letters.sql.ts selectRequeuedChannels
SELECT channel, attempts, crashed FROM `durable_outbox_channels`
  WHERE destination = ? AND state = 'requeued' AND (available_at IS NULL OR available_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  ORDER BY channel LIMIT 1000;
-- "destination"

-- outbox/dead-letters.sql.ts selectRequeued
SELECT CAST(d.sequence_id AS char) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM `durable_outbox_dead` AS d
  WHERE d.destination = ? AND d.channel = ? AND d.reason = 'requeued'
  ORDER BY d.sequence_id LIMIT 50;
-- "destination"
-- "channel"

-- outbox/dead-letters.sql.ts selectDeadNumbers
SELECT CAST(d.sequence_id AS char) AS sequence_id FROM `durable_outbox_dead` AS d
  WHERE d.destination = ? AND d.channel = ? AND d.sequence_id > ?
    AND d.sequence_id IN (?, ?)
  ORDER BY d.sequence_id LIMIT 2;
-- "destination"
-- "channel"
-- "1"
-- 3
-- 4

-- outbox/dead-letters.sql.ts selectDeadNumbers, ids = undefined
SELECT CAST(d.sequence_id AS char) AS sequence_id FROM `durable_outbox_dead` AS d
  WHERE d.destination = ? AND d.channel = ? AND d.sequence_id > ?
    
  ORDER BY d.sequence_id LIMIT 2;

-- outbox/dead-letters.sql.ts selectDeadNumbers, ids[] = 1
SELECT CAST(d.sequence_id AS char) AS sequence_id FROM `durable_outbox_dead` AS d
  WHERE d.destination = ? AND d.channel = ? AND d.sequence_id > ?
    AND d.sequence_id IN (?)
  ORDER BY d.sequence_id LIMIT 2;

-- outbox/dead-letters.sql.ts requeueDead
UPDATE `durable_outbox_dead` FORCE INDEX (`PRIMARY`) SET reason = 'requeued'
  WHERE destination = ? AND sequence_id IN (?, ?);
-- "destination"
-- 1
-- 2

-- outbox/dead-letters.sql.ts requeueDead, ids[] = 1
UPDATE `durable_outbox_dead` FORCE INDEX (`PRIMARY`) SET reason = 'requeued'
  WHERE destination = ? AND sequence_id IN (?);

-- outbox/dead-letters.sql.ts deleteDead
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_outbox_dead` AS gone FORCE INDEX (`PRIMARY`) ON gone.sequence_id = k.found AND destination = ?;
-- "[{"found":"1"},{"found":"2"}]"
-- "destination"

-- outbox/dead-letters.sql.ts selectReasons
SELECT channel, MAX(CASE WHEN reason = 'requeued' THEN 1 ELSE 0 END) AS requeued,
    MAX(CASE WHEN reason = 'behind' THEN 1 ELSE 0 END) AS behind
  FROM `durable_outbox_dead`
  WHERE destination = ? AND channel IN (?, ?) GROUP BY channel;
-- "destination"
-- "channels-1"
-- "channels-2"

-- outbox/dead-letters.sql.ts selectReasons, channels[] = 1
SELECT channel, MAX(CASE WHEN reason = 'requeued' THEN 1 ELSE 0 END) AS requeued,
    MAX(CASE WHEN reason = 'behind' THEN 1 ELSE 0 END) AS behind
  FROM `durable_outbox_dead`
  WHERE destination = ? AND channel IN (?) GROUP BY channel;

-- outbox/dead-letters.sql.ts selectStanding
SELECT channel, state, attempts, last_error, failed_at FROM `durable_outbox_channels`
  WHERE destination = ? AND state IS NOT NULL ORDER BY state, channel LIMIT 1;
-- "destination"

-- outbox/dead-letters.sql.ts countPending
(SELECT ? COLLATE utf8mb4_0900_bin AS channel, COUNT(*) AS pending FROM (
    SELECT 1 FROM `durable_outbox` AS o
    WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
    LIMIT 5) AS waiting) UNION ALL 
  (SELECT ? COLLATE utf8mb4_0900_bin AS channel, COUNT(*) AS pending FROM (
    SELECT 1 FROM `durable_outbox` AS o
    WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
    LIMIT 5) AS waiting);
-- "channel-1"
-- 1
-- "channel-1"
-- "2"
-- "channel-2"
-- 3
-- "channel-2"
-- "4"

-- outbox/dead-letters.sql.ts countPending, channels[] = 1
(SELECT ? COLLATE utf8mb4_0900_bin AS channel, COUNT(*) AS pending FROM (
    SELECT 1 FROM `durable_outbox` AS o
    WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
    LIMIT 3) AS waiting);

-- outbox/dead-letters.sql.ts lockOldDead
SELECT d.destination, CAST(d.sequence_id AS char) AS sequence_id FROM `durable_outbox_dead` AS d
  FORCE INDEX (`durable_outbox_dead_age`)
  WHERE d.failed_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ? AND d.reason <> 'requeued'
  ORDER BY d.failed_at LIMIT 2 FOR UPDATE SKIP LOCKED;
-- 1

-- outbox/deliveries.mysql.sql.ts selectStanding
SELECT (SELECT CAST(MAX(sequence_id) AS char) FROM `durable_outbox`) AS newest,
    (SELECT COUNT(*) FROM `durable_outbox_destinations` WHERE name <> ?) AS others;
-- "destination"

-- outbox/deliveries.mysql.sql.ts deleteFenced
DELETE o FROM 
  JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k
  STRAIGHT_JOIN `durable_outbox` AS o FORCE INDEX (PRIMARY) ON o.sequence_id = k.found AND o.processed = 0
  STRAIGHT_JOIN `durable_outbox_shards` AS s FORCE INDEX (PRIMARY) ON s.shard = o.shard AND s.destination = ?
    AND s.owner = ? AND s.lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND LOCATE(CONCAT('|', s.shard, ':', s.epoch, '|'), ?) > 0
    AND NOT EXISTS (SELECT 1 FROM `durable_outbox_destinations` AS d WHERE d.name <> ?);
-- "[{"found":"5"},{"found":"6"}]"
-- "destination"
-- "owner"
-- "|1:2|3:4|"
-- "destination"

-- outbox/deliveries.mysql.sql.ts markFenced
UPDATE 
  JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k
  STRAIGHT_JOIN `durable_outbox` AS o FORCE INDEX (PRIMARY) ON o.sequence_id = k.found AND o.processed = 0
  STRAIGHT_JOIN `durable_outbox_shards` AS s FORCE INDEX (PRIMARY) ON s.shard = o.shard AND s.destination = ?
    AND s.owner = ? AND s.lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND LOCATE(CONCAT('|', s.shard, ':', s.epoch, '|'), ?) > 0
    AND NOT EXISTS (SELECT 1 FROM `durable_outbox_destinations` AS d WHERE d.name <> ?) SET o.processed = 1;
-- "[{"found":"5"},{"found":"6"}]"
-- "destination"
-- "owner"
-- "|1:2|3:4|"
-- "destination"

-- outbox/deliveries.mysql.sql.ts selectPending
SELECT CAST(sequence_id AS char) AS sequence_id FROM `durable_outbox`
  WHERE sequence_id IN (?, ?) AND processed = 0;
-- 1
-- 2

-- outbox/deliveries.mysql.sql.ts selectPending, ids[] = 1
SELECT CAST(sequence_id AS char) AS sequence_id FROM `durable_outbox`
  WHERE sequence_id IN (?) AND processed = 0;

-- outbox/deliveries.mysql.sql.ts lockPending
SELECT CAST(sequence_id AS char) AS sequence_id FROM `durable_outbox` FORCE INDEX (`PRIMARY`)
  WHERE sequence_id IN (?, ?) AND processed = 0 ORDER BY sequence_id FOR UPDATE;
-- 1
-- 2

-- outbox/deliveries.mysql.sql.ts lockPending, ids[] = 1
SELECT CAST(sequence_id AS char) AS sequence_id FROM `durable_outbox` FORCE INDEX (`PRIMARY`)
  WHERE sequence_id IN (?) AND processed = 0 ORDER BY sequence_id FOR UPDATE;

-- outbox/deliveries.mysql.sql.ts deleteEvents
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_outbox` AS gone FORCE INDEX (`PRIMARY`) ON gone.sequence_id = k.found;
-- "[{"found":"1"},{"found":"2"}]"

-- outbox/deliveries.mysql.sql.ts markEvents
UPDATE `durable_outbox` FORCE INDEX (`PRIMARY`) SET processed = 1 WHERE sequence_id IN (?, ?);
-- 1
-- 2

-- outbox/deliveries.mysql.sql.ts markEvents, ids[] = 1
UPDATE `durable_outbox` FORCE INDEX (`PRIMARY`) SET processed = 1 WHERE sequence_id IN (?);

-- outbox/deliveries.mysql.sql.ts deleteMarks
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_outbox` AS gone FORCE INDEX (`PRIMARY`) ON gone.sequence_id = k.found AND processed = 1;
-- "[{"found":"1"},{"found":"2"}]"

-- outbox/deliveries.mysql.sql.ts clearChannels
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_outbox_channels` AS gone FORCE INDEX (`PRIMARY`) ON gone.channel = k.found AND destination = ?
    AND state IS NULL AND position = 0;
-- "[{"found":"channels-1"},{"found":"channels-2"}]"
-- "destination"

-- outbox/deliveries.mysql.sql.ts movePositions
INSERT INTO `durable_outbox_channels` (destination, channel, position)
  SELECT s.destination, g.channel, MAX(g.last) FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `last` bigint PATH '$.last' NULL ON EMPTY ERROR ON ERROR, `held` bigint PATH '$.held' NULL ON EMPTY ERROR ON ERROR)) AS g
  JOIN `durable_outbox_shards` AS s ON s.shard = g.held AND s.destination = ?
    AND s.owner = ? AND s.lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND LOCATE(CONCAT('|', s.shard, ':', s.epoch, '|'), ?) > 0
  GROUP BY s.destination, g.channel ORDER BY g.channel
  ON DUPLICATE KEY UPDATE position = GREATEST(position, VALUES(position)), attempts = 0, crashed = NULL,
    available_at = NULL, last_error = NULL, failed_at = NULL;
-- "[{"channel":"channel-1","last":"2","held":3},{"channel":"channel-2","last":"6","held":7}]"
-- "destination-1"
-- "owner"
-- "|3:4|7:8|"

-- outbox/deliveries.mysql.sql.ts failHeads
INSERT INTO `durable_outbox_channels` (destination, channel, attempts, available_at, state, last_error, failed_at, crashed)
  SELECT s.destination, g.channel, g.counts, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + g.delay, g.stands, g.error, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), g.died
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `counts` bigint PATH '$.counts' NULL ON EMPTY ERROR ON ERROR, `delay` bigint PATH '$.delay' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `stands` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.stands' NULL ON EMPTY ERROR ON ERROR, `died` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.died' NULL ON EMPTY ERROR ON ERROR, `held` bigint PATH '$.held' NULL ON EMPTY ERROR ON ERROR)) AS g
  JOIN `durable_outbox_shards` AS s ON s.shard = g.held AND s.destination = ?
    AND s.owner = ? AND s.lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND LOCATE(CONCAT('|', s.shard, ':', s.epoch, '|'), ?) > 0 ORDER BY g.channel
  ON DUPLICATE KEY UPDATE attempts = attempts + VALUES(attempts),
    crashed = VALUES(crashed), available_at = VALUES(available_at),
    state = CASE WHEN state = 'requeued' THEN state ELSE COALESCE(VALUES(state), state) END,
    last_error = VALUES(last_error), failed_at = VALUES(failed_at);
-- "[{"channel":"channel-1","counts":0,"delay":1,"error":"error-1","stands":"blocked","died":"[died-3][died-4]","held":2},{"channel":"channel-2","counts":0,"delay":4,"error":"error-2","stands":"blocked","died":"[died-5][died-6]","held":5}]"
-- "destination-1"
-- "owner"
-- "|2:3|5:6|"

-- outbox/deliveries.mysql.sql.ts countCrashes
INSERT INTO `durable_outbox_channels` (destination, channel, crashed)
  SELECT s.destination, g.channel, g.died FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `died` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.died' NULL ON EMPTY ERROR ON ERROR, `held` bigint PATH '$.held' NULL ON EMPTY ERROR ON ERROR)) AS g
  JOIN `durable_outbox_shards` AS s ON s.shard = g.held AND s.destination = ?
    AND s.owner = ? AND s.lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND LOCATE(CONCAT('|', s.shard, ':', s.epoch, '|'), ?) > 0 ORDER BY g.channel
  ON DUPLICATE KEY UPDATE crashed = CASE WHEN crashed IS NULL THEN VALUES(crashed)
    WHEN LOCATE(?, crashed) > 0 THEN crashed ELSE CONCAT(crashed, ?) END;
-- "[{"channel":"channel-1","died":"[abandonedBy-1][owner]","held":1},{"channel":"channel-2","died":"[abandonedBy-2][owner]","held":3}]"
-- "destination-1"
-- "owner"
-- "|1:2|3:4|"
-- "[owner]"
-- "[owner]"

-- outbox/deliveries.mysql.sql.ts selectCrashes
SELECT channel, crashed FROM `durable_outbox_channels` WHERE destination = ? AND channel IN (?, ?);
-- "destination"
-- "channels-1"
-- "channels-2"

-- outbox/deliveries.mysql.sql.ts selectCrashes, channels[] = 1
SELECT channel, crashed FROM `durable_outbox_channels` WHERE destination = ? AND channel IN (?);

-- outbox/deliveries.mysql.sql.ts selectPassed
SELECT channel, CAST(MIN(position) AS char) AS position FROM `durable_outbox_channels`
  WHERE destination IN (SELECT name FROM `durable_outbox_destinations`) AND channel IN (?, ?)
  GROUP BY channel HAVING COUNT(*) = (SELECT COUNT(*) FROM `durable_outbox_destinations`);
-- "channels-1"
-- "channels-2"

-- outbox/deliveries.mysql.sql.ts selectPassed, channels[] = 1
SELECT channel, CAST(MIN(position) AS char) AS position FROM `durable_outbox_channels`
  WHERE destination IN (SELECT name FROM `durable_outbox_destinations`) AND channel IN (?)
  GROUP BY channel HAVING COUNT(*) = (SELECT COUNT(*) FROM `durable_outbox_destinations`);

-- outbox/deliveries.mysql.sql.ts selectPassedEvents
(SELECT CAST(sequence_id AS char) AS sequence_id FROM `durable_outbox`
   WHERE processed = 0 AND shard = CAST(? AS signed) AND channel = ? AND sequence_id <= ?
   ORDER BY processed, shard, channel, sequence_id LIMIT 5) UNION ALL 
  (SELECT CAST(sequence_id AS char) AS sequence_id FROM `durable_outbox`
   WHERE processed = 0 AND shard = CAST(? AS signed) AND channel = ? AND sequence_id <= ?
   ORDER BY processed, shard, channel, sequence_id LIMIT 5);
-- 1
-- "channel-1"
-- "2"
-- 3
-- "channel-2"
-- "4"

-- outbox/deliveries.mysql.sql.ts selectPassedEvents, passed[] = 1
(SELECT CAST(sequence_id AS char) AS sequence_id FROM `durable_outbox`
   WHERE processed = 0 AND shard = CAST(? AS signed) AND channel = ? AND sequence_id <= ?
   ORDER BY processed, shard, channel, sequence_id LIMIT 3);

-- outbox/deliveries.mysql.sql.ts selectHeads
(
  SELECT h.shard, h.channel, h.first, s.position, s.attempts, s.crashed, s.state,
    CASE WHEN s.available_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS waits
  FROM (
  (SELECT shard, channel, MIN(sequence_id) AS first FROM `durable_outbox`
   WHERE processed = 0 AND shard = 1 AND channel > _utf8mb4 X'32'
   GROUP BY processed, shard, channel ORDER BY processed, shard, channel LIMIT 5) UNION ALL 
  (SELECT shard, channel, MIN(sequence_id) AS first FROM `durable_outbox`
   WHERE processed = 0 AND shard = 3 AND channel > _utf8mb4 X'34'
   GROUP BY processed, shard, channel ORDER BY processed, shard, channel LIMIT 5)) AS h
  LEFT JOIN `durable_outbox_channels` AS s ON s.destination = ? AND s.channel = h.channel COLLATE utf8mb4_0900_bin);
-- "destination"

-- outbox/deliveries.mysql.sql.ts selectHeads, shards[] = 1
(
  SELECT h.shard, h.channel, h.first, s.position, s.attempts, s.crashed, s.state,
    CASE WHEN s.available_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS waits
  FROM (
  (SELECT shard, channel, MIN(sequence_id) AS first FROM `durable_outbox`
   WHERE processed = 0 AND shard = 1 AND channel > _utf8mb4 X'32'
   GROUP BY processed, shard, channel ORDER BY processed, shard, channel LIMIT 3)) AS h
  LEFT JOIN `durable_outbox_channels` AS s ON s.destination = ? AND s.channel = h.channel COLLATE utf8mb4_0900_bin);

-- outbox/deliveries.mysql.sql.ts selectLagging
SELECT h.shard, h.channel, s.position, CASE WHEN s.position >= h.first THEN (SELECT MIN(o.sequence_id) FROM `durable_outbox` AS o
    WHERE o.processed = 0 AND o.shard = h.shard AND o.channel = h.channel AND o.sequence_id > s.position) ELSE h.first END AS oldest
  FROM (
  (SELECT shard, channel, MIN(sequence_id) AS first FROM `durable_outbox`
   WHERE processed = 0 AND shard = 1 AND channel > _utf8mb4 X'32'
   GROUP BY processed, shard, channel ORDER BY processed, shard, channel LIMIT 5) UNION ALL 
  (SELECT shard, channel, MIN(sequence_id) AS first FROM `durable_outbox`
   WHERE processed = 0 AND shard = 3 AND channel > _utf8mb4 X'34'
   GROUP BY processed, shard, channel ORDER BY processed, shard, channel LIMIT 5)) AS h
  LEFT JOIN `durable_outbox_channels` AS s ON s.destination = ? AND s.channel = h.channel COLLATE utf8mb4_0900_bin
  HAVING oldest IS NOT NULL ORDER BY oldest LIMIT 6;
-- "destination"

-- outbox/deliveries.mysql.sql.ts selectLagging, shards[] = 1
SELECT h.shard, h.channel, s.position, CASE WHEN s.position >= h.first THEN (SELECT MIN(o.sequence_id) FROM `durable_outbox` AS o
    WHERE o.processed = 0 AND o.shard = h.shard AND o.channel = h.channel AND o.sequence_id > s.position) ELSE h.first END AS oldest
  FROM (
  (SELECT shard, channel, MIN(sequence_id) AS first FROM `durable_outbox`
   WHERE processed = 0 AND shard = 1 AND channel > _utf8mb4 X'32'
   GROUP BY processed, shard, channel ORDER BY processed, shard, channel LIMIT 3)) AS h
  LEFT JOIN `durable_outbox_channels` AS s ON s.destination = ? AND s.channel = h.channel COLLATE utf8mb4_0900_bin
  HAVING oldest IS NOT NULL ORDER BY oldest LIMIT 4;

-- outbox/deliveries.mysql.sql.ts selectEvents
(SELECT o.channel, CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS char) AS data, CAST(o.headers AS char) AS headers FROM `durable_outbox` AS o
   WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
   ORDER BY o.processed, o.shard, o.channel, o.sequence_id LIMIT 5) UNION ALL 
  (SELECT o.channel, CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS char) AS data, CAST(o.headers AS char) AS headers FROM `durable_outbox` AS o
   WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
   ORDER BY o.processed, o.shard, o.channel, o.sequence_id LIMIT 5);
-- 1
-- "channel-1"
-- "2"
-- 3
-- "channel-2"
-- "4"

-- outbox/deliveries.mysql.sql.ts selectEvents, heads[] = 1
(SELECT o.channel, CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS char) AS data, CAST(o.headers AS char) AS headers FROM `durable_outbox` AS o
   WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
   ORDER BY o.processed, o.shard, o.channel, o.sequence_id LIMIT 3);

-- outbox/destinations.sql.ts moveOn
UPDATE `inbox` SET last_sequence_id = CAST(? AS signed)
  WHERE consumer = ? AND channel = ?
    AND last_sequence_id < CAST(? AS signed);
-- "1"
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"

-- outbox/destinations.sql.ts selectTaken
SELECT 1 AS taken FROM `inbox` AS i 
  WHERE i.consumer = ? AND i.channel = ?
    AND i.last_sequence_id = CAST(? AS signed);
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"

-- outbox/destinations.sql.ts selectPending
SELECT 1 AS pending FROM `outbox`
  WHERE sequence_id = CAST(? AS signed) AND processed = 0;
-- "1"

-- outbox/destinations.sql.ts begin
INSERT INTO `inbox` (consumer, channel, last_sequence_id)
  VALUES (?, ?, CAST(? AS signed)) ON DUPLICATE KEY UPDATE `consumer` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`consumer`), VALUES(`consumer`));
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"
-- a large number
-- a large number
-- a large number

-- outbox/events.sql.ts eventRows
JSON_TABLE(?, '$[*]' COLUMNS (`ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR, `mutation_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` tinyint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR));
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events.sql.ts lockBucketsOnMysql
SELECT bucket FROM `durable_outbox_locks` FORCE INDEX (PRIMARY) WHERE bucket IN (?, ?) ORDER BY bucket FOR UPDATE;
-- 3212
-- 3382

-- outbox/events.sql.ts lockBucketsOnMysql, events[] = 1
SELECT bucket FROM `durable_outbox_locks` FORCE INDEX (PRIMARY) WHERE bucket IN (?) ORDER BY bucket FOR UPDATE;

-- outbox/events.sql.ts insertEventsOnMysql
INSERT INTO `durable_outbox` (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR, `mutation_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` tinyint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR)) AS g ORDER BY g.ordinal;
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events.sql.ts insertUnderLocks
INSERT INTO `durable_outbox` (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM (SELECT COUNT(*) AS buckets FROM (SELECT bucket FROM `durable_outbox_locks` FORCE INDEX (PRIMARY) WHERE bucket IN (?, ?) ORDER BY bucket FOR UPDATE) AS taken) AS held CROSS JOIN JSON_TABLE(?, '$[*]' COLUMNS (`ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR, `mutation_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` tinyint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR)) AS g ORDER BY g.ordinal;
-- 3212
-- 3382
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events.sql.ts insertUnderLocks, all[] = 1
INSERT INTO `durable_outbox` (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM (SELECT COUNT(*) AS buckets FROM (SELECT bucket FROM `durable_outbox_locks` FORCE INDEX (PRIMARY) WHERE bucket IN (?) ORDER BY bucket FOR UPDATE) AS taken) AS held CROSS JOIN JSON_TABLE(?, '$[*]' COLUMNS (`ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR, `mutation_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` tinyint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR)) AS g ORDER BY g.ordinal;

-- outbox/events.sql.ts selectEra
SELECT CASE WHEN server = @@server_uuid THEN 1 ELSE 0 END AS same FROM `durable_outbox_era` WHERE id = 0;

-- outbox/events.sql.ts insertEra
INSERT INTO `durable_outbox_era` (id, server) SELECT 0, @@server_uuid ON DUPLICATE KEY UPDATE id = 0;

-- outbox/events.sql.ts lockEra
SELECT CASE WHEN server = @@server_uuid THEN 1 ELSE 0 END AS same FROM `durable_outbox_era` WHERE id = 0 FOR UPDATE;

-- outbox/events.sql.ts updateEra
UPDATE `durable_outbox_era` SET server = @@server_uuid, reached = GREATEST(reached, COALESCE(
    (SELECT sequence_id FROM `durable_outbox` WHERE channel = '' AND mutation_id = ?), 0)) WHERE id = 0;
-- "mark"

-- outbox/events.sql.ts selectNumberType
SELECT data_type AS type FROM information_schema.columns
  WHERE table_schema = DATABASE()
    AND table_name = 'durable_outbox' AND column_name = 'sequence_id';

-- outbox/events.sql.ts forgetEraOnMysql
INSERT INTO `durable_outbox_era` (id, server) VALUES (0, '') ON DUPLICATE KEY UPDATE server = '';

-- outbox/events.sql.ts leap
INSERT INTO `durable_outbox` (sequence_id, mutation_id, channel, name)
  SELECT GREATEST(CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED), GREATEST(o.last, e.reached) + 4294967296), ?, '', 'era'
  FROM (SELECT COALESCE(MAX(sequence_id), 0) AS last FROM `durable_outbox`) AS o, `durable_outbox_era` AS e WHERE e.id = 0;
-- "mark"

-- outbox/events.sql.ts removeLeap
DELETE FROM `durable_outbox` WHERE channel = '' AND mutation_id = ?;
-- "mark"

-- outbox/events.sql.ts selectEvents
SELECT CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, CASE WHEN NOT (o.processed = 0) THEN 1 ELSE 0 END AS done
  FROM `durable_outbox` AS o
  WHERE o.channel = ? AND o.sequence_id > ? ORDER BY o.sequence_id LIMIT 2;
-- "channel"
-- 1

-- outbox/events.sql.ts blankEvents
UPDATE `durable_outbox` FORCE INDEX (`PRIMARY`) SET data = NULL, headers = NULL
  WHERE sequence_id IN (?, ?) AND NOT (processed = 0)
    AND (data IS NOT NULL OR headers IS NOT NULL);
-- 1
-- 2

-- outbox/events.sql.ts blankEvents, numbers[] = 1
UPDATE `durable_outbox` FORCE INDEX (`PRIMARY`) SET data = NULL, headers = NULL
  WHERE sequence_id IN (?) AND NOT (processed = 0)
    AND (data IS NOT NULL OR headers IS NOT NULL);

-- outbox/events.sql.ts selectDeadOf
SELECT CAST(d.sequence_id AS char) AS sequence_id, d.mutation_id, d.reason FROM `durable_outbox_dead` AS d
  WHERE d.destination = ? AND d.channel = ? AND d.sequence_id > ?
  ORDER BY d.sequence_id LIMIT 2;
-- "destination"
-- "channel"
-- 1

-- outbox/events.sql.ts discardDead
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_outbox_dead` AS gone FORCE INDEX (`PRIMARY`) ON gone.sequence_id = k.found AND destination = ?
    AND reason <> ?;
-- "[{"found":"1"},{"found":"2"}]"
-- "destination"
-- "requeued"

-- outbox/events.sql.ts forgetErrors
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET last_error = NULL
  WHERE destination IN (?, ?) AND channel IN (?, ?)
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;
-- "destinations-1"
-- "destinations-2"
-- "channels-1"
-- "channels-2"

-- outbox/events.sql.ts forgetErrors, channels[] = 1
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET last_error = NULL
  WHERE destination IN (?, ?) AND channel IN (?)
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;

-- outbox/events.sql.ts forgetErrors, destinations[] = 1
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET last_error = NULL
  WHERE destination IN (?) AND channel IN (?, ?)
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;

-- outbox/events.sql.ts forgetErrors, the least
UPDATE `durable_outbox_channels` FORCE INDEX (`PRIMARY`) SET last_error = NULL
  WHERE destination IN (?) AND channel IN (?)
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;

-- outbox/published-tables.mysql.sql.ts mysqlTables
CREATE TABLE IF NOT EXISTS `app`.`durable_outbox` (
  sequence_id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  mutation_id varchar(191) NOT NULL,
  channel varchar(255) NOT NULL,
  name varchar(191) NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data json,
  headers json,
  locked_by varchar(191),
  lock_expiry datetime(3),
  processed boolean NOT NULL DEFAULT false,
  created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  shard tinyint unsigned AS (crc32(channel) & 63) STORED
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
SELECT 1 FROM information_schema.tables WHERE table_schema = 'app' AND table_name = 'durable_outbox' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `rejected` boolean NOT NULL DEFAULT false;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'rejected' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `data` json;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'data' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `headers` json;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'headers' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `locked_by` varchar(191);
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'locked_by' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `lock_expiry` datetime(3);
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'lock_expiry' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `processed` boolean NOT NULL DEFAULT false;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'processed' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `created_at` datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3);
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'created_at' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `shard` tinyint unsigned AS (crc32(channel) & 63) STORED;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'shard' LIMIT 1;
CREATE TABLE IF NOT EXISTS `app`.`durable_outbox_nodes` (
  id varchar(191) NOT NULL PRIMARY KEY,
  expiry datetime(3) NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
SELECT 1 FROM information_schema.tables WHERE table_schema = 'app' AND table_name = 'durable_outbox_nodes' LIMIT 1;
CREATE TABLE IF NOT EXISTS `app`.`durable_outbox_era` (
  id tinyint NOT NULL PRIMARY KEY,
  server varchar(191) NOT NULL,
  reached bigint NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
SELECT 1 FROM information_schema.tables WHERE table_schema = 'app' AND table_name = 'durable_outbox_era' LIMIT 1;
CREATE INDEX `durable_outbox_pending` ON `app`.`durable_outbox` (processed, shard, channel, sequence_id);
SELECT 1 FROM information_schema.statistics WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND index_name = 'durable_outbox_pending' LIMIT 1;
CREATE INDEX `durable_outbox_channel` ON `app`.`durable_outbox` (channel, sequence_id);
SELECT 1 FROM information_schema.statistics WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND index_name = 'durable_outbox_channel' LIMIT 1;

-- outbox/relay-insight.sql.ts countShards
SELECT s.destination, s.owner, count(*) AS shards,
    count(CASE WHEN s.owner IS NOT NULL AND s.lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 END) AS lapsed
  FROM `durable_outbox_shards` AS s GROUP BY s.destination, s.owner;

-- outbox/relay-insight.sql.ts countTroubles
SELECT CAST(? AS char) COLLATE utf8mb4_0900_bin AS destination,
      (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS blocked, (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'parked' AND s.state IS NOT NULL LIMIT 2) AS c) AS parked,
      (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'requeued' AND s.state IS NOT NULL LIMIT 2) AS c) AS requeued,
      (SELECT count(*) FROM (SELECT d.sequence_id FROM `durable_outbox_dead` AS d WHERE d.destination = ? LIMIT 2) AS c) AS dead,
      (SELECT min(c.failed_at) FROM (
    SELECT s.failed_at FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS since UNION ALL 
    SELECT CAST(? AS char) COLLATE utf8mb4_0900_bin AS destination,
      (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS blocked, (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'parked' AND s.state IS NOT NULL LIMIT 2) AS c) AS parked,
      (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'requeued' AND s.state IS NOT NULL LIMIT 2) AS c) AS requeued,
      (SELECT count(*) FROM (SELECT d.sequence_id FROM `durable_outbox_dead` AS d WHERE d.destination = ? LIMIT 2) AS c) AS dead,
      (SELECT min(c.failed_at) FROM (
    SELECT s.failed_at FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS since;
-- "destinations-1"
-- "destinations-1"
-- "destinations-1"
-- "destinations-1"
-- "destinations-1"
-- "destinations-1"
-- "destinations-2"
-- "destinations-2"
-- "destinations-2"
-- "destinations-2"
-- "destinations-2"
-- "destinations-2"

-- outbox/relay-insight.sql.ts countTroubles, destinations[] = 1
SELECT CAST(? AS char) COLLATE utf8mb4_0900_bin AS destination,
      (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS blocked, (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'parked' AND s.state IS NOT NULL LIMIT 2) AS c) AS parked,
      (SELECT count(*) FROM (
    SELECT s.channel FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'requeued' AND s.state IS NOT NULL LIMIT 2) AS c) AS requeued,
      (SELECT count(*) FROM (SELECT d.sequence_id FROM `durable_outbox_dead` AS d WHERE d.destination = ? LIMIT 2) AS c) AS dead,
      (SELECT min(c.failed_at) FROM (
    SELECT s.failed_at FROM `durable_outbox_channels` AS s
    WHERE s.destination = ? AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS since;

-- outbox/relay-insight.sql.ts selectAges
(SELECT (TIMESTAMPDIFF(MICROSECOND, o.created_at, NOW(3)) DIV 1000) AS age FROM `durable_outbox` AS o
    WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
    ORDER BY o.sequence_id LIMIT 1) UNION ALL 
  (SELECT (TIMESTAMPDIFF(MICROSECOND, o.created_at, NOW(3)) DIV 1000) AS age FROM `durable_outbox` AS o
    WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
    ORDER BY o.sequence_id LIMIT 1);
-- 1
-- "channel-1"
-- "2"
-- 3
-- "channel-2"
-- "4"

-- outbox/relay-insight.sql.ts selectAges, channels[] = 1
(SELECT (TIMESTAMPDIFF(MICROSECOND, o.created_at, NOW(3)) DIV 1000) AS age FROM `durable_outbox` AS o
    WHERE o.processed = 0 AND o.shard = CAST(? AS signed) AND o.channel = ? AND o.sequence_id > ?
    ORDER BY o.sequence_id LIMIT 1);

-- outbox/schema.sql.ts selectColumns
SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'app' AND table_name = 'durable_outbox';

-- outbox/schema.sql.ts selectKnown
SELECT CAST(max(listed.number) AS char) AS known FROM (
    SELECT max(sequence_id) AS number FROM `durable_outbox` UNION ALL SELECT max(position) FROM `durable_outbox_channels`
    UNION ALL SELECT max(sequence_id) FROM `durable_outbox_dead` UNION ALL SELECT max(position) FROM `durable_outbox_pruned`) AS listed;

-- outbox/schema.sql.ts showTable
SHOW CREATE TABLE `app`.`durable_outbox`;

-- outbox/script.sql.ts dropOutbox
DROP TABLE IF EXISTS `app`.`durable_outbox`;
DROP TABLE IF EXISTS `app`.`durable_outbox_nodes`;
DROP TABLE IF EXISTS `app`.`durable_outbox_era`;

-- outbox/script.sql.ts grantsToEvents
GRANT rights-1 ON `rights` TO 'grantee'@'host';
GRANT rights-1 ON `rights` TO 'grantee'@'host';
GRANT rights-2 ON `rights` TO 'grantee'@'host';
GRANT rights-2 ON `rights` TO 'grantee'@'host';

-- outbox/script.sql.ts grantsToEvents, options.host = undefined
GRANT rights-1 ON `rights` TO 'grantee'@'%';
GRANT rights-1 ON `rights` TO 'grantee'@'%';
GRANT rights-2 ON `rights` TO 'grantee'@'%';
GRANT rights-2 ON `rights` TO 'grantee'@'%';

-- outbox/script.sql.ts grantsToEvents, rights[] = 1
GRANT rights-1 ON `rights` TO 'grantee'@'host';
GRANT rights-1 ON `rights` TO 'grantee'@'host';

-- outbox/script.sql.ts grantsToEvents, rights[][1][] = 1
GRANT rights-1 ON `rights` TO 'grantee'@'host';
GRANT rights-2 ON `rights` TO 'grantee'@'host';

-- outbox/script.sql.ts grantsToEvents, the least
GRANT rights-1 ON `rights` TO 'grantee'@'%';

-- outbox/script.sql.ts grantsToEvents, the least, options.host = string
GRANT rights-1 ON `rights` TO 'grantee'@'host';

-- outbox/script.sql.ts grantsToEvents, the least, rights[] = 2
GRANT rights-1 ON `rights` TO 'grantee'@'%';
GRANT rights-2 ON `rights` TO 'grantee'@'%';

-- outbox/script.sql.ts grantsToEvents, the least, rights[][1][] = 2
GRANT rights-1 ON `rights` TO 'grantee'@'%';
GRANT rights-1 ON `rights` TO 'grantee'@'%';

-- outbox/script.sql.ts accountOf
'grantee'@'host';

-- outbox/script.sql.ts accountOf, 3.host = undefined
'grantee'@'%';

-- outbox/script.sql.ts outboxSteps
CREATE TABLE IF NOT EXISTS `app`.`durable_outbox` (
  sequence_id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  mutation_id varchar(191) NOT NULL,
  channel varchar(255) NOT NULL,
  name varchar(191) NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data json,
  headers json,
  locked_by varchar(191),
  lock_expiry datetime(3),
  processed boolean NOT NULL DEFAULT false,
  created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  shard tinyint unsigned AS (crc32(channel) & 63) STORED
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
SELECT 1 FROM information_schema.tables WHERE table_schema = 'app' AND table_name = 'durable_outbox' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `rejected` boolean NOT NULL DEFAULT false;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'rejected' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `data` json;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'data' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `headers` json;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'headers' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `locked_by` varchar(191);
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'locked_by' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `lock_expiry` datetime(3);
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'lock_expiry' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `processed` boolean NOT NULL DEFAULT false;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'processed' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `created_at` datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3);
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'created_at' LIMIT 1;
ALTER TABLE `app`.`durable_outbox` ADD COLUMN `shard` tinyint unsigned AS (crc32(channel) & 63) STORED;
SELECT 1 FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND column_name = 'shard' LIMIT 1;
CREATE TABLE IF NOT EXISTS `app`.`durable_outbox_nodes` (
  id varchar(191) NOT NULL PRIMARY KEY,
  expiry datetime(3) NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
SELECT 1 FROM information_schema.tables WHERE table_schema = 'app' AND table_name = 'durable_outbox_nodes' LIMIT 1;
CREATE TABLE IF NOT EXISTS `app`.`durable_outbox_era` (
  id tinyint NOT NULL PRIMARY KEY,
  server varchar(191) NOT NULL,
  reached bigint NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
SELECT 1 FROM information_schema.tables WHERE table_schema = 'app' AND table_name = 'durable_outbox_era' LIMIT 1;
CREATE INDEX `durable_outbox_pending` ON `app`.`durable_outbox` (processed, shard, channel, sequence_id);
SELECT 1 FROM information_schema.statistics WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND index_name = 'durable_outbox_pending' LIMIT 1;
CREATE INDEX `durable_outbox_channel` ON `app`.`durable_outbox` (channel, sequence_id);
SELECT 1 FROM information_schema.statistics WHERE table_schema = 'app' AND table_name = 'durable_outbox' AND index_name = 'durable_outbox_channel' LIMIT 1;

-- outbox/shards.sql.ts insertShards
INSERT INTO `durable_outbox_shards` (destination, shard, epoch, lease_until)
  SELECT n.name, n.shard, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `shard` bigint PATH '$.shard' NULL ON EMPTY ERROR ON ERROR)) AS n WHERE 1 = 1 ORDER BY n.name, n.shard ON DUPLICATE KEY UPDATE `destination` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`destination`), VALUES(`destination`));
-- "[{"name":"names-1","shard":0},{"name":"names-2","shard":0}]"
-- a large number
-- a large number
-- a large number

-- outbox/shards.sql.ts seeDestinations
INSERT INTO `durable_outbox_destinations` (name, created_at, seen_at)
  SELECT n.name, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR)) AS n ORDER BY n.name
  ON DUPLICATE KEY UPDATE seen_at = VALUES(`seen_at`);
-- "[{"name":"names-1"},{"name":"names-2"}]"

-- outbox/shards.sql.ts selectWants
SELECT name, wants FROM `durable_outbox_destinations` WHERE wants IS NOT NULL ORDER BY name;

-- outbox/shards.sql.ts lockWants
SELECT name, wants, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_outbox_destinations` FORCE INDEX (`PRIMARY`)
  WHERE name IN (?, ?) ORDER BY name FOR UPDATE;
-- "names-1"
-- "names-2"

-- outbox/shards.sql.ts lockWants, names[] = 1
SELECT name, wants, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_outbox_destinations` FORCE INDEX (`PRIMARY`)
  WHERE name IN (?) ORDER BY name FOR UPDATE;

-- outbox/shards.sql.ts writeWants
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `wants` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.wants' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_outbox_destinations` AS d FORCE INDEX (`PRIMARY`) ON d.name = n.name SET d.wants = n.wants;
-- "[{"name":"name-1","wants":"wants-1"},{"name":"name-2","wants":"wants-2"}]"

-- outbox/shards.sql.ts clearWants
UPDATE `durable_outbox_destinations` FORCE INDEX (`PRIMARY`) SET wants = NULL WHERE name IN (?, ?) AND wants IS NOT NULL;
-- "names-1"
-- "names-2"

-- outbox/shards.sql.ts clearWants, names[] = 1
UPDATE `durable_outbox_destinations` FORCE INDEX (`PRIMARY`) SET wants = NULL WHERE name IN (?) AND wants IS NOT NULL;

-- outbox/shards.sql.ts selectDestinations
SELECT name, seen_at FROM `durable_outbox_destinations` ORDER BY name;

-- outbox/shards.sql.ts forgetDestination
DELETE FROM `durable_outbox_destinations` WHERE name = ?;
DELETE FROM `durable_outbox_shards` WHERE destination = ?;
DELETE FROM `durable_outbox_channels` WHERE destination = ?;
-- "name"
-- "name"
-- "name"

-- outbox/shards.sql.ts renew
UPDATE `durable_outbox_shards` SET lease_until = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 1 WHERE owner = ? AND lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "owner"

-- outbox/shards.sql.ts selectHeld
SELECT destination, shard, epoch FROM `durable_outbox_shards` WHERE owner = ? AND lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "owner"

-- outbox/shards.sql.ts selectFreeShards
SELECT destination, shard, epoch, owner AS last_owner,
    CASE WHEN shard IN (?, ?) THEN 1 ELSE 0 END AS wanted
  FROM `durable_outbox_shards`
  WHERE destination = ? AND CASE WHEN shard IN (?, ?) THEN (owner IS NULL OR (lease_until IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 0)) ELSE (lease_until IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 4) END
  ORDER BY CASE WHEN shard IN (?, ?) THEN 0 ELSE 1 END, shard LIMIT 5;
-- 1
-- 2
-- "destination"
-- 1
-- 2
-- 1
-- 2

-- outbox/shards.sql.ts selectFreeShards, request.wanted[] = 1
SELECT destination, shard, epoch, owner AS last_owner,
    CASE WHEN shard IN (?) THEN 1 ELSE 0 END AS wanted
  FROM `durable_outbox_shards`
  WHERE destination = ? AND CASE WHEN shard IN (?) THEN (owner IS NULL OR (lease_until IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 0)) ELSE (lease_until IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3) END
  ORDER BY CASE WHEN shard IN (?) THEN 0 ELSE 1 END, shard LIMIT 3;

-- outbox/shards.sql.ts takeShards
UPDATE `durable_outbox_shards` FORCE INDEX (`PRIMARY`) SET owner = ?, epoch = epoch + 1, lease_until = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 4
  WHERE destination = ? AND shard IN (?, ?) AND (owner IS NULL OR lease_until IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), ?) > 0;
-- "owner"
-- "destination"
-- 5
-- 7
-- "|5:6|7:8|"

-- outbox/shards.sql.ts takeShards, 3.wanted[] = 1
UPDATE `durable_outbox_shards` FORCE INDEX (`PRIMARY`) SET owner = ?, epoch = epoch + 1, lease_until = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 3
  WHERE destination = ? AND shard IN (?, ?) AND (owner IS NULL OR lease_until IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), ?) > 0;

-- outbox/shards.sql.ts takeShards, leases[] = 1
UPDATE `durable_outbox_shards` FORCE INDEX (`PRIMARY`) SET owner = ?, epoch = epoch + 1, lease_until = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 4
  WHERE destination = ? AND shard IN (?) AND (owner IS NULL OR lease_until IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), ?) > 0;

-- outbox/shards.sql.ts takeShards, the least
UPDATE `durable_outbox_shards` FORCE INDEX (`PRIMARY`) SET owner = ?, epoch = epoch + 1, lease_until = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 3
  WHERE destination = ? AND shard IN (?) AND (owner IS NULL OR lease_until IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), ?) > 0;

-- outbox/shards.sql.ts selectTaken
SELECT destination, shard, epoch FROM `durable_outbox_shards`
  WHERE destination = ? AND owner = ? AND lease_until > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), ?) > 0;
-- "destination"
-- "owner"
-- "|1:2|3:4|"

-- outbox/shards.sql.ts releaseShards
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`destination` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.destination' NULL ON EMPTY ERROR ON ERROR, `shard` bigint PATH '$.shard' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR)) AS g STRAIGHT_JOIN `durable_outbox_shards` AS s FORCE INDEX (`PRIMARY`) ON g.destination = s.destination AND g.shard = s.shard AND g.epoch = s.epoch AND s.owner = ? SET s.owner = NULL, s.lease_until = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "[{"destination":"destination-1","shard":1,"epoch":2},{"destination":"destination-2","shard":3,"epoch":4}]"
-- "owner"

-- outbox/shards.sql.ts signIn
INSERT INTO `durable_outbox_nodes` (id, expiry) VALUES (?, TIMESTAMPADD(MICROSECOND, (CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?) * 1000, '1970-01-01 00:00:00'))
  ON DUPLICATE KEY UPDATE expiry = VALUES(`expiry`);
-- "nodeId"
-- 1

-- outbox/shards.sql.ts strikeOff
DELETE FROM `durable_outbox_nodes` WHERE expiry <= TIMESTAMPADD(MICROSECOND, (CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?) * 1000, '1970-01-01 00:00:00');
-- 0

-- outbox/shards.sql.ts selectLive
SELECT id FROM `durable_outbox_nodes` WHERE expiry > TIMESTAMPADD(MICROSECOND, (CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?) * 1000, '1970-01-01 00:00:00') ORDER BY id;
-- 0

-- outbox/shards.sql.ts signOff
DELETE FROM `durable_outbox_nodes` WHERE id = ?;
-- "nodeId"

-- outbox/shards.sql.ts selectLocked
SELECT locked_by FROM `durable_outbox`
  WHERE processed = 0
    AND locked_by IS NOT NULL AND lock_expiry > TIMESTAMPADD(MICROSECOND, (CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?) * 1000, '1970-01-01 00:00:00') LIMIT 1;
-- 0

-- outbox/shards.sql.ts isPending
alias.processed = 0;

-- outbox/shards.sql.ts shardOfRow
alias.shard;

-- outbox/shards.sql.ts eventColumns
CAST(alias.sequence_id AS char) AS sequence_id, alias.mutation_id, alias.name, alias.rejected, CAST(alias.data AS char) AS data, CAST(alias.headers AS char) AS headers;

-- outbox/shards.sql.ts underLeases
LOCATE(CONCAT('|', shard, ':', epoch, '|'), ?) > 0;
-- "|1:2|3:4|"

-- outbox/shards.sql.ts underLeases, alias = "s."
LOCATE(CONCAT('|', s.shard, ':', s.epoch, '|'), ?) > 0;

-- outbox/shards.sql.ts shardValue
CAST(? AS signed);
-- 1

-- outbox/tables.sql.ts shardExpression
(crc32(?) & 63);
-- "channel"

-- outbox/tables.sql.ts qualified
`schema`.`name`;

-- outbox/tables.sql.ts selectDone
SELECT 0 AS step FROM (`done`) AS found UNION ALL SELECT 1 AS step FROM (`done`) AS found;

-- outbox/tables.sql.ts selectDone, steps[] = 1
SELECT 0 AS step FROM (`done`) AS found;
