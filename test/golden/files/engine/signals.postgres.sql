-- engine/signals/mailbox.sql.ts insertSignals
INSERT INTO "durable_signals" (namespace, channel, name, target, addressed, dedup_id, payload, created_at)
  SELECT namespace, channel, name, target, addressed, dedup_id, payload, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ord" bigint, "namespace" text, "channel" text, "name" text, "target" text, "addressed" text, "dedup_id" text, "payload" text)) AS n ORDER BY n.ord;
-- "[{"namespace":"namespace-1","channel":"channel-1","name":"name-1","target":"target-1","addressed":"key","payload":"payload-1","ord":0,"dedup_id":"dedupId-1"},{"namespace":"namespace-2","channel":"channel-2","name":"name-2","target":"target-2","addressed":"key","payload":"payload-2","ord":1,"dedup_id":"dedupId-2"}]"

-- engine/signals/mailbox.sql.ts sendSignals
WITH sent AS (
  INSERT INTO "durable_signals" (namespace, channel, name, target, addressed, dedup_id, payload, created_at)
  SELECT namespace, channel, name, target, addressed, dedup_id, payload, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ord" bigint, "namespace" text, "channel" text, "name" text, "target" text, "addressed" text, "dedup_id" text, "payload" text)) AS n ORDER BY n.ord ON CONFLICT (channel, dedup_id) DO NOTHING RETURNING channel, dedup_id)
  SELECT sent.channel, sent.dedup_id, ("told") AS told FROM sent;
-- "[{"namespace":"namespace-1","channel":"channel-1","name":"name-1","target":"target-1","addressed":"key","payload":"payload-1","ord":0,"dedup_id":"dedupId-1"},{"namespace":"namespace-2","channel":"channel-2","name":"name-2","target":"target-2","addressed":"key","payload":"payload-2","ord":1,"dedup_id":"dedupId-2"}]"

-- engine/signals/mailbox.sql.ts sendSignals, told = undefined
WITH sent AS (
  INSERT INTO "durable_signals" (namespace, channel, name, target, addressed, dedup_id, payload, created_at)
  SELECT namespace, channel, name, target, addressed, dedup_id, payload, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ord" bigint, "namespace" text, "channel" text, "name" text, "target" text, "addressed" text, "dedup_id" text, "payload" text)) AS n ORDER BY n.ord ON CONFLICT (channel, dedup_id) DO NOTHING RETURNING channel, dedup_id)
  SELECT sent.channel, sent.dedup_id FROM sent;

-- engine/signals/mailbox.sql.ts selectKnown
SELECT s.channel, s.dedup_id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text, "dedup_id" text)) AS n
  JOIN "durable_signals" AS s ON s.channel = n.channel AND s.dedup_id = n.dedup_id;
-- "[{"channel":"channel-1","dedup_id":"dedupId-1"},{"channel":"channel-2","dedup_id":"dedupId-2"}]"

-- engine/signals/mailbox.sql.ts selectAddress
SELECT name, target, addressed FROM "durable_signals" WHERE channel = $1 LIMIT 1;
-- "channel"

-- engine/signals/mailbox.sql.ts selectRunsIn
SELECT id, namespace FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/signals/signal-delivery.sql.ts selectUnfiled
SELECT u.channel, (SELECT COUNT(*) FROM "durable_signal_channels" AS c WHERE c.channel = u.channel) AS known, 1 AS unfiled FROM (
    SELECT DISTINCT s.channel FROM "durable_signals" AS s WHERE s.position IS NULL ORDER BY s.channel LIMIT 1
  ) AS u;

-- engine/signals/signal-delivery.sql.ts selectHolding
SELECT h.channel, MAX(h.known) AS known, MAX(1 - h.known) AS unfiled FROM (
    SELECT s.channel, 0 AS known FROM "durable_signals" AS s
    WHERE s.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.position IS NULL
    UNION ALL SELECT c.channel, 1 AS known FROM "durable_signal_channels" AS c WHERE c.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again) AS k))
  ) AS h GROUP BY h.channel;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signals/signal-delivery.sql.ts insertChannels
INSERT INTO "durable_signal_channels" (channel, last_position)
  SELECT n.channel, 0 FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text)) AS n WHERE true ON CONFLICT ("channel") DO NOTHING;
-- "[{"channel":"channels-1"},{"channel":"channels-2"}]"

-- engine/signals/signal-delivery.sql.ts lockChannels
SELECT channel, last_position FROM "durable_signal_channels" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  ORDER BY channel FOR UPDATE SKIP LOCKED;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signals/signal-delivery.sql.ts lockChannels, skip = false
SELECT channel, last_position FROM "durable_signal_channels" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  ORDER BY channel FOR UPDATE;

-- engine/signals/signal-delivery.sql.ts fileSignals
WITH numbered AS MATERIALIZED (
    SELECT s.id, s.channel, row_number() OVER (PARTITION BY s.channel ORDER BY s.id) AS ordinal
    FROM "durable_signals" AS s WHERE s.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.position IS NULL
  ), filed AS (
    UPDATE "durable_signals" AS s SET position = c.last_position + n.ordinal
    FROM numbered AS n JOIN "durable_signal_channels" AS c ON c.channel = n.channel WHERE s.id = n.id
  )
  UPDATE "durable_signal_channels" AS c SET last_position = c.last_position + n.count
  FROM (SELECT channel, count(*) AS count FROM numbered GROUP BY channel) AS n WHERE c.channel = n.channel;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signals/signal-delivery.sql.ts matchWaits
SELECT w.channel, w.step_id, w.run_id, w.seq, w.since, w.after_position, f.id AS signal_id, f.position, f.created_at, f.addressed
  FROM "durable_signal_waits" AS w JOIN "durable_runs" AS r
    ON r.id = w.run_id AND r.closing IS NULL AND r.status NOT IN ($1, $2, $3, $4) CROSS JOIN LATERAL (SELECT s.id, s.position, s.created_at, s.addressed FROM "durable_signals" AS s
      WHERE s.channel = w.channel AND s.position > w.after_position AND (w.deadline IS NULL OR s.created_at <= w.deadline)
      AND (s.created_at >= w.since OR s.taken_by IS NULL OR s.taken_by = w.run_id)
      AND (s.kept_at IS NULL OR s.taken_by <> w.run_id) ORDER BY s.position LIMIT 1) AS f WHERE w.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again) AS k));
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signals/signal-delivery.sql.ts lockWaits
SELECT step_id, channel, after_position FROM "durable_signal_waits" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  ORDER BY step_id, channel FOR UPDATE;
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/signals/signal-delivery.sql.ts selectWaits
SELECT step_id, channel, after_position FROM "durable_signal_waits" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/signals/signal-delivery.sql.ts closeWaits
UPDATE "durable_signal_waits" SET after_position = $1 WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- a large number
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/signals/signal-delivery.sql.ts reserveSignals
UPDATE "durable_signals" AS s SET taken_by = n.run_id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" bigint, "run_id" text)) AS n WHERE s.id = ANY (CAST($2 AS bigint[])) AND s.id = n.id AND s.kept_at IS NULL;
-- "[{"id":1,"run_id":"run_id-1"},{"id":2,"run_id":"run_id-2"}]"
-- "{1,2}"

-- engine/signals/signal-delivery.sql.ts selectPayloads
SELECT id, payload FROM "durable_signals" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- engine/signals/signal-removal.sql.ts selectOldOfKeys
SELECT s.id FROM "durable_signals" AS s WHERE 
  s.namespace = $1 AND s.addressed = $2 AND s.position IS NOT NULL
  AND s.created_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $3
  ORDER BY s.created_at, s.id LIMIT 2;
-- "namespace"
-- "key"
-- 1

-- engine/signals/signal-removal.sql.ts selectOldOfRuns
SELECT p.id, p.created_at, CASE WHEN p.taken_by IS NOT NULL OR COALESCE((
      SELECT r.status IN ('completed', 'cancelled') AND r.finished_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - $1
      FROM "durable_runs" AS r WHERE r.id = p.target), true) THEN 1 ELSE 0 END AS gone
  FROM (
    SELECT s.id, s.created_at, s.target, s.taken_by FROM "durable_signals" AS s
    WHERE 
  s.namespace = $2 AND s.addressed = $3 AND s.position IS NOT NULL
  AND s.created_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $4 AND s.created_at >= $5 AND (s.created_at > $6 OR s.id > $7)
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
SELECT id FROM "durable_signals" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) LIMIT 1;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signals/signal-removal.sql.ts lockUntaken
SELECT id FROM "durable_signals" WHERE channel = $1 AND position IS NOT NULL AND taken_by IS NULL
  ORDER BY position LIMIT 1 FOR UPDATE;
-- "channel"

-- engine/signals/signal-removal.sql.ts deleteSignals
DELETE FROM "durable_signals" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- engine/signals/signal-wait.sql.ts upsertWaits
INSERT INTO "durable_signal_waits" (channel, step_id, run_id, seq, after_position, since, deadline)
  SELECT channel, step_id, run_id, seq, after_position, since, deadline FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text, "step_id" text, "run_id" text, "seq" bigint, "after_position" bigint, "since" bigint, "deadline" bigint)) AS n WHERE true
  ON CONFLICT ("channel", "step_id") DO UPDATE SET "after_position" = EXCLUDED."after_position", "deadline" = EXCLUDED."deadline";
-- "[{"channel":"channel-1","step_id":"step_id-1","run_id":"run_id-1","seq":1,"after_position":2,"since":3,"deadline":4},{"channel":"channel-2","step_id":"step_id-2","run_id":"run_id-2","seq":5,"after_position":6,"since":7,"deadline":8}]"

-- engine/signals/signal-wait.sql.ts markReceived
UPDATE "durable_signals" AS s SET kept_at = CASE WHEN n.kept = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, taken_by = CASE WHEN n.kept = 1 THEN n.run_id END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text, "position" bigint, "run_id" text, "kept" bigint)) AS n
    WHERE s.id = ANY (ARRAY(SELECT f.id FROM (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("channel" text, "position" bigint, "run_id" text, "kept" bigint)) AS n CROSS JOIN LATERAL (
      SELECT i.id FROM "durable_signals" AS i WHERE i.channel = n.channel AND i.position = n.position LIMIT 1
    ) AS f)) AND s.channel = n.channel AND s.position = n.position
    AND (n.kept = 1 OR (s.taken_by = n.run_id AND s.kept_at IS NULL));
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1","kept":2},{"channel":"channel-2","position":3,"run_id":"run_id-2","kept":4}]"
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1","kept":2},{"channel":"channel-2","position":3,"run_id":"run_id-2","kept":4}]"

-- engine/signals/signal-wait.sql.ts deleteWaits
DELETE FROM "durable_signal_waits" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1
