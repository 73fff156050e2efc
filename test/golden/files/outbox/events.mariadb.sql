-- outbox/events/mysql-era.sql.ts selectEra
SELECT CASE WHEN server = CONCAT_WS('/', @@server_id, @@hostname, @@port) THEN 1 ELSE 0 END AS same FROM `durable_outbox_era` WHERE id = 0;

-- outbox/events/mysql-era.sql.ts insertEra
INSERT INTO `durable_outbox_era` (id, server) SELECT 0, CONCAT_WS('/', @@server_id, @@hostname, @@port) ON DUPLICATE KEY UPDATE id = 0;

-- outbox/events/mysql-era.sql.ts lockEra
SELECT CASE WHEN server = CONCAT_WS('/', @@server_id, @@hostname, @@port) THEN 1 ELSE 0 END AS same FROM `durable_outbox_era` WHERE id = 0 FOR UPDATE;

-- outbox/events/mysql-era.sql.ts updateEra
UPDATE `durable_outbox_era` SET server = CONCAT_WS('/', @@server_id, @@hostname, @@port), reached = GREATEST(reached, COALESCE(
    (SELECT sequence_id FROM `durable_outbox` WHERE channel = '' AND mutation_id = ?), 0)) WHERE id = 0;
-- "mark"
