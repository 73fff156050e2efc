-- outbox/channels.sql.ts selectPages
SELECT g.n, e.sequence_id, COALESCE(CAST(p.position AS text), e.mutation_id) AS mutation_id, e.name, e.rejected, e.data, e.headers
  FROM (SELECT n, channel, CAST(after AS bigint) AS after FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("n", "channel", "after")) AS listed) AS g
  CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again
  LEFT JOIN "pruned" AS p ON p.channel = g.channel AND p.position > g.after
  LEFT JOIN LATERAL (
    SELECT CAST(o.sequence_id AS text) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS text) AS data, CAST(o.headers AS text) AS headers, o.sequence_id AS number FROM "outbox" AS o
    WHERE o.channel = g.channel AND o.sequence_id > g.after AND p.channel IS NULL
    ORDER BY o.sequence_id LIMIT 5
  ) AS e ON true
  WHERE e.number IS NOT NULL OR p.channel IS NOT NULL
  ORDER BY g.n, e.number;
-- 2
-- "{1,3}"
-- 2
-- "{"channel-1","channel-2"}"
-- 2
-- "{"2","4"}"
-- 1
-- 1

-- outbox/channels.sql.ts selectPages, positions[] = 1
SELECT g.n, e.sequence_id, COALESCE(CAST(p.position AS text), e.mutation_id) AS mutation_id, e.name, e.rejected, e.data, e.headers
  FROM (SELECT n, channel, CAST(after AS bigint) AS after FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("n", "channel", "after")) AS listed) AS g
  CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again
  LEFT JOIN "pruned" AS p ON p.channel = g.channel AND p.position > g.after
  LEFT JOIN LATERAL (
    SELECT CAST(o.sequence_id AS text) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS text) AS data, CAST(o.headers AS text) AS headers, o.sequence_id AS number FROM "outbox" AS o
    WHERE o.channel = g.channel AND o.sequence_id > g.after AND p.channel IS NULL
    ORDER BY o.sequence_id LIMIT 3
  ) AS e ON true
  WHERE e.number IS NOT NULL OR p.channel IS NOT NULL
  ORDER BY g.n, e.number;

-- outbox/channels.sql.ts selectTops
SELECT g.n, (SELECT CAST(o.sequence_id AS text) FROM "outbox" AS o WHERE o.channel = g.channel
    ORDER BY o.sequence_id DESC LIMIT 1) AS top, CAST(p.position AS text) AS pruned
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("n", "channel")) AS g CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again LEFT JOIN "pruned" AS p ON p.channel = g.channel;
-- 2
-- "{0,1}"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/channels.sql.ts selectPosition
SELECT (SELECT CAST(max(o.sequence_id) AS text) FROM "outbox" AS o WHERE o.channel = $1) AS top,
    (SELECT CAST(p.position AS text) FROM "pruned" AS p WHERE p.channel = $2) AS pruned;
-- "channel"
-- "channel"

-- outbox/channels.sql.ts pruneOnce
WITH page AS MATERIALIZED (
  SELECT o.sequence_id, o.channel, o.processed, (o.created_at < to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1) / 1000.0)) AS old FROM "outbox" AS o
  WHERE o.sequence_id > $1 ORDER BY o.sequence_id LIMIT 3), gone AS (
    DELETE FROM "outbox" AS o WHERE o.processed AND o.sequence_id < (SELECT max(sequence_id) FROM "outbox")
      AND o.sequence_id = ANY (ARRAY(SELECT p.sequence_id FROM page AS p WHERE p.processed AND p.old))
    RETURNING o.sequence_id, o.channel
  ), noted AS (
    INSERT INTO "pruned" AS p (channel, position)
    SELECT g.channel, max(g.sequence_id) FROM gone AS g GROUP BY g.channel ORDER BY g.channel
    ON CONFLICT (channel) DO UPDATE SET position = GREATEST(p.position, EXCLUDED.position)
  )
  SELECT CAST(max(sequence_id) AS text) AS last, count(*) AS looked, (SELECT count(*) FROM gone) AS removed,
    (SELECT p.old FROM page AS p ORDER BY p.sequence_id DESC LIMIT 1) AS old FROM page;
-- 2

-- outbox/channels.sql.ts notePruned
INSERT INTO "pruned" (channel, position)
  VALUES ($1, $2), ($3, $4)
  ON CONFLICT ("channel") DO UPDATE SET position = GREATEST(position, EXCLUDED."position");
-- "channel-1"
-- 1
-- "channel-2"
-- 2

-- outbox/channels.sql.ts notePruned, positions[] = 1
INSERT INTO "pruned" (channel, position)
  VALUES ($1, $2)
  ON CONFLICT ("channel") DO UPDATE SET position = GREATEST(position, EXCLUDED."position");

-- outbox/channels.sql.ts deleteEvents
DELETE FROM "outbox" WHERE sequence_id = ANY (CAST($1 AS bigint[])) AND processed = 1;
-- "{1,2}"

-- outbox/channels.sql.ts selectOwner
SELECT consumer AS owner FROM "table" WHERE consumer > $1 AND channel LIKE 'durable:run:%' ORDER BY consumer LIMIT 1;
-- "1"

-- outbox/channels.sql.ts selectOwner, 2.owner = "destination"
SELECT destination AS owner FROM "table" WHERE destination > $1 AND channel LIKE 'durable:run:%' ORDER BY destination LIMIT 1;

-- outbox/channels.sql.ts selectRunChannels
SELECT channel FROM "table"
  WHERE consumer = $1 AND channel LIKE 'durable:run:%' AND channel > $2
  ORDER BY consumer, channel LIMIT 1;
-- "owner"
-- "channel"

-- outbox/channels.sql.ts selectRunChannels, 2.owner = "destination"
SELECT channel FROM "table"
  WHERE destination = $1 AND channel LIKE 'durable:run:%' AND channel > $2
  ORDER BY destination, channel LIMIT 1;

-- outbox/channels.sql.ts lockPositions
SELECT channel, last_sequence_id FROM "table"  WHERE consumer = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  AND only FOR UPDATE SKIP LOCKED;
-- "of"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/channels.sql.ts lockPositions, 2.only = undefined
SELECT channel, last_sequence_id FROM "table"  WHERE consumer = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, 2.owner = "destination"
SELECT channel, last_sequence_id FROM "table"  WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, 2.reached = "position"
SELECT channel, position FROM "table"  WHERE consumer = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least
SELECT channel, position FROM "table"  WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least, 2.only = string
SELECT channel, position FROM "table"  WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least, 2.owner = "consumer"
SELECT channel, position FROM "table"  WHERE consumer = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts lockPositions, the least, 2.reached = "last_sequence_id"
SELECT channel, last_sequence_id FROM "table"  WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts selectUnprocessed
SELECT DISTINCT o.channel FROM "outbox" AS o
  WHERE o.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND NOT o.processed;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/channels.sql.ts deletePositions
DELETE FROM "table" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND consumer = $5;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1
-- "of"

-- outbox/channels.sql.ts deletePositions, 2.owner = "destination"
DELETE FROM "table" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND destination = $5;

-- outbox/channels.sql.ts lockPruned
SELECT channel FROM "pruned" WHERE channel LIKE 'durable:run:%' ORDER BY channel LIMIT 1 FOR UPDATE SKIP LOCKED;

-- outbox/channels.sql.ts deletePruned
DELETE FROM "pruned" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/dead-letters.sql.ts insertDead
INSERT INTO "durable_outbox_dead" (destination, sequence_id, mutation_id, channel, name, rejected, data, headers, attempts, reason, last_error, failed_at)
  SELECT $1, sequence_id, mutation_id, channel, name, rejected, data, headers, attempts, reason, last_error, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("sequence_id" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" bigint, "data" text, "headers" text, "attempts" bigint, "reason" text, "last_error" text)) AS d ON CONFLICT ("destination", "sequence_id") DO UPDATE SET "attempts" = EXCLUDED."attempts", "reason" = EXCLUDED."reason", "last_error" = EXCLUDED."last_error", "failed_at" = EXCLUDED."failed_at";
-- "destination"
-- "[{"sequence_id":"1","mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":1,"data":"\\"data-1\\"","headers":"{\\"named\\":\\"named-1\\"}","attempts":2,"reason":"behind","last_error":"error-1"},{"sequence_id":"3","mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":1,"data":"\\"data-2\\"","headers":"{\\"named\\":\\"named-2\\"}","attempts":4,"reason":"behind","last_error":"error-2"}]"

-- outbox/dead-letters.sql.ts selectDeadMoments
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run" bigint, "mutation_id" text)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM "durable_outbox_dead" AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("destination" text, "n" bigint)) AS w ON w.destination = d.destination
    WHERE d.destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again) AS k)) AND d.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again) AS k))) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($11 AS bigint), CAST($12 AS bigint), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 7;
-- "[{"run":1,"mutation_id":"mutationId-1"},{"run":2,"mutation_id":"mutationId-2"}]"
-- "[{"destination":"destinations-1","n":0},{"destination":"destinations-2","n":1}]"
-- 2
-- "{"destinations-1","destinations-2"}"
-- 1
-- 1
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1
-- 3
-- 4
-- 5
-- 6
-- "0"

-- outbox/dead-letters.sql.ts selectDeadMoments, 3.events[] = 1
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run" bigint, "mutation_id" text)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM "durable_outbox_dead" AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("destination" text, "n" bigint)) AS w ON w.destination = d.destination
    WHERE d.destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again) AS k)) AND d.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again) AS k))) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($11 AS bigint), CAST($12 AS bigint), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 6;

-- outbox/dead-letters.sql.ts selectDeadMoments, next.past = undefined
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run" bigint, "mutation_id" text)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM "durable_outbox_dead" AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("destination" text, "n" bigint)) AS w ON w.destination = d.destination
    WHERE d.destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again) AS k)) AND d.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again) AS k))) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 3;

-- outbox/dead-letters.sql.ts selectDeadMoments, the least
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run" bigint, "mutation_id" text)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM "durable_outbox_dead" AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("destination" text, "n" bigint)) AS w ON w.destination = d.destination
    WHERE d.destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again) AS k)) AND d.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again) AS k))) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 2;

-- outbox/dead-letters.sql.ts selectLeases
SELECT shard, epoch
  FROM "durable_outbox_shards" WHERE destination = $1 AND owner = $2 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ORDER BY shard;
-- "destination"
-- "owner"

-- outbox/dead-letters.sql.ts lockLeases
SELECT shard, epoch,
      set_config('idle_in_transaction_session_timeout', CAST(GREATEST(lease_until - CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), 100) AS text), true)
      
  FROM "durable_outbox_shards" WHERE destination = $1 AND owner = $2 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ORDER BY shard FOR SHARE;
-- "destination"
-- "owner"

-- outbox/dead-letters.sql.ts setState
INSERT INTO "durable_outbox_channels" (destination, channel, state, failed_at)
  SELECT $1, g.channel, $2, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($3 AS json)) AS listed("channel" text)) AS g
  WHERE 1 = 1 ORDER BY g.channel
  ON CONFLICT ("destination", "channel") DO UPDATE SET state = EXCLUDED."state", failed_at = EXCLUDED."failed_at", attempts = 0, crashed = NULL, available_at = NULL;
-- "destination"
-- "parked"
-- "[{"channel":"channels-1"},{"channel":"channels-2"}]"

-- outbox/dead-letters.sql.ts forgetFailures
UPDATE "durable_outbox_channels"  SET attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "destination"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/dead-letters.sql.ts lockChannel
SELECT c.state, c.attempts, c.last_error, c.position FROM "durable_outbox_channels" AS c CROSS JOIN generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again
  WHERE c.destination = $3 AND c.channel = $4 FOR UPDATE;
-- 1
-- 1
-- "destination"
-- "channel"

-- outbox/dead-letters.sql.ts retryBlocked
UPDATE "durable_outbox_channels"  SET state = NULL, attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = $1 AND state = 'blocked' AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "destination"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/dead-letters.sql.ts selectBlamed
SELECT destination, channel FROM "durable_outbox_channels" WHERE crashed IS NOT NULL AND position($1 IN crashed) > 0
  ORDER BY destination, channel;
-- "[owner]"

-- outbox/dead-letters.sql.ts clearOf
UPDATE "durable_outbox_channels"  SET state = CASE WHEN state = 'blocked' THEN NULL ELSE state END,
    crashed = NULLIF(REPLACE(crashed, $1, ''), '')
  WHERE destination = $2 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again) AS k)) AND crashed IS NOT NULL;
-- "[owner]"
-- "destination"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/dead-letters.sql.ts dropCalm
DELETE FROM "durable_outbox_channels" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND destination = $5
    AND position = 0 AND state IS NULL AND attempts = 0 AND crashed IS NULL;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1
-- "destination"

-- outbox/dead-letters.sql.ts selectBlocked
SELECT channel FROM "durable_outbox_channels"
  WHERE destination = $1 AND state = 'blocked' AND channel > $2 ORDER BY channel LIMIT 2;
-- "destination"
-- "1"

-- outbox/dead-letters.sql.ts selectFirst
SELECT o.channel, CAST(o.sequence_id AS text) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS text) AS data, CAST(o.headers AS text) AS headers FROM "durable_outbox" AS o
  WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($1 AS integer) AND o.channel = $2
    AND o.sequence_id > $3
  ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel, o.sequence_id LIMIT 1;
-- 1
-- "channel"
-- "2"

-- outbox/dead-letters.sql.ts selectDead
SELECT CAST(d.sequence_id AS text) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.sequence_id > $2
    AND d.channel = $3
  ORDER BY d.sequence_id LIMIT 1;
-- "destination"
-- "2"
-- "channel"

-- outbox/dead-letters.sql.ts selectDead, 2.channel = undefined
SELECT CAST(d.sequence_id AS text) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.sequence_id > $2
    
  ORDER BY d.sequence_id LIMIT 1;

-- outbox/dead-letters.sql.ts selectRequeuedChannels
SELECT channel, attempts, crashed FROM "durable_outbox_channels"
  WHERE destination = $1 AND state = 'requeued' AND (available_at IS NULL OR available_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  ORDER BY channel LIMIT 1000;
-- "destination"

-- outbox/dead-letters.sql.ts selectRequeued
SELECT CAST(d.sequence_id AS text) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.channel = $2 AND d.reason = 'requeued'
  ORDER BY d.sequence_id LIMIT 50;
-- "destination"
-- "channel"

-- outbox/dead-letters.sql.ts selectDeadNumbers
SELECT CAST(d.sequence_id AS text) AS sequence_id FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.channel = $2 AND d.sequence_id > $3
    AND d.sequence_id = ANY (CAST($4 AS bigint[]))
  ORDER BY d.sequence_id LIMIT 2;
-- "destination"
-- "channel"
-- "1"
-- "{3,4}"

-- outbox/dead-letters.sql.ts selectDeadNumbers, ids = undefined
SELECT CAST(d.sequence_id AS text) AS sequence_id FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.channel = $2 AND d.sequence_id > $3
    
  ORDER BY d.sequence_id LIMIT 2;

-- outbox/dead-letters.sql.ts requeueDead
UPDATE "durable_outbox_dead"  SET reason = 'requeued'
  WHERE destination = $1 AND sequence_id = ANY (CAST($2 AS bigint[]));
-- "destination"
-- "{1,2}"

-- outbox/dead-letters.sql.ts deleteDead
DELETE FROM "durable_outbox_dead" WHERE sequence_id = ANY (CAST($1 AS bigint[])) AND destination = $2;
-- "{1,2}"
-- "destination"

-- outbox/dead-letters.sql.ts selectReasons
SELECT channel, MAX(CASE WHEN reason = 'requeued' THEN 1 ELSE 0 END) AS requeued,
    MAX(CASE WHEN reason = 'behind' THEN 1 ELSE 0 END) AS behind
  FROM "durable_outbox_dead"
  WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) GROUP BY channel;
-- "destination"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/dead-letters.sql.ts selectStanding
SELECT channel, state, attempts, last_error, failed_at FROM "durable_outbox_channels"
  WHERE destination = $1 AND state IS NOT NULL ORDER BY state, channel LIMIT 1;
-- "destination"

-- outbox/dead-letters.sql.ts countPending
(SELECT $1 AS channel, COUNT(*) AS pending FROM (
    SELECT 1 FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($2 AS integer) AND o.channel = $3 AND o.sequence_id > $4
    LIMIT 5) AS waiting) UNION ALL 
  (SELECT $5 AS channel, COUNT(*) AS pending FROM (
    SELECT 1 FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($6 AS integer) AND o.channel = $7 AND o.sequence_id > $8
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
(SELECT $1 AS channel, COUNT(*) AS pending FROM (
    SELECT 1 FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($2 AS integer) AND o.channel = $3 AND o.sequence_id > $4
    LIMIT 3) AS waiting);

-- outbox/dead-letters.sql.ts lockOldDead
SELECT d.destination, CAST(d.sequence_id AS text) AS sequence_id FROM "durable_outbox_dead" AS d
  
  WHERE d.failed_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $1 AND d.reason <> 'requeued'
  ORDER BY d.failed_at LIMIT 2 FOR UPDATE SKIP LOCKED;
-- 1

-- outbox/deliveries.postgres.sql.ts endDelivered
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ), alone AS MATERIALIZED (SELECT NOT EXISTS (SELECT FROM "durable_outbox_destinations" WHERE name <> $7) AS yes),
  wanted AS MATERIALIZED (
    SELECT g.id FROM unnest(CAST($8 AS bigint[]), CAST($9 AS integer[])) AS g(id, shard) CROSS JOIN generate_series(1, CAST($10 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($11 AS integer)) AS again
    WHERE g.shard IN (SELECT shard FROM held) AND (SELECT yes FROM alone)
  ), ended AS (
    UPDATE "durable_outbox" AS o SET processed = true WHERE o.sequence_id = ANY (ARRAY(SELECT id FROM wanted)) AND NOT o.processed RETURNING o.sequence_id AS id, NULL::bigint AS mark
  ), 
  cleared AS (
    DELETE FROM "durable_outbox_channels" WHERE destination = $12 AND state IS NULL AND position = 0
      AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($13 AS integer)]) ELSE a END FROM (SELECT CAST($14 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($15 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($16 AS integer)) AS again) AS k)) AND (SELECT yes FROM alone)
      AND EXISTS (SELECT FROM held)
  )
  SELECT (SELECT CAST(json_agg(shard) AS text) FROM held) AS held, (SELECT yes FROM alone) AS alone, 
    CASE WHEN (SELECT count(*) FROM ended) < (SELECT count(*) FROM wanted)
      THEN (SELECT CAST(json_agg(CAST(x.id AS text)) AS text) FROM (SELECT id FROM wanted EXCEPT SELECT id FROM ended) AS x) END AS missing,
    (SELECT max(mark) FROM ended) AS mark;
-- 2
-- "{3,7}"
-- 2
-- "{4,8}"
-- "destination-1"
-- "owner"
-- "destination-1"
-- "{1,2,5,6}"
-- "{3,3,7,7}"
-- 1
-- 1
-- "destination-1"
-- 2
-- "{"channel-1","channel-2"}"
-- 1
-- 1

-- outbox/deliveries.postgres.sql.ts endDelivered, items[].clears = false
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ), alone AS MATERIALIZED (SELECT NOT EXISTS (SELECT FROM "durable_outbox_destinations" WHERE name <> $7) AS yes),
  wanted AS MATERIALIZED (
    SELECT g.id FROM unnest(CAST($8 AS bigint[]), CAST($9 AS integer[])) AS g(id, shard) CROSS JOIN generate_series(1, CAST($10 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($11 AS integer)) AS again
    WHERE g.shard IN (SELECT shard FROM held) AND (SELECT yes FROM alone)
  ), ended AS (
    UPDATE "durable_outbox" AS o SET processed = true WHERE o.sequence_id = ANY (ARRAY(SELECT id FROM wanted)) AND NOT o.processed RETURNING o.sequence_id AS id, NULL::bigint AS mark
  )
  SELECT (SELECT CAST(json_agg(shard) AS text) FROM held) AS held, (SELECT yes FROM alone) AS alone, 
    CASE WHEN (SELECT count(*) FROM ended) < (SELECT count(*) FROM wanted)
      THEN (SELECT CAST(json_agg(CAST(x.id AS text)) AS text) FROM (SELECT id FROM wanted EXCEPT SELECT id FROM ended) AS x) END AS missing,
    (SELECT max(mark) FROM ended) AS mark;

-- outbox/deliveries.postgres.sql.ts endDelivered, scope.retains = false
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ), alone AS MATERIALIZED (SELECT NOT EXISTS (SELECT FROM "durable_outbox_destinations" WHERE name <> $7) AS yes),
  wanted AS MATERIALIZED (
    SELECT g.id FROM unnest(CAST($8 AS bigint[]), CAST($9 AS integer[])) AS g(id, shard) CROSS JOIN generate_series(1, CAST($10 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($11 AS integer)) AS again
    WHERE g.shard IN (SELECT shard FROM held) AND (SELECT yes FROM alone)
  ), newest AS MATERIALIZED (SELECT max(sequence_id) AS id FROM "durable_outbox"),
  gone AS (
    DELETE FROM "durable_outbox" AS o WHERE o.sequence_id = ANY (ARRAY(SELECT id FROM wanted)) AND o.sequence_id < (SELECT id FROM newest) AND NOT o.processed
    RETURNING o.sequence_id AS id
  ), kept AS (
    UPDATE "durable_outbox" AS o SET processed = true
    WHERE o.sequence_id = (SELECT n.id FROM newest AS n WHERE n.id = ANY (ARRAY(SELECT id FROM wanted))) AND NOT o.processed RETURNING o.sequence_id AS id
  ), outdated AS (
    DELETE FROM "durable_outbox" AS o WHERE o.sequence_id = ANY (CAST($12 AS bigint[])) AND o.processed AND o.sequence_id < (SELECT id FROM newest)
  ), ended AS (
    SELECT id, NULL::bigint AS mark FROM gone UNION ALL SELECT id, id FROM kept
  ), 
  cleared AS (
    DELETE FROM "durable_outbox_channels" WHERE destination = $13 AND state IS NULL AND position = 0
      AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($14 AS integer)]) ELSE a END FROM (SELECT CAST($15 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($16 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($17 AS integer)) AS again) AS k)) AND (SELECT yes FROM alone)
      AND EXISTS (SELECT FROM held)
  )
  SELECT (SELECT CAST(json_agg(shard) AS text) FROM held) AS held, (SELECT yes FROM alone) AS alone, 
    CASE WHEN (SELECT count(*) FROM ended) < (SELECT count(*) FROM wanted)
      THEN (SELECT CAST(json_agg(CAST(x.id AS text)) AS text) FROM (SELECT id FROM wanted EXCEPT SELECT id FROM ended) AS x) END AS missing,
    (SELECT max(mark) FROM ended) AS mark;

-- outbox/deliveries.postgres.sql.ts endDelivered, the least
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ), alone AS MATERIALIZED (SELECT NOT EXISTS (SELECT FROM "durable_outbox_destinations" WHERE name <> $7) AS yes),
  wanted AS MATERIALIZED (
    SELECT g.id FROM unnest(CAST($8 AS bigint[]), CAST($9 AS integer[])) AS g(id, shard) CROSS JOIN generate_series(1, CAST($10 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($11 AS integer)) AS again
    WHERE g.shard IN (SELECT shard FROM held) AND (SELECT yes FROM alone)
  ), newest AS MATERIALIZED (SELECT max(sequence_id) AS id FROM "durable_outbox"),
  gone AS (
    DELETE FROM "durable_outbox" AS o WHERE o.sequence_id = ANY (ARRAY(SELECT id FROM wanted)) AND o.sequence_id < (SELECT id FROM newest) AND NOT o.processed
    RETURNING o.sequence_id AS id
  ), kept AS (
    UPDATE "durable_outbox" AS o SET processed = true
    WHERE o.sequence_id = (SELECT n.id FROM newest AS n WHERE n.id = ANY (ARRAY(SELECT id FROM wanted))) AND NOT o.processed RETURNING o.sequence_id AS id
  ), outdated AS (
    DELETE FROM "durable_outbox" AS o WHERE o.sequence_id = ANY (CAST($12 AS bigint[])) AND o.processed AND o.sequence_id < (SELECT id FROM newest)
  ), ended AS (
    SELECT id, NULL::bigint AS mark FROM gone UNION ALL SELECT id, id FROM kept
  )
  SELECT (SELECT CAST(json_agg(shard) AS text) FROM held) AS held, (SELECT yes FROM alone) AS alone, 
    CASE WHEN (SELECT count(*) FROM ended) < (SELECT count(*) FROM wanted)
      THEN (SELECT CAST(json_agg(CAST(x.id AS text)) AS text) FROM (SELECT id FROM wanted EXCEPT SELECT id FROM ended) AS x) END AS missing,
    (SELECT max(mark) FROM ended) AS mark;

-- outbox/deliveries.postgres.sql.ts movePositions
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ), moved AS (
    INSERT INTO "durable_outbox_channels" AS c (destination, channel, position)
    SELECT $7, g.channel, max(CAST(g.last AS bigint)) FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($8 AS integer)]) ELSE a END FROM (SELECT CAST($9 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($12 AS integer)]) ELSE a END FROM (SELECT CAST($13 AS text[]) AS a) AS given)) AS listed("channel", "shard", "last")) AS g
    WHERE g.shard IN (SELECT shard FROM held) GROUP BY g.channel ORDER BY g.channel
    ON CONFLICT (destination, channel) DO UPDATE SET position = GREATEST(c.position, EXCLUDED.position),
      attempts = 0, crashed = NULL, available_at = NULL, last_error = NULL, failed_at = NULL
  )
  SELECT (SELECT CAST(json_agg(shard) AS text) FROM held) AS held;
-- 2
-- "{3,7}"
-- 2
-- "{4,8}"
-- "destination-1"
-- "owner"
-- "destination-1"
-- 2
-- "{"channel-1","channel-2"}"
-- 2
-- "{3,7}"
-- 2
-- "{"2","6"}"

-- outbox/deliveries.postgres.sql.ts endPassed
WITH passed AS MATERIALIZED (
    SELECT k.key AS channel, min(COALESCE(c.position, 0)) AS position FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k
    CROSS JOIN "durable_outbox_destinations" AS d
    LEFT JOIN LATERAL (
      SELECT c.position FROM "durable_outbox_channels" AS c WHERE c.destination = d.name AND c.channel = k.key LIMIT 1
    ) AS c ON true GROUP BY k.key
  ), wanted AS MATERIALIZED (
    SELECT m.sequence_id AS id FROM passed AS p CROSS JOIN LATERAL (
      SELECT o.sequence_id FROM "durable_outbox" AS o
      WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = (((('x' || substr(md5(p.channel), 1, 2))::bit(8)::int) & 63)) AND o.channel = p.channel
        AND o.sequence_id <= p.position
      ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel, o.sequence_id LIMIT 1000
    ) AS m WHERE p.position > 0
  ), ended AS (
    UPDATE "durable_outbox" AS o SET processed = true WHERE o.sequence_id = ANY (ARRAY(SELECT id FROM wanted)) AND NOT o.processed RETURNING o.sequence_id AS id, NULL::bigint AS mark
  )
  SELECT (SELECT max(mark) FROM ended) AS mark, (SELECT count(*) FROM ended) AS ended;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/deliveries.postgres.sql.ts endPassed, scope.retains = false
WITH passed AS MATERIALIZED (
    SELECT k.key AS channel, min(COALESCE(c.position, 0)) AS position FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k
    CROSS JOIN "durable_outbox_destinations" AS d
    LEFT JOIN LATERAL (
      SELECT c.position FROM "durable_outbox_channels" AS c WHERE c.destination = d.name AND c.channel = k.key LIMIT 1
    ) AS c ON true GROUP BY k.key
  ), wanted AS MATERIALIZED (
    SELECT m.sequence_id AS id FROM passed AS p CROSS JOIN LATERAL (
      SELECT o.sequence_id FROM "durable_outbox" AS o
      WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = (((('x' || substr(md5(p.channel), 1, 2))::bit(8)::int) & 63)) AND o.channel = p.channel
        AND o.sequence_id <= p.position
      ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel, o.sequence_id LIMIT 1000
    ) AS m WHERE p.position > 0
  ), newest AS MATERIALIZED (SELECT max(sequence_id) AS id FROM "durable_outbox"),
  gone AS (
    DELETE FROM "durable_outbox" AS o WHERE o.sequence_id = ANY (ARRAY(SELECT id FROM wanted)) AND o.sequence_id < (SELECT id FROM newest) AND NOT o.processed
    RETURNING o.sequence_id AS id
  ), kept AS (
    UPDATE "durable_outbox" AS o SET processed = true
    WHERE o.sequence_id = (SELECT n.id FROM newest AS n WHERE n.id = ANY (ARRAY(SELECT id FROM wanted))) AND NOT o.processed RETURNING o.sequence_id AS id
  ), outdated AS (
    DELETE FROM "durable_outbox" AS o WHERE o.sequence_id = ANY (CAST($5 AS bigint[])) AND o.processed AND o.sequence_id < (SELECT id FROM newest)
  ), ended AS (
    SELECT id, NULL::bigint AS mark FROM gone UNION ALL SELECT id, id FROM kept
  )
  SELECT (SELECT max(mark) FROM ended) AS mark, (SELECT count(*) FROM ended) AS ended;

-- outbox/deliveries.postgres.sql.ts failHeads
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ), failed AS (
    INSERT INTO "durable_outbox_channels" AS c (destination, channel, attempts, available_at, state, last_error, failed_at, crashed)
    SELECT $7, g.channel, g.counts, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + g.delay, g.state, g.error, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), g.crashed
    FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($8 AS integer)]) ELSE a END FROM (SELECT CAST($9 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($12 AS integer)]) ELSE a END FROM (SELECT CAST($13 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($14 AS integer)]) ELSE a END FROM (SELECT CAST($15 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($16 AS integer)]) ELSE a END FROM (SELECT CAST($17 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($18 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($19 AS text[]), CAST('' AS text), NULL) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($20 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($21 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("channel", "shard", "counts", "delay", "error", "state", "crashed")) AS g WHERE g.shard IN (SELECT shard FROM held) ORDER BY g.channel
    ON CONFLICT (destination, channel) DO UPDATE SET attempts = c.attempts + EXCLUDED.attempts,
      crashed = EXCLUDED.crashed,
      available_at = EXCLUDED.available_at, last_error = EXCLUDED.last_error, failed_at = EXCLUDED.failed_at,
      state = CASE WHEN c.state = 'requeued' THEN c.state ELSE COALESCE(EXCLUDED.state, c.state) END
  )
  SELECT (SELECT CAST(json_agg(shard) AS text) FROM held) AS held;
-- 2
-- "{2,5}"
-- 2
-- "{3,6}"
-- "destination-1"
-- "owner"
-- "destination-1"
-- 2
-- "{"channel-1","channel-2"}"
-- 2
-- "{2,5}"
-- 2
-- "{0}"
-- 2
-- "{1,4}"
-- 2
-- "{"error-1","error-2"}"
-- 2
-- "{"blocked"}"
-- 2
-- "{"[died-3][died-4]","[died-5][died-6]"}"

-- outbox/deliveries.postgres.sql.ts countCrashes
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  )
  INSERT INTO "durable_outbox_channels" AS c (destination, channel, crashed)
  SELECT $7, g.channel, g.crashed FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($8 AS integer)]) ELSE a END FROM (SELECT CAST($9 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($12 AS integer)]) ELSE a END FROM (SELECT CAST($13 AS text[]) AS a) AS given)) AS listed("channel", "shard", "crashed")) AS g
  WHERE g.shard IN (SELECT shard FROM held) ORDER BY g.channel
  ON CONFLICT (destination, channel) DO UPDATE SET crashed = CASE WHEN c.crashed IS NULL THEN EXCLUDED.crashed
    WHEN position($14 IN c.crashed) > 0 THEN c.crashed ELSE c.crashed || $15 END
  RETURNING c.channel, c.crashed;
-- 2
-- "{1,3}"
-- 2
-- "{2,4}"
-- "destination-1"
-- "owner"
-- "destination-1"
-- 2
-- "{"channel-1","channel-2"}"
-- 2
-- "{1,3}"
-- 2
-- "{"[abandonedBy-1][owner]","[abandonedBy-2][owner]"}"
-- "[owner]"
-- "[owner]"

-- outbox/deliveries.postgres.sql.ts fetchEvents
WITH RECURSIVE 
  ch(shard, channel, n) AS (
    SELECT CAST(g.shard AS int), h.channel, 1
    FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("shard", "after")) AS g
    CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST(g.shard AS int) AND o.channel > g.after
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    UNION ALL
    SELECT ch.shard, h.channel, ch.n + 1 FROM ch
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel > ch.channel
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    WHERE ch.n < 5
  )
  SELECT ch.shard, ch.n, ch.channel, s.attempts, s.crashed, s.state, m.*
  FROM ch CROSS JOIN (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS t
  LEFT JOIN LATERAL (
    SELECT c.* FROM "durable_outbox_channels" AS c WHERE c.destination = $7 AND c.channel = ch.channel LIMIT 1
  ) AS s ON true
  LEFT JOIN LATERAL (
    SELECT CAST(o.sequence_id AS text) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS text) AS data, CAST(o.headers AS text) AS headers FROM "durable_outbox" AS o
    WHERE ((s.state IS NOT NULL AND s.state <> 'parked') OR s.available_at > t.now) IS NOT TRUE AND ch.channel <> ALL (CAST($8 AS text[]))
      AND NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel = ch.channel
      AND o.sequence_id > COALESCE(s.position, 0)
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel, o.sequence_id LIMIT 6
  ) AS m ON true
  LIMIT 7;
-- 2
-- "{1,3}"
-- 2
-- "{"2","4"}"
-- 1
-- 1
-- "destination"
-- "{"busy-1","busy-2"}"

-- outbox/deliveries.postgres.sql.ts fetchEvents, request.shards[] = 1
WITH RECURSIVE 
  ch(shard, channel, n) AS (
    SELECT CAST(g.shard AS int), h.channel, 1
    FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("shard", "after")) AS g
    CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST(g.shard AS int) AND o.channel > g.after
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    UNION ALL
    SELECT ch.shard, h.channel, ch.n + 1 FROM ch
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel > ch.channel
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    WHERE ch.n < 3
  )
  SELECT ch.shard, ch.n, ch.channel, s.attempts, s.crashed, s.state, m.*
  FROM ch CROSS JOIN (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS t
  LEFT JOIN LATERAL (
    SELECT c.* FROM "durable_outbox_channels" AS c WHERE c.destination = $7 AND c.channel = ch.channel LIMIT 1
  ) AS s ON true
  LEFT JOIN LATERAL (
    SELECT CAST(o.sequence_id AS text) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS text) AS data, CAST(o.headers AS text) AS headers FROM "durable_outbox" AS o
    WHERE ((s.state IS NOT NULL AND s.state <> 'parked') OR s.available_at > t.now) IS NOT TRUE AND ch.channel <> ALL (CAST($8 AS text[]))
      AND NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel = ch.channel
      AND o.sequence_id > COALESCE(s.position, 0)
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel, o.sequence_id LIMIT 4
  ) AS m ON true
  LIMIT 5;

-- outbox/deliveries.postgres.sql.ts selectHeads
WITH RECURSIVE 
  ch(shard, channel, n) AS (
    SELECT CAST(g.shard AS int), h.channel, 1
    FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("shard", "after")) AS g
    CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST(g.shard AS int) AND o.channel > g.after
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    UNION ALL
    SELECT ch.shard, h.channel, ch.n + 1 FROM ch
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel > ch.channel
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    WHERE ch.n < 5
  )
  SELECT ch.shard, ch.channel, CAST(s.position AS text) AS position FROM ch
  LEFT JOIN LATERAL (
    SELECT c.position FROM "durable_outbox_channels" AS c WHERE c.destination = $7 AND c.channel = ch.channel LIMIT 1
  ) AS s ON true;
-- 2
-- "{1,3}"
-- 2
-- "{"2","4"}"
-- 1
-- 1
-- "destination"

-- outbox/deliveries.postgres.sql.ts selectHeads, shards[] = 1
WITH RECURSIVE 
  ch(shard, channel, n) AS (
    SELECT CAST(g.shard AS int), h.channel, 1
    FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("shard", "after")) AS g
    CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST(g.shard AS int) AND o.channel > g.after
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    UNION ALL
    SELECT ch.shard, h.channel, ch.n + 1 FROM ch
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel > ch.channel
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    WHERE ch.n < 3
  )
  SELECT ch.shard, ch.channel, CAST(s.position AS text) AS position FROM ch
  LEFT JOIN LATERAL (
    SELECT c.position FROM "durable_outbox_channels" AS c WHERE c.destination = $7 AND c.channel = ch.channel LIMIT 1
  ) AS s ON true;

-- outbox/deliveries.postgres.sql.ts selectLagging
WITH RECURSIVE 
  ch(shard, channel, n) AS (
    SELECT CAST(g.shard AS int), h.channel, 1
    FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("shard", "after")) AS g
    CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST(g.shard AS int) AND o.channel > g.after
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    UNION ALL
    SELECT ch.shard, h.channel, ch.n + 1 FROM ch
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel > ch.channel
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    WHERE ch.n < 5
  )
  SELECT ch.shard, ch.channel, CAST(s.position AS text) AS position FROM ch
  LEFT JOIN LATERAL (
    SELECT c.position FROM "durable_outbox_channels" AS c WHERE c.destination = $7 AND c.channel = ch.channel LIMIT 1
  ) AS s ON true
  CROSS JOIN LATERAL (
    SELECT o.sequence_id FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel = ch.channel
      AND o.sequence_id > COALESCE(s.position, 0)
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel, o.sequence_id LIMIT 1
  ) AS f
  ORDER BY f.sequence_id LIMIT 6;
-- 2
-- "{1,3}"
-- 2
-- "{"2","4"}"
-- 1
-- 1
-- "destination"

-- outbox/deliveries.postgres.sql.ts selectLagging, shards[] = 1
WITH RECURSIVE 
  ch(shard, channel, n) AS (
    SELECT CAST(g.shard AS int), h.channel, 1
    FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("shard", "after")) AS g
    CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST(g.shard AS int) AND o.channel > g.after
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    UNION ALL
    SELECT ch.shard, h.channel, ch.n + 1 FROM ch
    CROSS JOIN LATERAL (
    SELECT o.channel FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel > ch.channel
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel LIMIT 1) AS h
    WHERE ch.n < 3
  )
  SELECT ch.shard, ch.channel, CAST(s.position AS text) AS position FROM ch
  LEFT JOIN LATERAL (
    SELECT c.position FROM "durable_outbox_channels" AS c WHERE c.destination = $7 AND c.channel = ch.channel LIMIT 1
  ) AS s ON true
  CROSS JOIN LATERAL (
    SELECT o.sequence_id FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = ch.shard AND o.channel = ch.channel
      AND o.sequence_id > COALESCE(s.position, 0)
    ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel, o.sequence_id LIMIT 1
  ) AS f
  ORDER BY f.sequence_id LIMIT 4;

-- outbox/destinations.sql.ts advance
INSERT INTO "inbox" (consumer, channel, last_sequence_id)
  VALUES ($1, $2, CAST($3 AS bigint))
  ON CONFLICT ("consumer", "channel") DO UPDATE SET "last_sequence_id" = EXCLUDED."last_sequence_id"
  WHERE "inbox".last_sequence_id < EXCLUDED.last_sequence_id;
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"

-- outbox/destinations.sql.ts selectTaken
SELECT 1 AS taken FROM "inbox" AS i CROSS JOIN generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again
  WHERE i.consumer = $3 AND i.channel = $4
    AND i.last_sequence_id = CAST($5 AS bigint);
-- 1
-- 1
-- "consumer"
-- "\u0001requeued\u00011"
-- "1"

-- outbox/destinations.sql.ts selectPending
SELECT 1 AS pending FROM "outbox"
  WHERE sequence_id = CAST($1 AS bigint) AND NOT processed;
-- "1"

-- outbox/events.sql.ts writeEvents
WITH given AS MATERIALIZED (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ordinal" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" boolean, "data" text, "headers" text)) AS r),
  locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(CAST(CAST(CAST('"durable_outbox"' AS regclass) AS oid) AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT (('x' || substr(md5(channel), 1, 3))::bit(12)::int) AS bucket FROM given
      UNION ALL SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(current_setting('durable.outbox_noted_' || CAST(CAST('"durable_outbox"' AS regclass) AS oid), true), ','), ',')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted),
  hushed AS MATERIALIZED (
    SELECT set_config('durable.outbox_quiet', CASE WHEN coalesce(current_setting('durable.outbox_noted_' || CAST(CAST('"durable_outbox"' AS regclass) AS oid), true), '') = '' THEN CAST(CAST(CAST('"durable_outbox"' AS regclass) AS oid) AS text) ELSE '' END, true), "durable_outbox_era"() AS era
  ),
  written AS (
  INSERT INTO "durable_outbox" (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, CAST(g.data AS jsonb), CAST(g.headers AS jsonb)
  FROM given AS g
  WHERE (SELECT count(*) FROM locked) >= 0 AND (SELECT count(*) FROM hushed) = 1 ORDER BY g.ordinal
    RETURNING 1
  )
  SELECT count(*) AS written, set_config('durable.outbox_quiet', '', true) AS loud FROM written;
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events.sql.ts writeEvents, locks = false
WITH given AS MATERIALIZED (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ordinal" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" boolean, "data" text, "headers" text)) AS r),
  locked AS MATERIALIZED (SELECT 1),
  hushed AS MATERIALIZED (
    SELECT set_config('durable.outbox_quiet', CASE WHEN coalesce(current_setting('durable.outbox_noted_' || CAST(CAST('"durable_outbox"' AS regclass) AS oid), true), '') = '' THEN CAST(CAST(CAST('"durable_outbox"' AS regclass) AS oid) AS text) ELSE '' END, true), "durable_outbox_era"() AS era
  ),
  written AS (
  INSERT INTO "durable_outbox" (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, CAST(g.data AS jsonb), CAST(g.headers AS jsonb)
  FROM given AS g
  WHERE (SELECT count(*) FROM locked) >= 0 AND (SELECT count(*) FROM hushed) = 1 ORDER BY g.ordinal
    RETURNING 1
  )
  SELECT count(*) AS written, set_config('durable.outbox_quiet', '', true) AS loud FROM written;

-- outbox/events.sql.ts eraBody
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"schema"."table"' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST('"schema"."table_era"' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"schema"."table"' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST('"schema"."table_era"' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"schema"."table"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"schema"."table"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"schema"."table_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END;

-- outbox/events.sql.ts eventRows
(SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ordinal" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" boolean, "data" text, "headers" text));
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events.sql.ts insertEventsOnPostgres
WITH given AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ordinal" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" boolean, "data" text, "headers" text)) AS r) 
  INSERT INTO "durable_outbox" (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, CAST(g.data AS jsonb), CAST(g.headers AS jsonb)
  FROM given AS g ORDER BY g.ordinal;
-- "[{"ordinal":0,"mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":true,"data":"data-1","headers":"headers-1"},{"ordinal":1,"mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":true,"data":"data-2","headers":"headers-2"}]"

-- outbox/events.sql.ts bucketOfChannel
(('x' || substr(md5($1), 1, 3))::bit(12)::int);
-- "channel"

-- outbox/events.sql.ts tableNumber
CAST(CAST('"table"' AS regclass) AS oid);

-- outbox/events.sql.ts bucketsNoted
(SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim("noted", ','), ',')) AS listed) AS noted;

-- outbox/events.sql.ts lockBucketsOnPostgres
pg_advisory_xact_lock(CAST("tableOid" AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM ("buckets") AS listed ORDER BY 1) AS wanted;

-- outbox/events.sql.ts lookAtEraOnPostgres
"schema"."table_era"();

-- outbox/events.sql.ts lookAtEraOnPostgres, 1.schema = undefined
"table_era"();

-- outbox/events.sql.ts createEra
CREATE SEQUENCE IF NOT EXISTS "schema"."table_era" AS bigint;

-- outbox/events.sql.ts forgetEraOnPostgres
SELECT setval(CAST('"schema"."table_era"' AS regclass), 1);

-- outbox/events.sql.ts forgetEraOnPostgres, 1.schema = undefined
SELECT setval(CAST('"table_era"' AS regclass), 1);

-- outbox/events.sql.ts lookOnce
IF current_setting('durable.outbox_era', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "schema"."table_era"();
    PERFORM set_config('durable.outbox_era', CAST(TG_RELID AS text), true);
  END IF;;

-- outbox/events.sql.ts selectEvents
SELECT CAST(o.sequence_id AS text) AS sequence_id, o.mutation_id, CASE WHEN NOT (NOT o.processed) THEN 1 ELSE 0 END AS done
  FROM "durable_outbox" AS o
  WHERE o.channel = $1 AND o.sequence_id > $2 ORDER BY o.sequence_id LIMIT 2;
-- "channel"
-- 1

-- outbox/events.sql.ts blankEvents
UPDATE "durable_outbox"  SET data = NULL, headers = NULL
  WHERE sequence_id = ANY (CAST($1 AS bigint[])) AND NOT (NOT processed)
    AND (data IS NOT NULL OR headers IS NOT NULL);
-- "{1,2}"

-- outbox/events.sql.ts selectDeadOf
SELECT CAST(d.sequence_id AS text) AS sequence_id, d.mutation_id, d.reason FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.channel = $2 AND d.sequence_id > $3
  ORDER BY d.sequence_id LIMIT 2;
-- "destination"
-- "channel"
-- 1

-- outbox/events.sql.ts discardDead
DELETE FROM "durable_outbox_dead" WHERE sequence_id = ANY (CAST($1 AS bigint[])) AND destination = $2
    AND reason <> $3;
-- "{1,2}"
-- "destination"
-- "requeued"

-- outbox/events.sql.ts forgetErrors
UPDATE "durable_outbox_channels"  SET last_error = NULL
  WHERE destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again) AS k))
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;
-- 2
-- "{"destinations-1","destinations-2"}"
-- 1
-- 1
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/published-tables.postgres.sql.ts relationNamed
pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'name';

-- outbox/published-tables.postgres.sql.ts postgresTables
CREATE TABLE IF NOT EXISTS "app"."durable_outbox" (
  sequence_id bigserial PRIMARY KEY,
  mutation_id text NOT NULL,
  channel text NOT NULL,
  name text NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data jsonb,
  headers jsonb,
  locked_by text,
  lock_expiry timestamp without time zone,
  processed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' WHERE c.relkind IN ('r', 'p');
ALTER TABLE "app"."durable_outbox" 
  ADD COLUMN IF NOT EXISTS rejected boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS data jsonb,
  ADD COLUMN IF NOT EXISTS headers jsonb,
  ADD COLUMN IF NOT EXISTS locked_by text,
  ADD COLUMN IF NOT EXISTS lock_expiry timestamp without time zone,
  ADD COLUMN IF NOT EXISTS processed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS created_at timestamp with time zone NOT NULL DEFAULT now();
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN ('rejected', 'data', 'headers', 'locked_by', 'lock_expiry', 'processed', 'created_at')
      HAVING count(*) = 7;
CREATE TABLE IF NOT EXISTS "app"."durable_outbox_nodes" (
  id text PRIMARY KEY,
  expiry timestamp without time zone NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_nodes' WHERE c.relkind IN ('r', 'p');
CREATE INDEX IF NOT EXISTS "durable_outbox_pending" ON "app"."durable_outbox" ((((('x' || substr(md5("channel"), 1, 2))::bit(8)::int) & 63)), channel, sequence_id) WHERE NOT processed;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_pending' WHERE c.relkind IN ('i', 'I');
CREATE INDEX IF NOT EXISTS "durable_outbox_channel" ON "app"."durable_outbox" (channel, sequence_id);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_channel' WHERE c.relkind IN ('i', 'I');

-- outbox/published-tables.postgres.sql.ts dropFunctions
DROP FUNCTION IF EXISTS "app"."durable_outbox_notify"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_note"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_order"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_lock"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_era"();

-- outbox/published-tables.postgres.sql.ts postgresTriggers
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 1
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE OR REPLACE FUNCTION "app"."durable_outbox_note"() RETURNS trigger LANGUAGE plpgsql AS $durable$
DECLARE
  bucket text := (('x' || substr(md5(NEW.channel), 1, 3))::bit(12)::int)::text || ',';
  noted text := coalesce(current_setting('durable.outbox_noted_' || TG_RELID, true), '');
BEGIN
  IF position(',' || bucket IN ',' || noted) = 0 THEN
    PERFORM set_config('durable.outbox_noted_' || TG_RELID, noted || bucket, true);
  END IF;
  RETURN NEW;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_note' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
DECLARE
  bucket text := ((''x'' || substr(md5(NEW.channel), 1, 3))::bit(12)::int)::text || '','';
  noted text := coalesce(current_setting(''durable.outbox_noted_'' || TG_RELID, true), '''');
BEGIN
  IF position('','' || bucket IN '','' || noted) = 0 THEN
    PERFORM set_config(''durable.outbox_noted_'' || TG_RELID, noted || bucket, true);
  END IF;
  RETURN NEW;
END';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_order"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  noted text := current_setting('durable.outbox_noted_' || TG_RELID, true);
BEGIN
  IF noted <> '' THEN
    PERFORM pg_advisory_xact_lock(CAST(TG_RELID AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(noted, ','), ',')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted;
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config('durable.outbox_noted_' || TG_RELID, '', true);
  END IF;
  UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_order' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  noted text := current_setting(''durable.outbox_noted_'' || TG_RELID, true);
BEGIN
  IF noted <> '''' THEN
    PERFORM pg_advisory_xact_lock(CAST(TG_RELID AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(noted, '',''), '','')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted;
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config(''durable.outbox_noted_'' || TG_RELID, '''', true);
  END IF;
  UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END';
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_note' AND p.proname = 'durable_outbox_note' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_note" BEFORE INSERT ON "app"."durable_outbox" FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_note"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_note' AND p.proname = 'durable_outbox_note' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_order' AND p.proname = 'durable_outbox_order' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = true;
CREATE CONSTRAINT TRIGGER "app_durable_outbox_order" AFTER INSERT ON "app"."durable_outbox" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_order"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_order' AND p.proname = 'durable_outbox_order' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = true;
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_lock');

-- outbox/published-tables.postgres.sql.ts postgresTriggers, ordering = "insert"
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 1
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE OR REPLACE FUNCTION "app"."durable_outbox_lock"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF current_setting('durable.outbox_era', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config('durable.outbox_era', CAST(TG_RELID AS text), true);
  END IF;
  PERFORM pg_advisory_xact_lock(TG_RELID::int, (('x' || substr(md5(NEW.channel), 1, 3))::bit(12)::int));
  NEW.sequence_id := nextval(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id')::regclass);
  RETURN NEW;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_lock' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF current_setting(''durable.outbox_era'', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config(''durable.outbox_era'', CAST(TG_RELID AS text), true);
  END IF;
  PERFORM pg_advisory_xact_lock(TG_RELID::int, ((''x'' || substr(md5(NEW.channel), 1, 3))::bit(12)::int));
  NEW.sequence_id := nextval(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'')::regclass);
  RETURN NEW;
END';
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_lock' AND p.proname = 'durable_outbox_lock' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_lock" BEFORE INSERT ON "app"."durable_outbox" FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_lock"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_lock' AND p.proname = 'durable_outbox_lock' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_note');
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_order');

-- outbox/published-tables.postgres.sql.ts postgresTriggers, ordering = "none"
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 1
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_note');
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_order');
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_lock');

-- outbox/relay-insight.sql.ts countShards
SELECT s.destination, s.owner, count(*) AS shards,
    count(CASE WHEN s.owner IS NOT NULL AND s.lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) THEN 1 END) AS lapsed
  FROM "durable_outbox_shards" AS s GROUP BY s.destination, s.owner;

-- outbox/relay-insight.sql.ts countTroubles
SELECT CAST($1 AS text) AS destination,
      (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $2 AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS blocked, (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $3 AND s.state = 'parked' AND s.state IS NOT NULL LIMIT 2) AS c) AS parked,
      (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $4 AND s.state = 'requeued' AND s.state IS NOT NULL LIMIT 2) AS c) AS requeued,
      (SELECT count(*) FROM (SELECT d.sequence_id FROM "durable_outbox_dead" AS d WHERE d.destination = $5 LIMIT 2) AS c) AS dead,
      (SELECT min(c.failed_at) FROM (
    SELECT s.failed_at FROM "durable_outbox_channels" AS s
    WHERE s.destination = $6 AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS since UNION ALL 
    SELECT CAST($7 AS text) AS destination,
      (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $8 AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS blocked, (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $9 AND s.state = 'parked' AND s.state IS NOT NULL LIMIT 2) AS c) AS parked,
      (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $10 AND s.state = 'requeued' AND s.state IS NOT NULL LIMIT 2) AS c) AS requeued,
      (SELECT count(*) FROM (SELECT d.sequence_id FROM "durable_outbox_dead" AS d WHERE d.destination = $11 LIMIT 2) AS c) AS dead,
      (SELECT min(c.failed_at) FROM (
    SELECT s.failed_at FROM "durable_outbox_channels" AS s
    WHERE s.destination = $12 AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS since;
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
SELECT CAST($1 AS text) AS destination,
      (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $2 AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS blocked, (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $3 AND s.state = 'parked' AND s.state IS NOT NULL LIMIT 2) AS c) AS parked,
      (SELECT count(*) FROM (
    SELECT s.channel FROM "durable_outbox_channels" AS s
    WHERE s.destination = $4 AND s.state = 'requeued' AND s.state IS NOT NULL LIMIT 2) AS c) AS requeued,
      (SELECT count(*) FROM (SELECT d.sequence_id FROM "durable_outbox_dead" AS d WHERE d.destination = $5 LIMIT 2) AS c) AS dead,
      (SELECT min(c.failed_at) FROM (
    SELECT s.failed_at FROM "durable_outbox_channels" AS s
    WHERE s.destination = $6 AND s.state = 'blocked' AND s.state IS NOT NULL LIMIT 2) AS c) AS since;

-- outbox/relay-insight.sql.ts selectAges
(SELECT CAST(extract(epoch FROM clock_timestamp() - o.created_at) * 1000 AS bigint) AS age FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($1 AS integer) AND o.channel = $2 AND o.sequence_id > $3
    ORDER BY o.sequence_id LIMIT 1) UNION ALL 
  (SELECT CAST(extract(epoch FROM clock_timestamp() - o.created_at) * 1000 AS bigint) AS age FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($4 AS integer) AND o.channel = $5 AND o.sequence_id > $6
    ORDER BY o.sequence_id LIMIT 1);
-- 1
-- "channel-1"
-- "2"
-- 3
-- "channel-2"
-- "4"

-- outbox/relay-insight.sql.ts selectAges, channels[] = 1
(SELECT CAST(extract(epoch FROM clock_timestamp() - o.created_at) * 1000 AS bigint) AS age FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($1 AS integer) AND o.channel = $2 AND o.sequence_id > $3
    ORDER BY o.sequence_id LIMIT 1);

-- outbox/schema.sql.ts selectColumns
SELECT a.attname AS name FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox'
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped;

-- outbox/schema.sql.ts selectKnown
SELECT CAST(max(listed.number) AS text) AS known FROM (
    SELECT max(sequence_id) AS number FROM "durable_outbox" UNION ALL SELECT max(position) FROM "durable_outbox_channels"
    UNION ALL SELECT max(sequence_id) FROM "durable_outbox_dead" UNION ALL SELECT max(position) FROM "durable_outbox_pruned") AS listed;

-- outbox/schema.sql.ts selectSequence
SELECT s.seqcache AS cache, s.seqincrement AS increment, s.seqcycle AS cycle, s.seqmax AS most,
      CASE WHEN has_sequence_privilege(s.seqrelid, 'USAGE, SELECT')
        THEN CAST(coalesce(pg_sequence_last_value(s.seqrelid), 0) AS text) END AS last
    FROM pg_catalog.pg_sequence AS s
    WHERE s.seqrelid = CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);

-- outbox/script.sql.ts dropOutbox
DROP TABLE IF EXISTS "app"."durable_outbox";
DROP TABLE IF EXISTS "app"."durable_outbox_nodes";
DROP FUNCTION IF EXISTS "app"."durable_outbox_notify"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_note"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_order"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_lock"();
DROP FUNCTION IF EXISTS "app"."durable_outbox_era"();
DROP SEQUENCE IF EXISTS "app"."durable_outbox_era";

-- outbox/script.sql.ts grantsToEvents
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."table"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, options.appSchema = undefined
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."table"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, options.schema = undefined
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."table"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, options.table = undefined
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."prefix_outbox"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, rights[] = 1
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."table"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, rights[][1][] = 1
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."table"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, the least
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, the least, options.appSchema = string
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
GRANT USAGE ON SCHEMA "appSchema" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, the least, options.prefix = string
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."prefix_outbox"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, the least, options.schema = string
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "schema" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('"schema"."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, the least, options.table = string
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."table"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, the least, rights[] = 2
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-2 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts grantsToEvents, the least, rights[][1][] = 2
GRANT rights-1 ON "rights" TO "grantee";
GRANT rights-1 ON "rights" TO "grantee";
GRANT USAGE ON SCHEMA "" TO "grantee";
DO $durable$ BEGIN EXECUTE format('GRANT  ON SEQUENCE %s TO "grantee"', pg_get_serial_sequence('""."durable_outbox"', 'sequence_id')); END $durable$;

-- outbox/script.sql.ts accountOf
"grantee";

-- outbox/script.sql.ts outboxSteps
CREATE TABLE IF NOT EXISTS "app"."durable_outbox" (
  sequence_id bigserial PRIMARY KEY,
  mutation_id text NOT NULL,
  channel text NOT NULL,
  name text NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data jsonb,
  headers jsonb,
  locked_by text,
  lock_expiry timestamp without time zone,
  processed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' WHERE c.relkind IN ('r', 'p');
ALTER TABLE "app"."durable_outbox" 
  ADD COLUMN IF NOT EXISTS rejected boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS data jsonb,
  ADD COLUMN IF NOT EXISTS headers jsonb,
  ADD COLUMN IF NOT EXISTS locked_by text,
  ADD COLUMN IF NOT EXISTS lock_expiry timestamp without time zone,
  ADD COLUMN IF NOT EXISTS processed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS created_at timestamp with time zone NOT NULL DEFAULT now();
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN ('rejected', 'data', 'headers', 'locked_by', 'lock_expiry', 'processed', 'created_at')
      HAVING count(*) = 7;
CREATE TABLE IF NOT EXISTS "app"."durable_outbox_nodes" (
  id text PRIMARY KEY,
  expiry timestamp without time zone NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_nodes' WHERE c.relkind IN ('r', 'p');
CREATE INDEX IF NOT EXISTS "durable_outbox_pending" ON "app"."durable_outbox" ((((('x' || substr(md5("channel"), 1, 2))::bit(8)::int) & 63)), channel, sequence_id) WHERE NOT processed;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_pending' WHERE c.relkind IN ('i', 'I');
CREATE INDEX IF NOT EXISTS "durable_outbox_channel" ON "app"."durable_outbox" (channel, sequence_id);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_channel' WHERE c.relkind IN ('i', 'I');
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 1
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE OR REPLACE FUNCTION "app"."durable_outbox_note"() RETURNS trigger LANGUAGE plpgsql AS $durable$
DECLARE
  bucket text := (('x' || substr(md5(NEW.channel), 1, 3))::bit(12)::int)::text || ',';
  noted text := coalesce(current_setting('durable.outbox_noted_' || TG_RELID, true), '');
BEGIN
  IF position(',' || bucket IN ',' || noted) = 0 THEN
    PERFORM set_config('durable.outbox_noted_' || TG_RELID, noted || bucket, true);
  END IF;
  RETURN NEW;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_note' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
DECLARE
  bucket text := ((''x'' || substr(md5(NEW.channel), 1, 3))::bit(12)::int)::text || '','';
  noted text := coalesce(current_setting(''durable.outbox_noted_'' || TG_RELID, true), '''');
BEGIN
  IF position('','' || bucket IN '','' || noted) = 0 THEN
    PERFORM set_config(''durable.outbox_noted_'' || TG_RELID, noted || bucket, true);
  END IF;
  RETURN NEW;
END';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_order"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $durable$
DECLARE
  noted text := current_setting('durable.outbox_noted_' || TG_RELID, true);
BEGIN
  IF noted <> '' THEN
    PERFORM pg_advisory_xact_lock(CAST(TG_RELID AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(noted, ','), ',')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted;
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config('durable.outbox_noted_' || TG_RELID, '', true);
  END IF;
  UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_order' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 2
        AND p.prosrc = '
DECLARE
  noted text := current_setting(''durable.outbox_noted_'' || TG_RELID, true);
BEGIN
  IF noted <> '''' THEN
    PERFORM pg_advisory_xact_lock(CAST(TG_RELID AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (SELECT bucket FROM (SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(noted, '',''), '','')) AS listed) AS noted) AS listed ORDER BY 1) AS wanted;
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config(''durable.outbox_noted_'' || TG_RELID, '''', true);
  END IF;
  UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE ctid = NEW.ctid;
  IF NOT FOUND THEN
    UPDATE "app"."durable_outbox" SET sequence_id = DEFAULT WHERE sequence_id = NEW.sequence_id;
  END IF;
  RETURN NULL;
END';
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_note' AND p.proname = 'durable_outbox_note' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_note" BEFORE INSERT ON "app"."durable_outbox" FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_note"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_note' AND p.proname = 'durable_outbox_note' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_order' AND p.proname = 'durable_outbox_order' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = true;
CREATE CONSTRAINT TRIGGER "app_durable_outbox_order" AFTER INSERT ON "app"."durable_outbox" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_order"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_order' AND p.proname = 'durable_outbox_order' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = true;
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_lock');

-- outbox/script.sql.ts outboxSteps, ordering = "insert"
CREATE TABLE IF NOT EXISTS "app"."durable_outbox" (
  sequence_id bigserial PRIMARY KEY,
  mutation_id text NOT NULL,
  channel text NOT NULL,
  name text NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data jsonb,
  headers jsonb,
  locked_by text,
  lock_expiry timestamp without time zone,
  processed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' WHERE c.relkind IN ('r', 'p');
ALTER TABLE "app"."durable_outbox" 
  ADD COLUMN IF NOT EXISTS rejected boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS data jsonb,
  ADD COLUMN IF NOT EXISTS headers jsonb,
  ADD COLUMN IF NOT EXISTS locked_by text,
  ADD COLUMN IF NOT EXISTS lock_expiry timestamp without time zone,
  ADD COLUMN IF NOT EXISTS processed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS created_at timestamp with time zone NOT NULL DEFAULT now();
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN ('rejected', 'data', 'headers', 'locked_by', 'lock_expiry', 'processed', 'created_at')
      HAVING count(*) = 7;
CREATE TABLE IF NOT EXISTS "app"."durable_outbox_nodes" (
  id text PRIMARY KEY,
  expiry timestamp without time zone NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_nodes' WHERE c.relkind IN ('r', 'p');
CREATE INDEX IF NOT EXISTS "durable_outbox_pending" ON "app"."durable_outbox" ((((('x' || substr(md5("channel"), 1, 2))::bit(8)::int) & 63)), channel, sequence_id) WHERE NOT processed;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_pending' WHERE c.relkind IN ('i', 'I');
CREATE INDEX IF NOT EXISTS "durable_outbox_channel" ON "app"."durable_outbox" (channel, sequence_id);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_channel' WHERE c.relkind IN ('i', 'I');
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 1
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE OR REPLACE FUNCTION "app"."durable_outbox_lock"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF current_setting('durable.outbox_era', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config('durable.outbox_era', CAST(TG_RELID AS text), true);
  END IF;
  PERFORM pg_advisory_xact_lock(TG_RELID::int, (('x' || substr(md5(NEW.channel), 1, 3))::bit(12)::int));
  NEW.sequence_id := nextval(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id')::regclass);
  RETURN NEW;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_lock' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF current_setting(''durable.outbox_era'', true) IS DISTINCT FROM CAST(TG_RELID AS text) THEN
    PERFORM "app"."durable_outbox_era"();
    PERFORM set_config(''durable.outbox_era'', CAST(TG_RELID AS text), true);
  END IF;
  PERFORM pg_advisory_xact_lock(TG_RELID::int, ((''x'' || substr(md5(NEW.channel), 1, 3))::bit(12)::int));
  NEW.sequence_id := nextval(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'')::regclass);
  RETURN NEW;
END';
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_lock' AND p.proname = 'durable_outbox_lock' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_lock" BEFORE INSERT ON "app"."durable_outbox" FOR EACH ROW
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_lock"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_lock' AND p.proname = 'durable_outbox_lock' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_note');
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_order');

-- outbox/script.sql.ts outboxSteps, ordering = "none"
CREATE TABLE IF NOT EXISTS "app"."durable_outbox" (
  sequence_id bigserial PRIMARY KEY,
  mutation_id text NOT NULL,
  channel text NOT NULL,
  name text NOT NULL,
  rejected boolean NOT NULL DEFAULT false,
  data jsonb,
  headers jsonb,
  locked_by text,
  lock_expiry timestamp without time zone,
  processed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' WHERE c.relkind IN ('r', 'p');
ALTER TABLE "app"."durable_outbox" 
  ADD COLUMN IF NOT EXISTS rejected boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS data jsonb,
  ADD COLUMN IF NOT EXISTS headers jsonb,
  ADD COLUMN IF NOT EXISTS locked_by text,
  ADD COLUMN IF NOT EXISTS lock_expiry timestamp without time zone,
  ADD COLUMN IF NOT EXISTS processed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS created_at timestamp with time zone NOT NULL DEFAULT now();
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      AND NOT a.attisdropped AND a.attname IN ('rejected', 'data', 'headers', 'locked_by', 'lock_expiry', 'processed', 'created_at')
      HAVING count(*) = 7;
CREATE TABLE IF NOT EXISTS "app"."durable_outbox_nodes" (
  id text PRIMARY KEY,
  expiry timestamp without time zone NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_nodes' WHERE c.relkind IN ('r', 'p');
CREATE INDEX IF NOT EXISTS "durable_outbox_pending" ON "app"."durable_outbox" ((((('x' || substr(md5("channel"), 1, 2))::bit(8)::int) & 63)), channel, sequence_id) WHERE NOT processed;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_pending' WHERE c.relkind IN ('i', 'I');
CREATE INDEX IF NOT EXISTS "durable_outbox_channel" ON "app"."durable_outbox" (channel, sequence_id);
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_channel' WHERE c.relkind IN ('i', 'I');
CREATE OR REPLACE FUNCTION "app"."durable_outbox_notify"() RETURNS trigger LANGUAGE plpgsql AS $durable$
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING 'The outbox could not notify: the queue of notifications is nearly full';
    RETURN NULL;
  END IF;
  PERFORM pg_notify('ably_adbc', '');
  PERFORM pg_notify('public.durable_outbox', '-');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'The outbox could not notify: %', SQLERRM;
  RETURN NULL;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_notify' AND p.pronargs = 0
        AND p.prosecdef = false AND coalesce(cardinality(p.proconfig), 0) = 0
        AND p.prosrc = '
BEGIN
  IF pg_notification_queue_usage() > 0.9 THEN
    RAISE WARNING ''The outbox could not notify: the queue of notifications is nearly full'';
    RETURN NULL;
  END IF;
  PERFORM pg_notify(''ably_adbc'', '''');
  PERFORM pg_notify(''public.durable_outbox'', ''-'');
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING ''The outbox could not notify: %'', SQLERRM;
  RETURN NULL;
END';
CREATE SEQUENCE IF NOT EXISTS "app"."durable_outbox_era" AS bigint;
SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox_era' WHERE c.relkind = 'S';
CREATE OR REPLACE FUNCTION "app"."durable_outbox_era"() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $durable$
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST('"app"."durable_outbox_era"' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence('"app"."durable_outbox"', 'sequence_id') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS oid) AND a.attname = 'sequence_id';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING 'The numbers of the outbox end at %: after a failover some may come again', most;
      END IF;
    END IF;
    PERFORM setval(CAST('"app"."durable_outbox_era"' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = 'DN001';
  EXCEPTION WHEN SQLSTATE 'DN001' THEN
    NULL;
  END;
END$durable$;
SELECT 1 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = 'app' AND p.proname = 'durable_outbox_era' AND p.pronargs = 0
        AND p.prosecdef = true AND coalesce(cardinality(p.proconfig), 0) = 1
        AND p.prosrc = '
DECLARE
  here bigint := 0;
  was bigint;
  numbers regclass;
  goes_on bigint;
  most bigint;
BEGIN
  BEGIN
    here := (''x'' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    -- A server that does not say.
    here := 0;
  END;
  here := (here << 32) | CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS bigint);
  was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
  IF was = here THEN
    RETURN;
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS int), 4096);
    was := pg_sequence_last_value(CAST(''"app"."durable_outbox_era"'' AS regclass));
    IF was <> here THEN
      numbers := CAST(pg_get_serial_sequence(''"app"."durable_outbox"'', ''sequence_id'') AS regclass);
      SELECT CASE a.atttypid WHEN 21 THEN least(s.seqmax, 32767) WHEN 23 THEN least(s.seqmax, 2147483647) ELSE s.seqmax END, greatest(coalesce(pg_sequence_last_value(s.seqrelid), 0) + 4294967296,
          CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
        INTO most, goes_on FROM pg_sequence AS s, pg_attribute AS a
        WHERE s.seqrelid = numbers AND a.attrelid = CAST(CAST(CAST(''"app"."durable_outbox"'' AS regclass) AS oid) AS oid) AND a.attname = ''sequence_id'';
      IF goes_on < most THEN
        PERFORM setval(numbers, goes_on);
      ELSE
        RAISE WARNING ''The numbers of the outbox end at %: after a failover some may come again'', most;
      END IF;
    END IF;
    PERFORM setval(CAST(''"app"."durable_outbox_era"'' AS regclass), here);
    RAISE EXCEPTION USING ERRCODE = ''DN001'';
  EXCEPTION WHEN SQLSTATE ''DN001'' THEN
    NULL;
  END;
END';
DROP TRIGGER IF EXISTS "durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'durable_outbox_trigger');
DROP TRIGGER IF EXISTS "app_durable_outbox_trigger" ON "app"."durable_outbox";
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
CREATE TRIGGER "app_durable_outbox_trigger" AFTER INSERT ON "app"."durable_outbox" FOR EACH STATEMENT
  WHEN (current_setting('durable.outbox_quiet', true) IS DISTINCT FROM CAST(CAST(CAST('"app"."durable_outbox"' AS regclass) AS oid) AS text))
  EXECUTE FUNCTION "app"."durable_outbox_notify"();
SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid
    WHERE t.tgname = 'app_durable_outbox_trigger' AND p.proname = 'durable_outbox_notify' AND p.pronamespace = n.oid
      AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NOT NULL AND t.tginitdeferred = false;
DROP TRIGGER IF EXISTS "app_durable_outbox_note" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_note');
DROP TRIGGER IF EXISTS "app_durable_outbox_order" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_order');
DROP TRIGGER IF EXISTS "app_durable_outbox_lock" ON "app"."durable_outbox";
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    AND n.nspname = 'app' AND c.relname = 'durable_outbox' ON c.oid = t.tgrelid WHERE t.tgname = 'app_durable_outbox_lock');

-- outbox/shards.sql.ts insertShards
INSERT INTO "durable_outbox_shards" (destination, shard, epoch, lease_until)
  SELECT n.name, n.shard, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "shard" bigint)) AS n WHERE 1 = 1 ORDER BY n.name, n.shard ON CONFLICT ("destination", "shard") DO NOTHING;
-- "[{"name":"names-1","shard":0},{"name":"names-2","shard":0}]"

-- outbox/shards.sql.ts seeDestinations
INSERT INTO "durable_outbox_destinations" (name, created_at, seen_at)
  SELECT n.name, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text)) AS n ORDER BY n.name
  ON CONFLICT ("name") DO UPDATE SET seen_at = EXCLUDED."seen_at";
-- "[{"name":"names-1"},{"name":"names-2"}]"

-- outbox/shards.sql.ts selectWants
SELECT name, wants FROM "durable_outbox_destinations" WHERE wants IS NOT NULL ORDER BY name;

-- outbox/shards.sql.ts lockWants
SELECT name, wants, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now FROM "durable_outbox_destinations" 
  WHERE name = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY name FOR UPDATE;
-- 2
-- "{"names-1","names-2"}"
-- 1
-- 1

-- outbox/shards.sql.ts writeWants
UPDATE "durable_outbox_destinations" AS d SET wants = n.wants FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "wants" text)) AS n WHERE d.name = n.name;
-- "[{"name":"name-1","wants":"wants-1"},{"name":"name-2","wants":"wants-2"}]"

-- outbox/shards.sql.ts clearWants
UPDATE "durable_outbox_destinations"  SET wants = NULL WHERE name = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND wants IS NOT NULL;
-- 2
-- "{"names-1","names-2"}"
-- 1
-- 1

-- outbox/shards.sql.ts selectDestinations
SELECT name, seen_at FROM "durable_outbox_destinations" ORDER BY name;

-- outbox/shards.sql.ts forgetDestination
DELETE FROM "durable_outbox_destinations" WHERE name = $1;
DELETE FROM "durable_outbox_shards" WHERE destination = $1;
DELETE FROM "durable_outbox_channels" WHERE destination = $1;
-- "name"
-- "name"
-- "name"

-- outbox/shards.sql.ts renewReturning
UPDATE "durable_outbox_shards" SET lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 WHERE owner = $1 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  RETURNING destination, shard, epoch;
-- "owner"

-- outbox/shards.sql.ts selectHeld
SELECT destination, shard, epoch FROM "durable_outbox_shards" WHERE owner = $1 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
-- "owner"

-- outbox/shards.sql.ts acquireReturning
WITH free AS MATERIALIZED (
  SELECT destination, shard, epoch, owner AS last_owner,
    CASE WHEN shard = ANY (CAST($1 AS bigint[])) THEN 1 ELSE 0 END AS wanted
  FROM "durable_outbox_shards"
  WHERE destination = $2 AND CASE WHEN shard = ANY (CAST($3 AS bigint[])) THEN (owner IS NULL OR (lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 0)) ELSE (lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 4) END
  ORDER BY CASE WHEN shard = ANY (CAST($4 AS bigint[])) THEN 0 ELSE 1 END, shard LIMIT 5 FOR UPDATE SKIP LOCKED),
  chosen AS (
    SELECT shard, last_owner FROM (
      SELECT free.*, row_number() OVER (PARTITION BY wanted ORDER BY shard) AS ordinal FROM free
    ) AS listed WHERE wanted = 1 OR ordinal <= 3
  )
  UPDATE "durable_outbox_shards" AS s SET owner = $5, epoch = s.epoch + 1, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 4
  FROM chosen AS c WHERE s.destination = $6 AND s.shard = c.shard
  RETURNING s.destination, s.shard, s.epoch, c.last_owner;
-- "{1,2}"
-- "destination"
-- "{1,2}"
-- "{1,2}"
-- "owner"
-- "destination"

-- outbox/shards.sql.ts acquireReturning, request.wanted[] = 1
WITH free AS MATERIALIZED (
  SELECT destination, shard, epoch, owner AS last_owner,
    CASE WHEN shard = ANY (CAST($1 AS bigint[])) THEN 1 ELSE 0 END AS wanted
  FROM "durable_outbox_shards"
  WHERE destination = $2 AND CASE WHEN shard = ANY (CAST($3 AS bigint[])) THEN (owner IS NULL OR (lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 0)) ELSE (lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3) END
  ORDER BY CASE WHEN shard = ANY (CAST($4 AS bigint[])) THEN 0 ELSE 1 END, shard LIMIT 3 FOR UPDATE SKIP LOCKED),
  chosen AS (
    SELECT shard, last_owner FROM (
      SELECT free.*, row_number() OVER (PARTITION BY wanted ORDER BY shard) AS ordinal FROM free
    ) AS listed WHERE wanted = 1 OR ordinal <= 2
  )
  UPDATE "durable_outbox_shards" AS s SET owner = $5, epoch = s.epoch + 1, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 3
  FROM chosen AS c WHERE s.destination = $6 AND s.shard = c.shard
  RETURNING s.destination, s.shard, s.epoch, c.last_owner;

-- outbox/shards.sql.ts takeShards
UPDATE "durable_outbox_shards"  SET owner = $1, epoch = epoch + 1, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 4
  WHERE destination = $2 AND shard = ANY (CAST($3 AS bigint[])) AND (owner IS NULL OR lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), $4) > 0;
-- "owner"
-- "destination"
-- "{5,7}"
-- "|5:6|7:8|"

-- outbox/shards.sql.ts takeShards, 3.wanted[] = 1
UPDATE "durable_outbox_shards"  SET owner = $1, epoch = epoch + 1, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 3
  WHERE destination = $2 AND shard = ANY (CAST($3 AS bigint[])) AND (owner IS NULL OR lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), $4) > 0;

-- outbox/shards.sql.ts selectTaken
SELECT destination, shard, epoch FROM "durable_outbox_shards"
  WHERE destination = $1 AND owner = $2 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), $3) > 0;
-- "destination"
-- "owner"
-- "|1:2|3:4|"

-- outbox/shards.sql.ts releaseShards
UPDATE "durable_outbox_shards" AS s SET owner = NULL, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("destination" text, "shard" bigint, "epoch" bigint)) AS g WHERE g.destination = s.destination AND g.shard = s.shard AND g.epoch = s.epoch AND s.owner = $2;
-- "[{"destination":"destination-1","shard":1,"epoch":2},{"destination":"destination-2","shard":3,"epoch":4}]"
-- "owner"

-- outbox/shards.sql.ts signIn
INSERT INTO "durable_outbox_nodes" (id, expiry) VALUES ($1, (to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($2 AS bigint)) / 1000.0) AT TIME ZONE 'utc'))
  ON CONFLICT ("id") DO UPDATE SET expiry = EXCLUDED."expiry";
-- "nodeId"
-- 1

-- outbox/shards.sql.ts strikeOff
DELETE FROM "durable_outbox_nodes" WHERE expiry <= (to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($1 AS bigint)) / 1000.0) AT TIME ZONE 'utc');
-- 0

-- outbox/shards.sql.ts selectLive
SELECT id FROM "durable_outbox_nodes" WHERE expiry > (to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($1 AS bigint)) / 1000.0) AT TIME ZONE 'utc') ORDER BY id;
-- 0

-- outbox/shards.sql.ts signOff
DELETE FROM "durable_outbox_nodes" WHERE id = $1;
-- "nodeId"

-- outbox/shards.sql.ts selectLocked
SELECT locked_by FROM "durable_outbox"
  WHERE NOT processed
    AND locked_by IS NOT NULL AND lock_expiry > (to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($1 AS bigint)) / 1000.0) AT TIME ZONE 'utc') LIMIT 1;
-- 0

-- outbox/shards.sql.ts isPending
NOT alias.processed;

-- outbox/shards.sql.ts shardOfRow
((('x' || substr(md5(alias.channel), 1, 2))::bit(8)::int) & 63);

-- outbox/shards.sql.ts eventColumns
CAST(alias.sequence_id AS text) AS sequence_id, alias.mutation_id, alias.name, alias.rejected, CAST(alias.data AS text) AS data, CAST(alias.headers AS text) AS headers;

-- outbox/shards.sql.ts textArray
CAST($1 AS text[]);
-- "{"texts-1","texts-2"}"

-- outbox/shards.sql.ts shardValue
CAST($1 AS integer);
-- 1

-- outbox/tables.sql.ts shardExpression
((('x' || substr(md5($1), 1, 2))::bit(8)::int) & 63);
-- "channel"

-- outbox/tables.sql.ts qualified
"schema"."name";

-- outbox/tables.sql.ts selectDone
SELECT 0 AS step FROM ("done") AS found UNION ALL SELECT 1 AS step FROM ("done") AS found;

-- outbox/tables.sql.ts selectDone, steps[] = 1
SELECT 0 AS step FROM ("done") AS found;
