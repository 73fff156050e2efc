-- engine/erasure/erasure.sql.ts selectHaving
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.number_value = $4 AND a.run_id > $5 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS b WHERE b.run_id = a.run_id AND b.name = $6 AND b.type = $7 AND b.number_value = $8)
  ORDER BY a.run_id LIMIT 2;
-- "namespace"
-- "attributes-1"
-- "date"
-- 4
-- "1"
-- "attributes-2"
-- "date"
-- 3

-- engine/erasure/erasure.sql.ts selectHaving, 2.attributes[] = 1
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.number_value = $4 AND a.run_id > $5 
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure/erasure.sql.ts selectHaving, 2.attributes[][1] = number
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.number_value = $4 AND a.run_id > $5 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS b WHERE b.run_id = a.run_id AND b.name = $6 AND b.type = $7 AND b.number_value = $8)
  ORDER BY a.run_id LIMIT 4;

-- engine/erasure/erasure.sql.ts selectHaving, 2.attributes[][1] = string
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.text_value = $4 AND a.run_id > $5 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS b WHERE b.run_id = a.run_id AND b.name = $6 AND b.type = $7 AND b.text_value = $8)
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure/erasure.sql.ts selectHaving, the least, 2.attributes[][1] = number
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.number_value = $4 AND a.run_id > $5 
  ORDER BY a.run_id LIMIT 3;

-- engine/erasure/erasure.sql.ts selectHaving, the least, 2.attributes[][1] = string
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.text_value = $4 AND a.run_id > $5 
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure/erasure.sql.ts insertMarks
INSERT INTO "durable_erasures" (run_id, seq, namespace, erasure_id, discards, asked_at)
  SELECT n.run_id, n.seq, $1, $2, CAST($3 AS integer), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint)) AS n LEFT JOIN "durable_runs" AS r ON r.id = n.run_id
  WHERE r.id IS NULL OR r.namespace = $5
  ON CONFLICT ("run_id", "seq") DO UPDATE SET erasure_id = EXCLUDED."erasure_id", discards = EXCLUDED."discards";
-- "namespace"
-- "id"
-- 1
-- "[{"run_id":"runIds-1","seq":-2000000000},{"run_id":"runIds-2","seq":-2000000000}]"
-- "namespace"

-- engine/erasure/erasure.sql.ts selectUnmarkedChildren
SELECT r.id AS run_id, -2000000000 AS seq, r.parent_id AS of_run FROM "durable_runs" AS r
  WHERE r.parent_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
    AND NOT EXISTS (SELECT 1 FROM "durable_erasures" AS e WHERE e.run_id = r.id AND e.seq = -2000000000)
  LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts selectUnmarkedParents
SELECT r.parent_id AS run_id, r.parent_seq AS seq, r.id AS of_run FROM "durable_runs" AS r
  WHERE r.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND r.parent_id IS NOT NULL AND r.parent_seq IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM "durable_erasures" AS e
      WHERE e.run_id = r.parent_id AND (e.seq = r.parent_seq OR e.seq = -2000000000));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts insertFollowed
INSERT INTO "durable_erasures" (run_id, seq, namespace, erasure_id, discards, asked_at)
  SELECT n.run_id, n.seq, e.namespace, e.erasure_id, e.discards, e.asked_at
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "of_run" text)) AS n JOIN "durable_erasures" AS e ON e.run_id = n.of_run AND e.seq = -2000000000
  WHERE true ON CONFLICT ("run_id", "seq") DO NOTHING;
-- "[{"run_id":"run_id-1","seq":1,"of_run":"of_run-1"},{"run_id":"run_id-2","seq":2,"of_run":"of_run-2"}]"

-- engine/erasure/erasure.sql.ts selectMarks
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM "durable_erasures" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.run_id
  WHERE e.erasure_id = $1
    AND e.run_id >= $2 AND (e.run_id > $3 OR e.seq > 1)
  ORDER BY e.run_id, e.seq LIMIT 2;
-- "of"
-- "runId"
-- "runId"

-- engine/erasure/erasure.sql.ts selectMarks, after.seq = null
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM "durable_erasures" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.run_id
  WHERE e.erasure_id = $1
    AND e.run_id >= $2 AND (e.run_id > $3 OR e.seq > -2000000000)
  ORDER BY e.run_id, e.seq LIMIT 1;

-- engine/erasure/erasure.sql.ts selectMarks, of = undefined
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM "durable_erasures" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.run_id
  WHERE e.namespace = $1 AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 60000))
    AND e.run_id >= $2 AND (e.run_id > $3 OR e.seq > 1)
  ORDER BY e.run_id, e.seq LIMIT 2;

-- engine/erasure/erasure.sql.ts selectMarks, the least
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM "durable_erasures" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.run_id
  WHERE e.namespace = $1 AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 60000))
    AND e.run_id >= $2 AND (e.run_id > $3 OR e.seq > -2000000000)
  ORDER BY e.run_id, e.seq LIMIT 1;

-- engine/erasure/erasure.sql.ts lockEnded
SELECT id FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND finished_at IS NOT NULL ORDER BY id FOR UPDATE;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts lockErased
SELECT id FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND finished_at IS NOT NULL AND erased_at IS NOT NULL ORDER BY id FOR UPDATE;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts blankRuns
UPDATE "durable_runs" SET reason_detail = NULL, input = NULL, output = NULL, error = NULL, limits = NULL, custom_status = NULL, resume = NULL, context = NULL,
    erased_at = COALESCE(erased_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
    AND (erased_at IS NULL OR reason_detail IS NOT NULL OR input IS NOT NULL OR output IS NOT NULL OR error IS NOT NULL OR limits IS NOT NULL OR custom_status IS NOT NULL OR resume IS NOT NULL OR context IS NOT NULL);
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts noteErased
UPDATE "durable_runs" SET erased_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND erased_at IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts deleteAttributesOf
DELETE FROM "durable_run_attributes" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts deleteEntriesOf
DELETE FROM "durable_limiter_entries" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts selectSteps
SELECT s.run_id, s.seq, CASE WHEN s.kind = 'signal' THEN s.ref END AS taken FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL) AND NOT (s.kind = 'marker' AND COALESCE(s.ref, '') = 'publish')
  ORDER BY s.run_id, s.seq LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts blankSteps
UPDATE "durable_steps" AS s SET input = NULL, output = NULL, error = NULL FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint)) AS g WHERE s.run_id = g.run_id AND s.seq = g.seq AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL);
-- "[{"run_id":"run_id-1","seq":1},{"run_id":"run_id-2","seq":3}]"

-- engine/erasure/erasure.sql.ts blankAttemptsAt
UPDATE "durable_step_attempts" AS a SET error = NULL FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint)) AS g WHERE a.run_id = g.run_id AND a.seq = g.seq AND a.error IS NOT NULL;
-- "[{"run_id":"run_id-1","seq":1},{"run_id":"run_id-2","seq":3}]"

-- engine/erasure/erasure.sql.ts selectAttempts
SELECT DISTINCT a.run_id, a.seq FROM "durable_step_attempts" AS a
  WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND a.error IS NOT NULL LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts selectLines
SELECT id FROM "durable_step_logs" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts deleteLines
DELETE FROM "durable_step_logs" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- engine/erasure/erasure.sql.ts selectSent
SELECT id FROM "durable_signals" WHERE target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND addressed = 'run' LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts selectTaken
SELECT g.id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text, "position" bigint, "run_id" text)) AS n
  JOIN "durable_signals" AS g ON g.channel = n.channel AND g.position = n.position AND g.taken_by = n.run_id;
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1"},{"channel":"channel-2","position":2,"run_id":"run_id-2"}]"

-- engine/erasure/erasure.sql.ts selectPublished
SELECT s.run_id, s.seq, s.output FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.kind = 'marker' AND s.ref = $5 AND s.output IS NOT NULL
    AND (s.run_id > $6 OR (s.run_id = $7 AND s.seq > 1))
  ORDER BY s.run_id, s.seq LIMIT 2;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- "publish"
-- "runId"
-- "runId"

-- engine/erasure/erasure.sql.ts selectPublished, after.seq = null
SELECT s.run_id, s.seq, s.output FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.kind = 'marker' AND s.ref = $5 AND s.output IS NOT NULL
    AND (s.run_id > $6 OR (s.run_id = $7 AND s.seq > -2000000000))
  ORDER BY s.run_id, s.seq LIMIT 1;

-- engine/erasure/erasure.sql.ts selectUnerased
SELECT id FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (finished_at IS NULL OR erased_at IS NULL);
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure/erasure.sql.ts deleteMarks
DELETE FROM "durable_erasures" AS e USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "erasure_id" text)) AS g WHERE e.run_id = g.run_id AND e.seq = g.seq AND e.erasure_id = g.erasure_id;
-- "[{"run_id":"runId-1","seq":1,"erasure_id":"erasureId-1"},{"run_id":"runId-2","seq":2,"erasure_id":"erasureId-2"}]"
