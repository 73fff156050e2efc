-- outbox/inbox/sql-inbox.ts moveOn
UPDATE `inbox` SET last_sequence_id = CAST(? AS signed)
  WHERE consumer = ? AND channel = ?
    AND last_sequence_id < CAST(? AS signed);
-- "1"
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"

-- outbox/inbox/sql-inbox.ts selectTaken
SELECT 1 AS taken FROM `inbox` AS i 
  WHERE i.consumer = ? AND i.channel = ?
    AND i.last_sequence_id = CAST(? AS signed);
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"

-- outbox/inbox/sql-inbox.ts selectPending
SELECT 1 AS pending FROM `outbox`
  WHERE sequence_id = CAST(? AS signed) AND processed = 0;
-- "1"

-- outbox/inbox/sql-inbox.ts begin
INSERT INTO `inbox` (consumer, channel, last_sequence_id)
  VALUES (?, ?, CAST(? AS signed)) ON DUPLICATE KEY UPDATE `consumer` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`consumer`), VALUES(`consumer`));
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"
-- a large number
-- a large number
-- a large number
