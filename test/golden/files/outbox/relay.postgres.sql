-- outbox/relay/ack.postgres.sql.ts endDelivered
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

-- outbox/relay/ack.postgres.sql.ts endDelivered, items[].clears = false
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

-- outbox/relay/ack.postgres.sql.ts endDelivered, scope.retains = false
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

-- outbox/relay/ack.postgres.sql.ts endDelivered, the least
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

-- outbox/relay/ack.postgres.sql.ts movePositions
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
      attempts = 0, crashes = 0, available_at = NULL, last_error = NULL, failed_at = NULL
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

-- outbox/relay/ack.postgres.sql.ts endPassed
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

-- outbox/relay/ack.postgres.sql.ts endPassed, scope.retains = false
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

-- outbox/relay/ack.postgres.sql.ts failHeads
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ), failed AS (
    INSERT INTO "durable_outbox_channels" AS c (destination, channel, attempts, available_at, state, last_error, failed_at)
    SELECT $7, g.channel, g.counts, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + g.delay, g.state, g.error, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
    FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($8 AS integer)]) ELSE a END FROM (SELECT CAST($9 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($12 AS integer)]) ELSE a END FROM (SELECT CAST($13 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($14 AS integer)]) ELSE a END FROM (SELECT CAST($15 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($16 AS integer)]) ELSE a END FROM (SELECT CAST($17 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($18 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($19 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("channel", "shard", "counts", "delay", "error", "state")) AS g WHERE g.shard IN (SELECT shard FROM held) ORDER BY g.channel
    ON CONFLICT (destination, channel) DO UPDATE SET attempts = c.attempts + EXCLUDED.attempts, crashes = 0,
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

-- outbox/relay/ack.postgres.sql.ts countCrashes
WITH 
  held AS MATERIALIZED (
    SELECT s.shard FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS bigint[]) AS a) AS given)) AS listed("shard", "epoch")) AS g
    JOIN "durable_outbox_shards" AS s ON s.destination = $5 AND s.shard = g.shard
      AND s.owner = $6 AND s.epoch = g.epoch AND s.lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  )
  INSERT INTO "durable_outbox_channels" AS c (destination, channel, crashes)
  SELECT $7, g.channel, 1 FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($8 AS integer)]) ELSE a END FROM (SELECT CAST($9 AS text[]) AS a) AS given), (SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS bigint[]) AS a) AS given)) AS listed("channel", "shard")) AS g
  WHERE g.shard IN (SELECT shard FROM held) ORDER BY g.channel
  ON CONFLICT (destination, channel) DO UPDATE SET crashes = c.crashes + 1
  RETURNING c.channel, c.crashes;
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

-- outbox/relay/dead-letter.sql.ts insertDead
INSERT INTO "durable_outbox_dead" (destination, sequence_id, mutation_id, channel, name, rejected, data, headers, attempts, reason, last_error, failed_at)
  SELECT $1, sequence_id, mutation_id, channel, name, rejected, data, headers, attempts, reason, last_error, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("sequence_id" bigint, "mutation_id" text, "channel" text, "name" text, "rejected" bigint, "data" text, "headers" text, "attempts" bigint, "reason" text, "last_error" text)) AS d ON CONFLICT ("destination", "sequence_id") DO UPDATE SET attempts = EXCLUDED."attempts", reason = EXCLUDED."reason", last_error = EXCLUDED."last_error", failed_at = EXCLUDED."failed_at";
-- "destination"
-- "[{"sequence_id":"1","mutation_id":"mutationId-1","channel":"channel-1","name":"name-1","rejected":1,"data":"\\"data-1\\"","headers":"{\\"named\\":\\"named-1\\"}","attempts":2,"reason":"behind","last_error":"error-1"},{"sequence_id":"3","mutation_id":"mutationId-2","channel":"channel-2","name":"name-2","rejected":1,"data":"\\"data-2\\"","headers":"{\\"named\\":\\"named-2\\"}","attempts":4,"reason":"behind","last_error":"error-2"}]"

-- outbox/relay/dead-letter.sql.ts selectLeases
SELECT shard, epoch
  FROM "durable_outbox_shards" WHERE destination = $1 AND owner = $2 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ORDER BY shard;
-- "destination"
-- "owner"

-- outbox/relay/dead-letter.sql.ts lockLeases
SELECT shard, epoch,
      set_config('idle_in_transaction_session_timeout', CAST(GREATEST(lease_until - CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), 100) AS text), true)
      
  FROM "durable_outbox_shards" WHERE destination = $1 AND owner = $2 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ORDER BY shard FOR SHARE;
-- "destination"
-- "owner"

-- outbox/relay/dead-letter.sql.ts setState
INSERT INTO "durable_outbox_channels" (destination, channel, state, failed_at)
  SELECT $1, g.channel, $2, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($3 AS json)) AS listed("channel" text)) AS g
  WHERE 1 = 1 ORDER BY g.channel
  ON CONFLICT ("destination", "channel") DO UPDATE SET state = EXCLUDED."state", failed_at = EXCLUDED."failed_at", attempts = 0, crashes = 0, available_at = NULL;
-- "destination"
-- "parked"
-- "[{"channel":"channels-1"},{"channel":"channels-2"}]"

-- outbox/relay/dead-letter.sql.ts forgetFailures
UPDATE "durable_outbox_channels" SET attempts = 0, crashes = 0, available_at = NULL
  WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "destination"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/relay/dead-letter.sql.ts lockChannel
SELECT c.state, c.attempts, c.last_error, c.position FROM "durable_outbox_channels" AS c CROSS JOIN generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again
  WHERE c.destination = $3 AND c.channel = $4 FOR UPDATE;
-- 1
-- 1
-- "destination"
-- "channel"

-- outbox/relay/dead-letter.sql.ts retryBlocked
UPDATE "durable_outbox_channels" SET state = NULL, attempts = 0, crashes = 0, available_at = NULL
  WHERE destination = $1 AND state = 'blocked' AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "destination"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/relay/dead-letter.sql.ts selectBlocked
SELECT channel FROM "durable_outbox_channels"
  WHERE destination = $1 AND state = 'blocked' AND channel > $2 ORDER BY channel LIMIT 2;
-- "destination"
-- "1"

-- outbox/relay/dead-letter.sql.ts selectFirst
SELECT o.channel, CAST(o.sequence_id AS text) AS sequence_id, o.mutation_id, o.name, o.rejected, CAST(o.data AS text) AS data, CAST(o.headers AS text) AS headers FROM "durable_outbox" AS o
  WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($1 AS integer) AND o.channel = $2
    AND o.sequence_id > $3
  ORDER BY ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63), o.channel, o.sequence_id LIMIT 1;
-- 1
-- "channel"
-- "2"

-- outbox/relay/dead-letter.sql.ts selectDead
SELECT CAST(d.sequence_id AS text) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.sequence_id > $2
    AND d.channel = $3
  ORDER BY d.sequence_id LIMIT 1;
-- "destination"
-- "2"
-- "channel"

-- outbox/relay/dead-letter.sql.ts selectDead, 2.channel = undefined
SELECT CAST(d.sequence_id AS text) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.sequence_id > $2
    
  ORDER BY d.sequence_id LIMIT 1;

-- outbox/relay/dead-letter.sql.ts selectRequeuedChannels
SELECT channel, attempts, crashes FROM "durable_outbox_channels"
  WHERE destination = $1 AND state = 'requeued' AND (available_at IS NULL OR available_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  ORDER BY channel LIMIT 1000;
-- "destination"

-- outbox/relay/dead-letter.sql.ts selectRequeued
SELECT CAST(d.sequence_id AS text) AS sequence_id, d.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.channel = $2 AND d.reason = 'requeued'
  ORDER BY d.sequence_id LIMIT 50;
-- "destination"
-- "channel"

-- outbox/relay/dead-letter.sql.ts selectDeadNumbers
SELECT CAST(d.sequence_id AS text) AS sequence_id FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.channel = $2 AND d.sequence_id > $3
    AND d.sequence_id = ANY (CAST($4 AS bigint[]))
  ORDER BY d.sequence_id LIMIT 2;
-- "destination"
-- "channel"
-- "1"
-- "{3,4}"

-- outbox/relay/dead-letter.sql.ts selectDeadNumbers, ids = undefined
SELECT CAST(d.sequence_id AS text) AS sequence_id FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.channel = $2 AND d.sequence_id > $3
    
  ORDER BY d.sequence_id LIMIT 2;

-- outbox/relay/dead-letter.sql.ts requeueDead
UPDATE "durable_outbox_dead" SET reason = 'requeued'
  WHERE destination = $1 AND sequence_id = ANY (CAST($2 AS bigint[]));
-- "destination"
-- "{1,2}"

-- outbox/relay/dead-letter.sql.ts deleteDead
DELETE FROM "durable_outbox_dead" WHERE destination = $1 AND sequence_id = ANY (CAST($2 AS bigint[]));
-- "destination"
-- "{1,2}"

-- outbox/relay/dead-letter.sql.ts selectReasons
SELECT channel, MAX(CASE WHEN reason = 'requeued' THEN 1 ELSE 0 END) AS requeued,
    MAX(CASE WHEN reason = 'behind' THEN 1 ELSE 0 END) AS behind
  FROM "durable_outbox_dead"
  WHERE destination = $1 AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) GROUP BY channel;
-- "destination"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- outbox/relay/dead-letter.sql.ts selectStanding
SELECT channel, state, attempts, last_error, failed_at FROM "durable_outbox_channels"
  WHERE destination = $1 AND state IS NOT NULL ORDER BY state, channel LIMIT 1;
-- "destination"

-- outbox/relay/dead-letter.sql.ts countPending
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

-- outbox/relay/dead-letter.sql.ts countPending, channels[] = 1
(SELECT $1 AS channel, COUNT(*) AS pending FROM (
    SELECT 1 FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($2 AS integer) AND o.channel = $3 AND o.sequence_id > $4
    LIMIT 3) AS waiting);

-- outbox/relay/fetch.postgres.sql.ts fetchEvents
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
  SELECT ch.shard, ch.n, ch.channel, s.attempts, s.crashes, s.state, m.*
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

-- outbox/relay/fetch.postgres.sql.ts fetchEvents, request.shards[] = 1
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
  SELECT ch.shard, ch.n, ch.channel, s.attempts, s.crashes, s.state, m.*
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

-- outbox/relay/fetch.postgres.sql.ts selectHeads
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

-- outbox/relay/fetch.postgres.sql.ts selectHeads, shards[] = 1
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

-- outbox/relay/fetch.postgres.sql.ts selectLagging
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

-- outbox/relay/fetch.postgres.sql.ts selectLagging, shards[] = 1
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

-- outbox/relay/relay-insight.sql.ts countShards
SELECT s.destination, s.owner, count(*) AS shards,
    count(CASE WHEN s.owner IS NOT NULL AND s.lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) THEN 1 END) AS lapsed
  FROM "durable_outbox_shards" AS s GROUP BY s.destination, s.owner;

-- outbox/relay/relay-insight.sql.ts countTroubles
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

-- outbox/relay/relay-insight.sql.ts countTroubles, destinations[] = 1
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

-- outbox/relay/relay-insight.sql.ts selectAges
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

-- outbox/relay/relay-insight.sql.ts selectAges, channels[] = 1
(SELECT CAST(extract(epoch FROM clock_timestamp() - o.created_at) * 1000 AS bigint) AS age FROM "durable_outbox" AS o
    WHERE NOT o.processed AND ((('x' || substr(md5(o.channel), 1, 2))::bit(8)::int) & 63) = CAST($1 AS integer) AND o.channel = $2 AND o.sequence_id > $3
    ORDER BY o.sequence_id LIMIT 1);

-- outbox/relay/relay-scope.sql.ts isPending
NOT alias.processed;

-- outbox/relay/relay-scope.sql.ts shardOfRow
((('x' || substr(md5(alias.channel), 1, 2))::bit(8)::int) & 63);

-- outbox/relay/relay-scope.sql.ts eventColumns
CAST(alias.sequence_id AS text) AS sequence_id, alias.mutation_id, alias.name, alias.rejected, CAST(alias.data AS text) AS data, CAST(alias.headers AS text) AS headers;

-- outbox/relay/relay-scope.sql.ts textArray
CAST($1 AS text[]);
-- "{"texts-1","texts-2"}"

-- outbox/relay/relay-scope.sql.ts shardValue
CAST($1 AS integer);
-- 1

-- outbox/relay/shard-lease.sql.ts insertShards
INSERT INTO "durable_outbox_shards" (destination, shard, epoch, lease_until)
  SELECT n.name, n.shard, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "shard" bigint)) AS n WHERE 1 = 1 ORDER BY n.name, n.shard ON CONFLICT ("destination", "shard") DO NOTHING;
-- "[{"name":"names-1","shard":0},{"name":"names-2","shard":0}]"

-- outbox/relay/shard-lease.sql.ts seeDestinations
INSERT INTO "durable_outbox_destinations" (name, created_at, seen_at)
  SELECT n.name, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text)) AS n ORDER BY n.name
  ON CONFLICT ("name") DO UPDATE SET seen_at = EXCLUDED."seen_at";
-- "[{"name":"names-1"},{"name":"names-2"}]"

-- outbox/relay/shard-lease.sql.ts selectWants
SELECT name, wants FROM "durable_outbox_destinations" WHERE wants IS NOT NULL ORDER BY name;

-- outbox/relay/shard-lease.sql.ts lockWants
SELECT name, wants, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now FROM "durable_outbox_destinations"
  WHERE name = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY name FOR UPDATE;
-- 2
-- "{"names-1","names-2"}"
-- 1
-- 1

-- outbox/relay/shard-lease.sql.ts writeWants
UPDATE "durable_outbox_destinations" AS d SET wants = n.wants FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "wants" text)) AS n WHERE d.name = n.name;
-- "[{"name":"name-1","wants":"wants-1"},{"name":"name-2","wants":"wants-2"}]"

-- outbox/relay/shard-lease.sql.ts clearWants
UPDATE "durable_outbox_destinations" SET wants = NULL WHERE name = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND wants IS NOT NULL;
-- 2
-- "{"names-1","names-2"}"
-- 1
-- 1

-- outbox/relay/shard-lease.sql.ts selectDestinations
SELECT name, seen_at FROM "durable_outbox_destinations" ORDER BY name;

-- outbox/relay/shard-lease.sql.ts forgetDestination
DELETE FROM "durable_outbox_destinations" WHERE name = $1;
DELETE FROM "durable_outbox_shards" WHERE destination = $1;
DELETE FROM "durable_outbox_channels" WHERE destination = $1;
-- "name"
-- "name"
-- "name"

-- outbox/relay/shard-lease.sql.ts renewReturning
UPDATE "durable_outbox_shards" SET lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 WHERE owner = $1 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  RETURNING destination, shard, epoch;
-- "owner"

-- outbox/relay/shard-lease.sql.ts selectHeld
SELECT destination, shard, epoch FROM "durable_outbox_shards" WHERE owner = $1 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
-- "owner"

-- outbox/relay/shard-lease.sql.ts acquireReturning
WITH free AS MATERIALIZED (
  SELECT destination, shard, epoch, CASE WHEN owner IS NULL THEN 0 ELSE 1 END AS abandoned,
    CASE WHEN shard = ANY (CAST($1 AS bigint[])) THEN 1 ELSE 0 END AS wanted
  FROM "durable_outbox_shards"
  WHERE destination = $2 AND CASE WHEN shard = ANY (CAST($3 AS bigint[])) THEN (owner IS NULL OR (lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 0)) ELSE (lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 4) END
  ORDER BY CASE WHEN shard = ANY (CAST($4 AS bigint[])) THEN 0 ELSE 1 END, shard LIMIT 5 FOR UPDATE SKIP LOCKED),
  chosen AS (
    SELECT shard, abandoned FROM (
      SELECT free.*, row_number() OVER (PARTITION BY wanted ORDER BY shard) AS ordinal FROM free
    ) AS listed WHERE wanted = 1 OR ordinal <= 3
  )
  UPDATE "durable_outbox_shards" AS s SET owner = $5, epoch = s.epoch + 1, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 4
  FROM chosen AS c WHERE s.destination = $6 AND s.shard = c.shard
  RETURNING s.destination, s.shard, s.epoch, c.abandoned;
-- "{1,2}"
-- "destination"
-- "{1,2}"
-- "{1,2}"
-- "owner"
-- "destination"

-- outbox/relay/shard-lease.sql.ts acquireReturning, request.wanted[] = 1
WITH free AS MATERIALIZED (
  SELECT destination, shard, epoch, CASE WHEN owner IS NULL THEN 0 ELSE 1 END AS abandoned,
    CASE WHEN shard = ANY (CAST($1 AS bigint[])) THEN 1 ELSE 0 END AS wanted
  FROM "durable_outbox_shards"
  WHERE destination = $2 AND CASE WHEN shard = ANY (CAST($3 AS bigint[])) THEN (owner IS NULL OR (lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 0)) ELSE (lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3) END
  ORDER BY CASE WHEN shard = ANY (CAST($4 AS bigint[])) THEN 0 ELSE 1 END, shard LIMIT 3 FOR UPDATE SKIP LOCKED),
  chosen AS (
    SELECT shard, abandoned FROM (
      SELECT free.*, row_number() OVER (PARTITION BY wanted ORDER BY shard) AS ordinal FROM free
    ) AS listed WHERE wanted = 1 OR ordinal <= 2
  )
  UPDATE "durable_outbox_shards" AS s SET owner = $5, epoch = s.epoch + 1, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 3
  FROM chosen AS c WHERE s.destination = $6 AND s.shard = c.shard
  RETURNING s.destination, s.shard, s.epoch, c.abandoned;

-- outbox/relay/shard-lease.sql.ts takeShards
UPDATE "durable_outbox_shards" SET owner = $1, epoch = epoch + 1, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 4
  WHERE destination = $2 AND shard = ANY (CAST($3 AS bigint[])) AND (owner IS NULL OR lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), $4) > 0;
-- "owner"
-- "destination"
-- "{5,7}"
-- "|5:6|7:8|"

-- outbox/relay/shard-lease.sql.ts takeShards, 3.wanted[] = 1
UPDATE "durable_outbox_shards" SET owner = $1, epoch = epoch + 1, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 3
  WHERE destination = $2 AND shard = ANY (CAST($3 AS bigint[])) AND (owner IS NULL OR lease_until IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), $4) > 0;

-- outbox/relay/shard-lease.sql.ts selectTaken
SELECT destination, shard, epoch FROM "durable_outbox_shards"
  WHERE destination = $1 AND owner = $2 AND lease_until > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AND LOCATE(CONCAT('|', shard, ':', epoch, '|'), $3) > 0;
-- "destination"
-- "owner"
-- "|1:2|3:4|"

-- outbox/relay/shard-lease.sql.ts releaseShards
UPDATE "durable_outbox_shards" AS s SET owner = NULL, lease_until = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  WHERE s.owner = $1 AND EXISTS (
    SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("destination" text, "shard" bigint, "epoch" bigint)) AS g
    WHERE g.destination = s.destination AND g.shard = s.shard AND g.epoch = s.epoch);
-- "owner"
-- "[{"destination":"destination-1","shard":1,"epoch":2},{"destination":"destination-2","shard":3,"epoch":4}]"

-- outbox/relay/sql-dead-letter-removal.ts lockOldDead
SELECT d.destination, CAST(d.sequence_id AS text) AS sequence_id FROM "durable_outbox_dead" AS d
  
  WHERE d.failed_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $1 AND d.reason <> 'requeued'
  ORDER BY d.failed_at LIMIT 2 FOR UPDATE SKIP LOCKED;
-- 1

-- outbox/relay/sql-dead-letter-story.ts selectDeadMoments
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

-- outbox/relay/sql-dead-letter-story.ts selectDeadMoments, 3.events[] = 1
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run" bigint, "mutation_id" text)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM "durable_outbox_dead" AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("destination" text, "n" bigint)) AS w ON w.destination = d.destination
    WHERE d.destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again) AS k)) AND d.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again) AS k))) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($11 AS bigint), CAST($12 AS bigint), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 6;

-- outbox/relay/sql-dead-letter-story.ts selectDeadMoments, next.past = undefined
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run" bigint, "mutation_id" text)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM "durable_outbox_dead" AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("destination" text, "n" bigint)) AS w ON w.destination = d.destination
    WHERE d.destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again) AS k)) AND d.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again) AS k))) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 3;

-- outbox/relay/sql-dead-letter-story.ts selectDeadMoments, the least
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run" bigint, "mutation_id" text)) AS listed)
  SELECT m.* FROM (
    SELECT d.failed_at AS moment, f.run, 1000000000 + w.n AS stage, 11 AS what, d.sequence_id AS item,
      d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error
    FROM "durable_outbox_dead" AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("destination" text, "n" bigint)) AS w ON w.destination = d.destination
    WHERE d.destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($3 AS integer)]) ELSE a END FROM (SELECT CAST($4 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again) AS k)) AND d.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($7 AS integer)]) ELSE a END FROM (SELECT CAST($8 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again) AS k))) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 2;

-- outbox/relay/sql-relay-nodes.ts signIn
INSERT INTO "durable_outbox_nodes" (id, expiry) VALUES ($1, (to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($2 AS bigint)) / 1000.0) AT TIME ZONE 'utc'))
  ON CONFLICT ("id") DO UPDATE SET expiry = EXCLUDED."expiry";
-- "nodeId"
-- 1

-- outbox/relay/sql-relay-nodes.ts strikeOff
DELETE FROM "durable_outbox_nodes" WHERE expiry <= (to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($1 AS bigint)) / 1000.0) AT TIME ZONE 'utc');
-- 0

-- outbox/relay/sql-relay-nodes.ts selectLive
SELECT id FROM "durable_outbox_nodes" WHERE expiry > (to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($1 AS bigint)) / 1000.0) AT TIME ZONE 'utc') ORDER BY id;
-- 0

-- outbox/relay/sql-relay-nodes.ts signOff
DELETE FROM "durable_outbox_nodes" WHERE id = $1;
-- "nodeId"

-- outbox/relay/sql-relay-nodes.ts selectLocked
SELECT locked_by FROM "durable_outbox"
  WHERE NOT processed
    AND locked_by IS NOT NULL AND lock_expiry > (to_timestamp((CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($1 AS bigint)) / 1000.0) AT TIME ZONE 'utc') LIMIT 1;
-- 0
