-- sql/dialects.ts numberList
(?, ?);
-- 1
-- 2

-- sql/dialects.ts numberList, the least
(?);

-- sql/dialects.ts keyList
(?, ?);
-- "keys-1"
-- "keys-2"

-- sql/dialects.ts keyList, keys[] = 1
(?);

-- sql/dialects.ts keepMark
IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`key`), VALUES(`key`));
-- a large number
-- a large number
-- a large number

-- sql/dialects.ts inlineText
_utf8mb4 0x74657874;

-- sql/dialects.ts amongNumbers
IN (?, ?);
-- 1
-- 2

-- sql/dialects.ts amongNumbers, the least
IN (?);

-- sql/dialects.ts amongKeys
IN (?, ?);
-- "keys-1"
-- "keys-2"

-- sql/dialects.ts amongKeys, keys[] = 1
IN (?);

-- sql/dialects.ts deleteByKeys
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN ? AS gone FORCE INDEX (`index`) ON gone.column = k.found;
-- "[{"found":"keys-1"},{"found":"keys-2"}]"
-- "table"

-- sql/dialects.ts deleteByKeys, 5.index = undefined
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN ? AS gone FORCE INDEX (`PRIMARY`) ON gone.column = k.found;

-- sql/dialects.ts deleteByNumbers
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN ? AS gone FORCE INDEX (`PRIMARY`) ON gone.column = k.found;
-- "[{"found":"1"},{"found":"2"}]"
-- "table"

-- sql/dialects.ts listedKeys
JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k;
-- "[{"found":"keys-1"},{"found":"keys-2"}]"

-- sql/dialects.ts listedNumbers
JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k;
-- "[{"found":"1"},{"found":"2"}]"

-- sql/dialects.ts overwriting
ON DUPLICATE KEY UPDATE `columns-1` = VALUES(`columns-1`), `columns-2` = VALUES(`columns-2`);

-- sql/dialects.ts overwriting, columns[] = 1
ON DUPLICATE KEY UPDATE `columns-1` = VALUES(`columns-1`);

-- sql/dialects.ts lockFirst
(
  SELECT `columns` FROM (`select` LIMIT 2) AS f
  STRAIGHT_JOIN `table` FORCE INDEX (PRIMARY) ON `table`.`key` = f.found
  WHERE `where` LIMIT 1 FOR UPDATE SKIP LOCKED);

-- sql/dialects.ts selectBehind
(`select` LIMIT 1 OFFSET 2);

-- sql/executor.ts hasPassed
(`runId` IN (SELECT passed.id FROM passed)) IS TRUE;

-- sql/servers.ts selectGone
SELECT CONNECTION_ID() AS own,
        (SELECT SUBSTRING_INDEX(me.HOST, ':', -1) FROM information_schema.PROCESSLIST AS me WHERE me.ID = CONNECTION_ID()) AS own_port
      FROM information_schema.PROCESSLIST AS p
      WHERE p.ID = ? AND p.HOST LIKE ? AND p.USER = SUBSTRING_INDEX(USER(), '@', 1) AND p.DB = DATABASE()
        AND EXISTS (SELECT 1 FROM information_schema.INNODB_TRX AS t
          WHERE t.trx_mysql_thread_id = p.ID AND (p.COMMAND = 'Sleep' OR t.trx_state = 'LOCK WAIT'))
        AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`session` bigint PATH '$.session' NULL ON EMPTY ERROR ON ERROR, `port` bigint PATH '$.port' NULL ON EMPTY ERROR ON ERROR)) AS l
          JOIN information_schema.PROCESSLIST AS s ON s.ID = l.session AND s.HOST LIKE CONCAT('%:', l.port) WHERE s.TIME < 12)
        AND EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`session` bigint PATH '$.session' NULL ON EMPTY ERROR ON ERROR, `port` bigint PATH '$.port' NULL ON EMPTY ERROR ON ERROR)) AS l
          JOIN information_schema.PROCESSLIST AS s ON s.ID = l.session AND s.HOST LIKE CONCAT('%:', l.port) WHERE s.COMMAND = 'Sleep' AND NOT EXISTS (
          SELECT 1 FROM information_schema.INNODB_TRX AS t WHERE t.trx_mysql_thread_id = s.ID));
-- 5
-- "%:6"
-- "[{"session":1,"port":2},{"session":3,"port":4}]"
-- "[{"session":1,"port":2},{"session":3,"port":4}]"

-- sql/servers.ts selectServer
SELECT version() AS version, CONCAT(@@version_comment, '' /*T! , ' TiDB' */) AS product;

-- sql/servers.ts selectServerName
SELECT CONCAT(@@hostname, ':', @@port) AS name;

-- sql/servers.ts showClusterVariables
SHOW GLOBAL VARIABLES WHERE Variable_name IN ('group_replication_single_primary_mode', 'wsrep_on');

-- sql/servers.ts selectLockHolders
SELECT b.trx_mysql_thread_id AS session, SUBSTRING_INDEX(p.HOST, ':', -1) AS port, CONCAT(p.USER, '@', p.HOST) AS process, b.trx_query AS statement,
      TIMESTAMPDIFF(SECOND, b.trx_started, NOW()) * 1000 AS open_ms,
      MAX(TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000) AS waited_ms
    FROM (SELECT REQUESTING_ENGINE_TRANSACTION_ID AS waiting, BLOCKING_ENGINE_TRANSACTION_ID AS holding
    FROM performance_schema.data_lock_waits) AS w
    JOIN information_schema.INNODB_TRX AS r ON r.trx_id = w.waiting
    JOIN information_schema.INNODB_TRX AS b ON b.trx_id = w.holding
    JOIN information_schema.PROCESSLIST AS q ON q.ID = r.trx_mysql_thread_id AND q.DB = DATABASE()
      AND q.USER = SUBSTRING_INDEX(USER(), '@', 1)
    JOIN information_schema.PROCESSLIST AS p ON p.ID = b.trx_mysql_thread_id
    WHERE TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 >= 1
    GROUP BY b.trx_mysql_thread_id, p.USER, p.HOST, b.trx_query, b.trx_started ORDER BY b.trx_started LIMIT 10;

-- sql/servers.ts selectOpen
SELECT l.session, l.port FROM JSON_TABLE(?, '$[*]' COLUMNS (`session` bigint PATH '$.session' NULL ON EMPTY ERROR ON ERROR, `port` bigint PATH '$.port' NULL ON EMPTY ERROR ON ERROR)) AS l
          JOIN information_schema.PROCESSLIST AS s ON s.ID = l.session AND s.HOST LIKE CONCAT('%:', l.port);
-- "[{"session":1,"port":2},{"session":3,"port":4}]"

-- sql/servers.ts currentUser
SUBSTRING_INDEX(USER(), '@', 1);

-- sql/servers.ts selectOwnSession
SELECT ID AS session, SUBSTRING_INDEX(HOST, ':', -1) AS port, SUBSTRING_INDEX(USER(), '@', 1) AS me
      FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID();

-- sql/tables.ts nextMoments
WITH f AS (SELECT * FROM `among` AS listed)
  SELECT m.* FROM (`branches`) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;
-- 1
-- 2
-- 3
-- 4
-- "0"

-- sql/tables.ts nextMoments, 2.items = "text"
WITH f AS (SELECT * FROM `among` AS listed)
  SELECT m.* FROM (`branches`) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS char))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- sql/tables.ts nextMoments, 2.past = undefined
WITH f AS (SELECT * FROM `among` AS listed)
  SELECT m.* FROM (`branches`) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- sql/tables.ts nowOf
CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- sql/tables.ts onceNow
CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- sql/tables.ts insertLogLines
INSERT INTO `logs` (run_id, seq, attempt, level, message, fields, logged_at)
  SELECT run_id, seq, attempt, level, message, fields, logged_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `level` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.level' NULL ON EMPTY ERROR ON ERROR, `message` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.message' NULL ON EMPTY ERROR ON ERROR, `fields` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.fields' NULL ON EMPTY ERROR ON ERROR, `logged_at` bigint PATH '$.logged_at' NULL ON EMPTY ERROR ON ERROR)) AS l `where` ORDER BY l.n;
-- "[{"seq":1,"attempt":2,"level":"debug","message":"message-1","fields":"fields-1","n":0,"run_id":"runId-1","logged_at":3},{"seq":4,"attempt":5,"level":"debug","message":"message-2","fields":"fields-2","n":1,"run_id":"runId-2","logged_at":6}]"

-- sql/tables.ts rowsOfRuns
JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR));
-- "[{"run_id":"runIds-1","run":0},{"run_id":"runIds-2","run":1}]"
