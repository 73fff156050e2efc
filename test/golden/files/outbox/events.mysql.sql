-- outbox/events/event-rows.sql.ts eventRows
JSON_TABLE(?, '$[*]' COLUMNS (`ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR, `mutation_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` tinyint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR));
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events/mysql-era.sql.ts selectEra
SELECT CASE WHEN server = @@server_uuid THEN 1 ELSE 0 END AS same FROM `durable_outbox_era` WHERE id = 0;

-- outbox/events/mysql-era.sql.ts insertEra
INSERT INTO `durable_outbox_era` (id, server) SELECT 0, @@server_uuid ON DUPLICATE KEY UPDATE id = 0;

-- outbox/events/mysql-era.sql.ts lockEra
SELECT CASE WHEN server = @@server_uuid THEN 1 ELSE 0 END AS same FROM `durable_outbox_era` WHERE id = 0 FOR UPDATE;

-- outbox/events/mysql-era.sql.ts updateEra
UPDATE `durable_outbox_era` SET server = @@server_uuid, reached = GREATEST(reached, COALESCE(
    (SELECT sequence_id FROM `durable_outbox` WHERE channel = '' AND mutation_id = ?), 0)) WHERE id = 0;
-- "mark"

-- outbox/events/mysql-era.sql.ts selectNumberType
SELECT data_type AS type FROM information_schema.columns
  WHERE table_schema = DATABASE()
    AND table_name = 'durable_outbox' AND column_name = 'sequence_id';

-- outbox/events/mysql-era.sql.ts forgetEra
INSERT INTO `durable_outbox_era` (id, server) VALUES (0, '') ON DUPLICATE KEY UPDATE server = '';

-- outbox/events/mysql-era.sql.ts leap
INSERT INTO `durable_outbox` (sequence_id, mutation_id, channel, name)
  SELECT GREATEST(CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED), GREATEST(o.last, e.reached) + 4294967296), ?, '', 'era'
  FROM (SELECT COALESCE(MAX(sequence_id), 0) AS last FROM `durable_outbox`) AS o, `durable_outbox_era` AS e WHERE e.id = 0;
-- "mark"

-- outbox/events/mysql-era.sql.ts removeLeap
DELETE FROM `durable_outbox` WHERE channel = '' AND mutation_id = ?;
-- "mark"

-- outbox/events/mysql-tables.sql.ts mysqlTables
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

-- outbox/events/outbox-drop.sql.ts dropOutbox
DROP TABLE IF EXISTS `app`.`durable_outbox`;
DROP TABLE IF EXISTS `app`.`durable_outbox_nodes`;
DROP TABLE IF EXISTS `app`.`durable_outbox_era`;

-- outbox/events/outbox-roles.sql.ts grantsToEvents
GRANT rights-1 ON `rights` TO 'grantee'@'host';
GRANT rights-1 ON `rights` TO 'grantee'@'host';
GRANT rights-2 ON `rights` TO 'grantee'@'host';
GRANT rights-2 ON `rights` TO 'grantee'@'host';

-- outbox/events/outbox-roles.sql.ts grantsToEvents, options.host = undefined
GRANT rights-1 ON `rights` TO 'grantee'@'%';
GRANT rights-1 ON `rights` TO 'grantee'@'%';
GRANT rights-2 ON `rights` TO 'grantee'@'%';
GRANT rights-2 ON `rights` TO 'grantee'@'%';

-- outbox/events/outbox-roles.sql.ts grantsToEvents, rights[] = 1
GRANT rights-1 ON `rights` TO 'grantee'@'host';
GRANT rights-1 ON `rights` TO 'grantee'@'host';

-- outbox/events/outbox-roles.sql.ts grantsToEvents, rights[][1][] = 1
GRANT rights-1 ON `rights` TO 'grantee'@'host';
GRANT rights-2 ON `rights` TO 'grantee'@'host';

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least
GRANT rights-1 ON `rights` TO 'grantee'@'%';

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, options.host = string
GRANT rights-1 ON `rights` TO 'grantee'@'host';

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, rights[] = 2
GRANT rights-1 ON `rights` TO 'grantee'@'%';
GRANT rights-2 ON `rights` TO 'grantee'@'%';

-- outbox/events/outbox-roles.sql.ts grantsToEvents, the least, rights[][1][] = 2
GRANT rights-1 ON `rights` TO 'grantee'@'%';
GRANT rights-1 ON `rights` TO 'grantee'@'%';

-- outbox/events/outbox-roles.sql.ts accountOf
'grantee'@'host';

-- outbox/events/outbox-roles.sql.ts accountOf, 3.host = undefined
'grantee'@'%';

-- outbox/events/outbox-steps.sql.ts outboxSteps
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

-- outbox/events/published-step.sql.ts qualified
`schema`.`name`;

-- outbox/events/published-step.sql.ts selectDone
SELECT 0 AS step FROM (`done`) AS found UNION ALL SELECT 1 AS step FROM (`done`) AS found;

-- outbox/events/published-step.sql.ts selectDone, steps[] = 1
SELECT 0 AS step FROM (`done`) AS found;

-- outbox/events/sql-outbox-check.ts selectColumns
SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'app' AND table_name = 'durable_outbox';

-- outbox/events/sql-outbox-check.ts selectKnown
SELECT CAST(max(listed.number) AS char) AS known FROM (
    SELECT max(sequence_id) AS number FROM `durable_outbox` UNION ALL SELECT max(position) FROM `durable_outbox_channels`
    UNION ALL SELECT max(sequence_id) FROM `durable_outbox_dead` UNION ALL SELECT max(position) FROM `durable_outbox_pruned`) AS listed;

-- outbox/events/sql-outbox-check.ts showTable
SHOW CREATE TABLE `app`.`durable_outbox`;

-- outbox/events/write-events.mysql.sql.ts lockBuckets
SELECT bucket FROM `durable_outbox_locks` WHERE bucket IN (?, ?) ORDER BY bucket FOR UPDATE;
-- 3212
-- 3382

-- outbox/events/write-events.mysql.sql.ts lockBuckets, events[] = 1
SELECT bucket FROM `durable_outbox_locks` WHERE bucket IN (?) ORDER BY bucket FOR UPDATE;

-- outbox/events/write-events.mysql.sql.ts insertEvents
INSERT INTO `durable_outbox` (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR, `mutation_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` tinyint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR)) AS g ORDER BY g.ordinal;
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events/write-events.mysql.sql.ts insertUnderLocks
INSERT INTO `durable_outbox` (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM (SELECT COUNT(*) AS buckets FROM (SELECT bucket FROM `durable_outbox_locks` WHERE bucket IN (?, ?) ORDER BY bucket FOR UPDATE) AS taken) AS held CROSS JOIN JSON_TABLE(?, '$[*]' COLUMNS (`ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR, `mutation_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` tinyint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR)) AS g ORDER BY g.ordinal;
-- 3212
-- 3382
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events/write-events.mysql.sql.ts insertUnderLocks, all[] = 1
INSERT INTO `durable_outbox` (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM (SELECT COUNT(*) AS buckets FROM (SELECT bucket FROM `durable_outbox_locks` WHERE bucket IN (?) ORDER BY bucket FOR UPDATE) AS taken) AS held CROSS JOIN JSON_TABLE(?, '$[*]' COLUMNS (`ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR, `mutation_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.mutation_id' NULL ON EMPTY ERROR ON ERROR, `channel` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `rejected` tinyint PATH '$.rejected' NULL ON EMPTY ERROR ON ERROR, `data` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.data' NULL ON EMPTY ERROR ON ERROR, `headers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.headers' NULL ON EMPTY ERROR ON ERROR)) AS g ORDER BY g.ordinal;
