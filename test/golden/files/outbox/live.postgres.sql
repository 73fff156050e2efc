-- outbox/live/channel-reader.sql.ts selectPages
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

-- outbox/live/channel-reader.sql.ts selectPages, positions[] = 1
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

-- outbox/live/channel-reader.sql.ts selectTops
SELECT g.n, (SELECT CAST(o.sequence_id AS text) FROM "outbox" AS o WHERE o.channel = g.channel
    ORDER BY o.sequence_id DESC LIMIT 1) AS top, CAST(p.position AS text) AS pruned
  FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("n", "channel")) AS g CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again LEFT JOIN "pruned" AS p ON p.channel = g.channel;
-- 2
-- "{0,1}"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/live/channel-reader.sql.ts selectPosition
SELECT (SELECT CAST(max(o.sequence_id) AS text) FROM "outbox" AS o WHERE o.channel = $1) AS top,
    (SELECT CAST(p.position AS text) FROM "pruned" AS p WHERE p.channel = $2) AS pruned;
-- "channel"
-- "channel"

-- outbox/live/run-channels.sql.ts selectOwner
SELECT consumer AS owner FROM "table" WHERE consumer > $1 AND channel LIKE 'durable:run:%' ORDER BY consumer LIMIT 1;
-- "1"

-- outbox/live/run-channels.sql.ts selectOwner, 2.owner = "destination"
SELECT destination AS owner FROM "table" WHERE destination > $1 AND channel LIKE 'durable:run:%' ORDER BY destination LIMIT 1;

-- outbox/live/run-channels.sql.ts selectRunChannels
SELECT channel FROM "table"
  WHERE consumer = $1 AND channel LIKE 'durable:run:%' AND channel > $2
  ORDER BY consumer, channel LIMIT 1;
-- "owner"
-- "channel"

-- outbox/live/run-channels.sql.ts selectRunChannels, 2.owner = "destination"
SELECT channel FROM "table"
  WHERE destination = $1 AND channel LIKE 'durable:run:%' AND channel > $2
  ORDER BY destination, channel LIMIT 1;

-- outbox/live/run-channels.sql.ts lockPositions
SELECT channel FROM "table" WHERE consumer = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  AND only FOR UPDATE SKIP LOCKED;
-- "of"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/live/run-channels.sql.ts lockPositions, 2.only = undefined
SELECT channel FROM "table" WHERE consumer = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts lockPositions, 2.owner = "destination"
SELECT channel FROM "table" WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  AND only FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts lockPositions, the least
SELECT channel FROM "table" WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts selectUnprocessed
SELECT DISTINCT o.channel FROM "outbox" AS o
  WHERE o.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND NOT o.processed;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/live/run-channels.sql.ts deletePositions
DELETE FROM "table" WHERE consumer = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "of"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/live/run-channels.sql.ts deletePositions, 2.owner = "destination"
DELETE FROM "table" WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));

-- outbox/live/run-channels.sql.ts lockPruned
SELECT channel FROM "pruned" WHERE channel LIKE 'durable:run:%' ORDER BY channel LIMIT 1 FOR UPDATE SKIP LOCKED;

-- outbox/live/run-channels.sql.ts deletePruned
DELETE FROM "pruned" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/live/sql-event-pruning.ts pruneOnce
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

-- outbox/live/sql-event-pruning.ts notePruned
INSERT INTO "pruned" (channel, position)
  VALUES ($1, $2), ($3, $4)
  ON CONFLICT ("channel") DO UPDATE SET position = GREATEST(position, EXCLUDED."position");
-- "channel-1"
-- 1
-- "channel-2"
-- 2

-- outbox/live/sql-event-pruning.ts notePruned, positions[] = 1
INSERT INTO "pruned" (channel, position)
  VALUES ($1, $2)
  ON CONFLICT ("channel") DO UPDATE SET position = GREATEST(position, EXCLUDED."position");

-- outbox/live/sql-event-pruning.ts deleteEvents
DELETE FROM "outbox" WHERE processed = 1 AND sequence_id IN ($1, $2);
-- 1
-- 2

-- outbox/live/sql-event-pruning.ts deleteEvents, numbers[] = 1
DELETE FROM "outbox" WHERE processed = 1 AND sequence_id IN ($1);
