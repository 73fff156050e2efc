-- outbox/erasure/event-erasure.sql.ts selectEvents
SELECT CAST(o.sequence_id AS char) AS sequence_id, o.mutation_id, CASE WHEN NOT (o.processed = 0) THEN 1 ELSE 0 END AS done
  FROM `durable_outbox` AS o
  WHERE o.channel = ? AND o.sequence_id > ? ORDER BY o.sequence_id LIMIT 2;
-- "channel"
-- 1

-- outbox/erasure/event-erasure.sql.ts blankEvents
UPDATE `durable_outbox` SET data = NULL, headers = NULL
  WHERE sequence_id IN (?, ?) AND NOT (processed = 0)
    AND (data IS NOT NULL OR headers IS NOT NULL);
-- 1
-- 2

-- outbox/erasure/event-erasure.sql.ts blankEvents, numbers[] = 1
UPDATE `durable_outbox` SET data = NULL, headers = NULL
  WHERE sequence_id IN (?) AND NOT (processed = 0)
    AND (data IS NOT NULL OR headers IS NOT NULL);

-- outbox/erasure/event-erasure.sql.ts selectDeadOf
SELECT CAST(d.sequence_id AS char) AS sequence_id, d.mutation_id, d.reason FROM `durable_outbox_dead` AS d
  WHERE d.destination = ? AND d.channel = ? AND d.sequence_id > ?
  ORDER BY d.sequence_id LIMIT 2;
-- "destination"
-- "channel"
-- 1

-- outbox/erasure/event-erasure.sql.ts discardDead
DELETE FROM `durable_outbox_dead`
  WHERE destination = ? AND sequence_id IN (?, ?)
    AND reason <> ?;
-- "destination"
-- 1
-- 2
-- "requeued"

-- outbox/erasure/event-erasure.sql.ts discardDead, numbers[] = 1
DELETE FROM `durable_outbox_dead`
  WHERE destination = ? AND sequence_id IN (?)
    AND reason <> ?;

-- outbox/erasure/event-erasure.sql.ts forgetErrors
UPDATE `durable_outbox_channels` SET last_error = NULL
  WHERE destination IN (?, ?) AND channel IN (?, ?)
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;
-- "destinations-1"
-- "destinations-2"
-- "channels-1"
-- "channels-2"

-- outbox/erasure/event-erasure.sql.ts forgetErrors, channels[] = 1
UPDATE `durable_outbox_channels` SET last_error = NULL
  WHERE destination IN (?, ?) AND channel IN (?)
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;

-- outbox/erasure/event-erasure.sql.ts forgetErrors, destinations[] = 1
UPDATE `durable_outbox_channels` SET last_error = NULL
  WHERE destination IN (?) AND channel IN (?, ?)
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;

-- outbox/erasure/event-erasure.sql.ts forgetErrors, the least
UPDATE `durable_outbox_channels` SET last_error = NULL
  WHERE destination IN (?) AND channel IN (?)
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;
