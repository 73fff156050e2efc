-- engine/signals/mailbox.sql.ts insertSignals
INSERT INTO `durable_signals` (namespace, channel, name, target, addressed, dedup_id, payload, created_at)
  SELECT namespace, channel, name, target, addressed, dedup_id, payload, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FROM JSON_TABLE(?, '$[*]' COLUMNS (`ord` bigint PATH '$.ord' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `target` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target' NULL ON EMPTY ERROR ON ERROR, `addressed` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.addressed' NULL ON EMPTY ERROR ON ERROR, `dedup_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.dedup_id' NULL ON EMPTY ERROR ON ERROR, `payload` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.payload' NULL ON EMPTY ERROR ON ERROR)) AS n ORDER BY n.ord;
-- "[{"namespace":"namespace-1","channel":"channel-1","name":"name-1","target":"target-1","addressed":"key","payload":"payload-1","ord":0,"dedup_id":"dedupId-1"},{"namespace":"namespace-2","channel":"channel-2","name":"name-2","target":"target-2","addressed":"key","payload":"payload-2","ord":1,"dedup_id":"dedupId-2"}]"

-- engine/signals/mailbox.sql.ts selectKnown
SELECT s.channel, s.dedup_id FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `dedup_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.dedup_id' NULL ON EMPTY ERROR ON ERROR)) AS n
  JOIN `durable_signals` AS s ON s.channel = n.channel AND s.dedup_id = n.dedup_id;
-- "[{"channel":"channel-1","dedup_id":"dedupId-1"},{"channel":"channel-2","dedup_id":"dedupId-2"}]"

-- engine/signals/mailbox.sql.ts lockKnown
SELECT channel, dedup_id FROM `durable_signals` FORCE INDEX (`durable_signals_dedup`)
  WHERE (channel = ? AND dedup_id = ?) OR (channel = ? AND dedup_id = ?) LOCK IN SHARE MODE;
-- "channel-1"
-- "dedupId-1"
-- "channel-2"
-- "dedupId-2"

-- engine/signals/mailbox.sql.ts lockKnown, signals[] = 1
SELECT channel, dedup_id FROM `durable_signals` FORCE INDEX (`durable_signals_dedup`)
  WHERE (channel = ? AND dedup_id = ?) LOCK IN SHARE MODE;

-- engine/signals/mailbox.sql.ts selectAddress
SELECT name, target, addressed FROM `durable_signals` WHERE channel = ? LIMIT 1;
-- "channel"

-- engine/signals/mailbox.sql.ts selectRunsIn
SELECT id, namespace FROM `durable_runs` WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/signals/mailbox.sql.ts selectRunsIn, ids[] = 1
SELECT id, namespace FROM `durable_runs` WHERE id IN (?);

-- engine/signals/mailbox.sql.ts selectLatestRunsIn
SELECT id, namespace FROM `durable_runs` WHERE id IN (?, ?) LOCK IN SHARE MODE;
-- "1"
-- "2"

-- engine/signals/mailbox.sql.ts selectLatestRunsIn, ids[] = 1
SELECT id, namespace FROM `durable_runs` WHERE id IN (?) LOCK IN SHARE MODE;

-- engine/signals/signal-delivery.sql.ts selectUnfiled
SELECT u.channel, (SELECT COUNT(*) FROM `durable_signal_channels` AS c WHERE c.channel = u.channel) AS known, 1 AS unfiled FROM (
    SELECT DISTINCT s.channel FROM `durable_signals` AS s WHERE s.position IS NULL ORDER BY s.channel LIMIT 1
  ) AS u;

-- engine/signals/signal-delivery.sql.ts selectHolding
SELECT h.channel, MAX(h.known) AS known, MAX(1 - h.known) AS unfiled FROM (
    SELECT s.channel, 0 AS known FROM `durable_signals` AS s
    WHERE s.channel IN (?, ?) AND s.position IS NULL
    UNION ALL SELECT c.channel, 1 AS known FROM `durable_signal_channels` AS c WHERE c.channel IN (?, ?)
  ) AS h GROUP BY h.channel;
-- "channels-1"
-- "channels-2"
-- "channels-1"
-- "channels-2"

-- engine/signals/signal-delivery.sql.ts selectHolding, channels[] = 1
SELECT h.channel, MAX(h.known) AS known, MAX(1 - h.known) AS unfiled FROM (
    SELECT s.channel, 0 AS known FROM `durable_signals` AS s
    WHERE s.channel IN (?) AND s.position IS NULL
    UNION ALL SELECT c.channel, 1 AS known FROM `durable_signal_channels` AS c WHERE c.channel IN (?)
  ) AS h GROUP BY h.channel;

-- engine/signals/signal-delivery.sql.ts insertChannels
INSERT INTO `durable_signal_channels` (channel, last_position)
  SELECT n.channel, 0 FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR)) AS n WHERE true ON DUPLICATE KEY UPDATE `channel` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`channel`), VALUES(`channel`));
-- "[{"channel":"channels-1"},{"channel":"channels-2"}]"
-- a large number
-- a large number
-- a large number

-- engine/signals/signal-delivery.sql.ts lockChannels
SELECT channel, last_position FROM `durable_signal_channels` WHERE channel IN (?, ?)
  ORDER BY channel FOR UPDATE SKIP LOCKED;
-- "channels-1"
-- "channels-2"

-- engine/signals/signal-delivery.sql.ts lockChannels, channels[] = 1
SELECT channel, last_position FROM `durable_signal_channels` WHERE channel IN (?)
  ORDER BY channel FOR UPDATE SKIP LOCKED;

-- engine/signals/signal-delivery.sql.ts lockChannels, skip = false
SELECT channel, last_position FROM `durable_signal_channels` WHERE channel IN (?, ?)
  ORDER BY channel FOR UPDATE;

-- engine/signals/signal-delivery.sql.ts lockChannels, the least
SELECT channel, last_position FROM `durable_signal_channels` WHERE channel IN (?)
  ORDER BY channel FOR UPDATE;

-- engine/signals/signal-delivery.sql.ts selectToFile
SELECT channel, id FROM `durable_signals`
  WHERE position IS NULL AND channel IN (?, ?) ORDER BY channel, id LIMIT 1;
-- "channels-1"
-- "channels-2"

-- engine/signals/signal-delivery.sql.ts selectToFile, channels[] = 1
SELECT channel, id FROM `durable_signals`
  WHERE position IS NULL AND channel IN (?) ORDER BY channel, id LIMIT 1;

-- engine/signals/signal-delivery.sql.ts lockToFile
SELECT id FROM `durable_signals` FORCE INDEX (PRIMARY) WHERE id IN (?, ?) AND position IS NULL ORDER BY id FOR UPDATE SKIP LOCKED;
-- 1
-- 2

-- engine/signals/signal-delivery.sql.ts lockToFile, the least
SELECT id FROM `durable_signals` FORCE INDEX (PRIMARY) WHERE id IN (?) AND position IS NULL ORDER BY id FOR UPDATE SKIP LOCKED;

-- engine/signals/signal-delivery.sql.ts numberSignals
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` bigint PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_signals` AS s FORCE INDEX (PRIMARY) ON s.id = n.id SET s.position = n.position;
-- "[{"id":1,"position":2},{"id":3,"position":4}]"

-- engine/signals/signal-delivery.sql.ts advanceChannels
UPDATE `durable_signal_channels` AS c JOIN JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `last` bigint PATH '$.last' NULL ON EMPTY ERROR ON ERROR)) AS n ON c.channel = n.channel SET c.last_position = n.last;
-- "[{"channel":"channel-1","last":1},{"channel":"channel-2","last":2}]"

-- engine/signals/signal-delivery.sql.ts matchWaits
SELECT m.*, s.id AS signal_id, s.created_at, s.addressed
  FROM (SELECT w.channel, w.step_id, w.run_id, w.seq, w.since, w.after_position, (SELECT s.position FROM `durable_signals` AS s
      WHERE s.channel = w.channel AND s.position > w.after_position AND (w.deadline IS NULL OR s.created_at <= w.deadline)
      AND (s.created_at >= w.since OR s.taken_by IS NULL OR s.taken_by = w.run_id)
      AND (s.kept_at IS NULL OR s.taken_by <> w.run_id) ORDER BY s.position LIMIT 1) AS position FROM `durable_signal_waits` AS w JOIN `durable_runs` AS r
    ON r.id = w.run_id AND r.closing IS NULL AND r.status NOT IN (?, ?, ?, ?) WHERE w.channel IN (?, ?)) AS m
  JOIN `durable_signals` AS s ON s.channel = m.channel AND s.position = m.position;
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"
-- "channels-1"
-- "channels-2"

-- engine/signals/signal-delivery.sql.ts matchWaits, channels[] = 1
SELECT m.*, s.id AS signal_id, s.created_at, s.addressed
  FROM (SELECT w.channel, w.step_id, w.run_id, w.seq, w.since, w.after_position, (SELECT s.position FROM `durable_signals` AS s
      WHERE s.channel = w.channel AND s.position > w.after_position AND (w.deadline IS NULL OR s.created_at <= w.deadline)
      AND (s.created_at >= w.since OR s.taken_by IS NULL OR s.taken_by = w.run_id)
      AND (s.kept_at IS NULL OR s.taken_by <> w.run_id) ORDER BY s.position LIMIT 1) AS position FROM `durable_signal_waits` AS w JOIN `durable_runs` AS r
    ON r.id = w.run_id AND r.closing IS NULL AND r.status NOT IN (?, ?, ?, ?) WHERE w.channel IN (?)) AS m
  JOIN `durable_signals` AS s ON s.channel = m.channel AND s.position = m.position;

-- engine/signals/signal-delivery.sql.ts lockWaits
SELECT step_id, channel, after_position FROM `durable_signal_waits` WHERE step_id IN (?, ?)
  ORDER BY step_id, channel FOR UPDATE;
-- "stepIds-1"
-- "stepIds-2"

-- engine/signals/signal-delivery.sql.ts lockWaits, stepIds[] = 1
SELECT step_id, channel, after_position FROM `durable_signal_waits` WHERE step_id IN (?)
  ORDER BY step_id, channel FOR UPDATE;

-- engine/signals/signal-delivery.sql.ts selectWaits
SELECT step_id, channel, after_position FROM `durable_signal_waits` WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- engine/signals/signal-delivery.sql.ts selectWaits, stepIds[] = 1
SELECT step_id, channel, after_position FROM `durable_signal_waits` WHERE step_id IN (?);

-- engine/signals/signal-delivery.sql.ts closeWaits
UPDATE `durable_signal_waits` SET after_position = ? WHERE step_id IN (?, ?);
-- a large number
-- "stepIds-1"
-- "stepIds-2"

-- engine/signals/signal-delivery.sql.ts closeWaits, stepIds[] = 1
UPDATE `durable_signal_waits` SET after_position = ? WHERE step_id IN (?);

-- engine/signals/signal-delivery.sql.ts reserveSignals
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` bigint PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_signals` AS s FORCE INDEX (PRIMARY) ON s.id = n.id SET s.taken_by = n.run_id WHERE s.kept_at IS NULL;
-- "[{"id":1,"run_id":"run_id-1"},{"id":2,"run_id":"run_id-2"}]"

-- engine/signals/signal-delivery.sql.ts selectPayloads
SELECT id, payload FROM `durable_signals` WHERE id IN (?, ?);
-- 1
-- 2

-- engine/signals/signal-delivery.sql.ts selectPayloads, the least
SELECT id, payload FROM `durable_signals` WHERE id IN (?);

-- engine/signals/signal-removal.sql.ts selectOldOfKeys
SELECT s.id FROM `durable_signals` AS s WHERE 
  s.namespace = ? AND s.addressed = ? AND s.position IS NOT NULL
  AND s.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
  ORDER BY s.created_at, s.id LIMIT 2;
-- "namespace"
-- "key"
-- 1

-- engine/signals/signal-removal.sql.ts selectOldOfRuns
SELECT p.id, p.created_at, CASE WHEN p.taken_by IS NOT NULL OR COALESCE((
      SELECT r.status IN ('completed', 'cancelled') AND r.finished_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
      FROM `durable_runs` AS r WHERE r.id = p.target), true) THEN 1 ELSE 0 END AS gone
  FROM (
    SELECT s.id, s.created_at, s.target, s.taken_by FROM `durable_signals` AS s
    WHERE 
  s.namespace = ? AND s.addressed = ? AND s.position IS NOT NULL
  AND s.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ? AND s.created_at >= ? AND (s.created_at > ? OR s.id > ?)
    ORDER BY s.created_at, s.id LIMIT 2
  ) AS p ORDER BY p.created_at, p.id;
-- 1
-- "namespace"
-- "run"
-- 1
-- 3
-- 3
-- 4

-- engine/signals/signal-removal.sql.ts selectIn
SELECT id FROM `durable_signals` WHERE channel IN (?, ?) LIMIT 1;
-- "channels-1"
-- "channels-2"

-- engine/signals/signal-removal.sql.ts selectIn, channels[] = 1
SELECT id FROM `durable_signals` WHERE channel IN (?) LIMIT 1;

-- engine/signals/signal-removal.sql.ts lockUntaken
SELECT id FROM `durable_signals` WHERE channel = ? AND position IS NOT NULL AND taken_by IS NULL
  ORDER BY position LIMIT 1 FOR UPDATE;
-- "channel"

-- engine/signals/signal-removal.sql.ts deleteSignals
DELETE FROM `durable_signals` WHERE id IN (?, ?);
-- 1
-- 2

-- engine/signals/signal-removal.sql.ts deleteSignals, the least
DELETE FROM `durable_signals` WHERE id IN (?);

-- engine/signals/signal-wait.sql.ts upsertWaits
INSERT INTO `durable_signal_waits` (channel, step_id, run_id, seq, after_position, since, deadline)
  SELECT channel, step_id, run_id, seq, after_position, since, deadline FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `step_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.step_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `after_position` bigint PATH '$.after_position' NULL ON EMPTY ERROR ON ERROR, `since` bigint PATH '$.since' NULL ON EMPTY ERROR ON ERROR, `deadline` bigint PATH '$.deadline' NULL ON EMPTY ERROR ON ERROR)) AS n WHERE true
  ON DUPLICATE KEY UPDATE `after_position` = VALUES(`after_position`), `deadline` = VALUES(`deadline`);
-- "[{"channel":"channel-1","step_id":"step_id-1","run_id":"run_id-1","seq":1,"after_position":2,"since":3,"deadline":4},{"channel":"channel-2","step_id":"step_id-2","run_id":"run_id-2","seq":5,"after_position":6,"since":7,"deadline":8}]"

-- engine/signals/signal-wait.sql.ts markReceived
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `kept` bigint PATH '$.kept' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_signals` AS s FORCE INDEX (`durable_signals_order`) ON s.channel = n.channel AND s.position = n.position
    AND (n.kept = 1 OR (s.taken_by = n.run_id AND s.kept_at IS NULL)) SET s.kept_at = CASE WHEN n.kept = 1 THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) END, s.taken_by = CASE WHEN n.kept = 1 THEN n.run_id END;
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1","kept":2},{"channel":"channel-2","position":3,"run_id":"run_id-2","kept":4}]"

-- engine/signals/signal-wait.sql.ts deleteWaits
DELETE FROM `durable_signal_waits` WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- engine/signals/signal-wait.sql.ts deleteWaits, stepIds[] = 1
DELETE FROM `durable_signal_waits` WHERE step_id IN (?);
