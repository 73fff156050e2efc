-- outbox/inbox/sql-inbox.ts advance
INSERT INTO "inbox" (consumer, channel, last_sequence_id)
  VALUES ($1, $2, CAST($3 AS bigint))
  ON CONFLICT ("consumer", "channel") DO UPDATE SET last_sequence_id = EXCLUDED."last_sequence_id"
  WHERE "inbox".last_sequence_id < EXCLUDED.last_sequence_id;
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"

-- outbox/inbox/sql-inbox.ts selectTaken
SELECT 1 AS taken FROM "inbox" AS i CROSS JOIN generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again
  WHERE i.consumer = $3 AND i.channel = $4
    AND i.last_sequence_id = CAST($5 AS bigint);
-- 1
-- 1
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"

-- outbox/inbox/sql-inbox.ts selectPending
SELECT 1 AS pending FROM "outbox"
  WHERE sequence_id = CAST($1 AS bigint) AND NOT processed;
-- "1"
