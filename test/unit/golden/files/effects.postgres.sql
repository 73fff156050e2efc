-- effects/claims.sql.ts claimEffects
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), handlers AS MATERIALIZED (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "lease" bigint, "most" bigint, "quota" bigint)) AS g),
  due AS MATERIALIZED (
    SELECT o.tid, o.entry_id, o.attempts >= h.most AS exhausted FROM handlers AS h CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (SELECT q.* FROM (
      SELECT e.ctid AS tid, e.entry_id, e.enqueued_at, e.attempts FROM "durable_effects" AS e
      WHERE e.ready = 1 AND e.handler = h.name
        AND CASE WHEN e.claim_token IS NULL OR e.lease_until <= (SELECT at FROM clock) THEN 1 END IS NOT NULL
      ORDER BY e.enqueued_at, e.entry_id LIMIT h.quota FOR UPDATE SKIP LOCKED
    ) AS q LIMIT 5) AS o
    ORDER BY o.enqueued_at, o.entry_id LIMIT 5
  )
  UPDATE "durable_effects" AS e
  SET status = 'in_flight', claim_token = $4, claimed_by = $5, last_attempt_at = (SELECT at FROM clock),
    lease_until = (SELECT at FROM clock) + (SELECT h.lease FROM handlers AS h WHERE h.name = e.handler),
    attempts = e.attempts + CASE WHEN e.entry_id = ANY (ARRAY(SELECT entry_id FROM due WHERE exhausted)) THEN 0 ELSE 1 END
  WHERE e.ctid = ANY (ARRAY(SELECT tid FROM due))
  RETURNING entry_id, operation, subject, handler, ref, payload, run_id, trace, attempts, last_error, enqueued_at, e.entry_id = ANY (ARRAY(SELECT entry_id FROM due WHERE exhausted)) AS exhausted;
-- "[{"name":"name-1","lease":1,"most":2,"quota":5},{"name":"name-2","lease":3,"most":4,"quota":5}]"
-- 1
-- 1
-- "token"
-- "nodeId"

-- effects/claims.sql.ts claimEffects, request.handlers[] = 1
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), handlers AS MATERIALIZED (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "lease" bigint, "most" bigint, "quota" bigint)) AS g),
  due AS MATERIALIZED (
    SELECT o.tid, o.entry_id, o.attempts >= h.most AS exhausted FROM handlers AS h CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (SELECT q.* FROM (
      SELECT e.ctid AS tid, e.entry_id, e.enqueued_at, e.attempts FROM "durable_effects" AS e
      WHERE e.ready = 1 AND e.handler = h.name
        AND CASE WHEN e.claim_token IS NULL OR e.lease_until <= (SELECT at FROM clock) THEN 1 END IS NOT NULL
      ORDER BY e.enqueued_at, e.entry_id LIMIT h.quota FOR UPDATE SKIP LOCKED
    ) AS q LIMIT 3) AS o
    ORDER BY o.enqueued_at, o.entry_id LIMIT 3
  )
  UPDATE "durable_effects" AS e
  SET status = 'in_flight', claim_token = $4, claimed_by = $5, last_attempt_at = (SELECT at FROM clock),
    lease_until = (SELECT at FROM clock) + (SELECT h.lease FROM handlers AS h WHERE h.name = e.handler),
    attempts = e.attempts + CASE WHEN e.entry_id = ANY (ARRAY(SELECT entry_id FROM due WHERE exhausted)) THEN 0 ELSE 1 END
  WHERE e.ctid = ANY (ARRAY(SELECT tid FROM due))
  RETURNING entry_id, operation, subject, handler, ref, payload, run_id, trace, attempts, last_error, enqueued_at, e.entry_id = ANY (ARRAY(SELECT entry_id FROM due WHERE exhausted)) AS exhausted;

-- effects/claims.sql.ts promote
WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("quota" bigint)) AS q CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again CROSS JOIN LATERAL (SELECT d.* FROM (
      SELECT e.ctid AS tid, e.next_attempt_at FROM "durable_effects" AS e
      WHERE e.ready = 0 AND e.next_attempt_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
      ORDER BY e.next_attempt_at, e.entry_id LIMIT q.quota FOR UPDATE SKIP LOCKED
    ) AS d LIMIT 1000) AS o
    ORDER BY o.next_attempt_at
  )
  UPDATE "durable_effects" SET ready = 1 WHERE ctid = ANY (ARRAY(SELECT tid FROM due));
-- "[{"quota":1000}]"
-- 1
-- 1

-- effects/claims.sql.ts extendClaims
WITH clock AS MATERIALIZED (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at), held AS MATERIALIZED (
    SELECT o.tid, c.entry_id, c.lease
    FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("entry_id" text, "token" text, "lease" bigint)) AS c
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again CROSS JOIN LATERAL (
      SELECT e.ctid AS tid FROM "durable_effects" AS e
      WHERE e.entry_id = c.entry_id AND e.claim_token = c.token FOR UPDATE SKIP LOCKED
    ) AS o
  )
  UPDATE "durable_effects" AS e
  SET lease_until = (SELECT at FROM clock) + CAST((SELECT jsonb_object_agg(h.entry_id, h.lease) FROM held AS h) ->> e.entry_id AS bigint)
  WHERE e.ctid = ANY (ARRAY(SELECT tid FROM held)) RETURNING e.entry_id, e.claim_token;
-- "[{"entry_id":"entryId-1","token":"token-1","lease":1},{"entry_id":"entryId-2","token":"token-2","lease":2}]"
-- 1
-- 1

-- effects/claims.sql.ts releaseClaims
WITH held AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("entry_id" text, "token" text)) AS c
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again CROSS JOIN LATERAL (
      SELECT e.ctid AS tid FROM "durable_effects" AS e
      WHERE e.entry_id = c.entry_id AND e.claim_token = c.token FOR UPDATE
    ) AS o
  )
  UPDATE "durable_effects" SET status = CASE WHEN attempts > 1 THEN 'failed' ELSE 'pending' END, claim_token = NULL, claimed_by = NULL,
    lease_until = NULL, attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) RETURNING entry_id, handler;
-- "[{"entry_id":"entryId-1","token":"token-1"},{"entry_id":"entryId-2","token":"token-2"}]"
-- 1
-- 1

-- effects/claims.sql.ts uncountClaims
UPDATE "durable_effects"  SET attempts = attempts - 1
  WHERE entry_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND attempts > 0 AND ready IS NOT NULL;
-- 2
-- "{"entryIds-1","entryIds-2"}"
-- 1
-- 1

-- effects/entries.sql.ts insertEffects
INSERT INTO "durable_effects" (entry_id, operation, subject, handler, ref, payload, run_id, trace, enqueued_at)
  SELECT g.entry_id, g.operation, g.subject, g.handler, g.ref, g.payload, g.run_id, g.trace, (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("entry_id" text, "operation" text, "subject" text, "handler" text, "ref" text, "payload" text, "run_id" text, "trace" text)) AS g;
-- "[{"entry_id":"entryId-1","operation":"operation-1","subject":"subject-1","handler":"handler-1","ref":"ref-1","payload":"payload-1","trace":"trace-1","run_id":"runId-1"},{"entry_id":"entryId-2","operation":"operation-2","subject":"subject-2","handler":"handler-2","ref":"ref-2","payload":"payload-2","trace":"trace-2","run_id":"runId-2"}]"

-- effects/entries.sql.ts insertEvents
INSERT INTO "durable_effect_audit" (event_id, type, operation, subject, entry_id, handler, details, recorded_at)
  SELECT event_id, type, operation, subject, entry_id, handler, details, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("event_id" text, "type" text, "operation" text, "subject" text, "entry_id" text, "handler" text, "details" text, "ordinal" bigint)) AS g ORDER BY g.ordinal;
-- "[{"type":"effect_abandoned","handler":"handler-1","operation":"operation-1","subject":"subject-1","event_id":"eventId-1","entry_id":"entryId-1","details":"{\\"named\\":1}","ordinal":0},{"type":"effect_abandoned","handler":"handler-2","operation":"operation-2","subject":"subject-2","event_id":"eventId-2","entry_id":"entryId-2","details":"{\\"named\\":2}","ordinal":1}]"

-- effects/entries.sql.ts lockAbandoned
SELECT entry_id, operation, subject, handler, attempts, last_error FROM "durable_effects" 
  WHERE entry_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status = 'abandoned' AND payload_erased = 0
  ORDER BY entry_id FOR UPDATE;
-- 2
-- "{"entryIds-1","entryIds-2"}"
-- 1
-- 1

-- effects/entries.sql.ts makePending
UPDATE "durable_effects"  SET status = 'pending', ready = 1, attempts = 0, last_error = NULL, error = NULL, finished_at = NULL
  WHERE entry_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"entryIds-1","entryIds-2"}"
-- 1
-- 1

-- effects/entries.sql.ts selectEvents
SELECT event_id, type, operation, subject, entry_id, handler, details, recorded_at FROM "durable_effect_audit"
  WHERE operation = $1 AND subject = $2
  AND "id" > COALESCE((SELECT a.id FROM "durable_effect_audit" AS a WHERE a.event_id = $3), 0)
  ORDER BY "id" LIMIT 2;
-- "operation"
-- "subject"
-- "1"

-- effects/entries.sql.ts selectEvents, page = undefined
SELECT event_id, type, operation, subject, entry_id, handler, details, recorded_at FROM "durable_effect_audit"
  WHERE operation = $1 AND subject = $2
  
  ORDER BY "id";

-- effects/entries.sql.ts selectEvents, page.after = undefined
SELECT event_id, type, operation, subject, entry_id, handler, details, recorded_at FROM "durable_effect_audit"
  WHERE operation = $1 AND subject = $2
  
  ORDER BY "id" LIMIT 1;

-- effects/insight.sql.ts selectEffectMoments
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "run" bigint)) AS listed)
  SELECT m.* FROM (
    SELECT e.enqueued_at AS moment, f.run, 1000000000 AS stage, 8 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM "durable_effects" AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND e.enqueued_at IS NOT NULL UNION ALL 
    SELECT e.last_attempt_at AS moment, f.run, 1000000000 AS stage, 9 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM "durable_effects" AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND e.last_attempt_at IS NOT NULL UNION ALL 
    SELECT e.finished_at AS moment, f.run, 1000000000 AS stage, 10 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM "durable_effects" AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($12 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($13 AS integer)) AS again) AS k)) AND e.finished_at IS NOT NULL) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($14 AS bigint), CAST($15 AS bigint), CAST($16 AS bigint), CAST($17 AS bigint), CAST($18 AS text))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;
-- "[{"run_id":"runIds-1","run":0},{"run_id":"runIds-2","run":1}]"
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 1
-- 2
-- 3
-- 4
-- "item"

-- effects/insight.sql.ts selectEffectMoments, 2.past = undefined
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "run" bigint)) AS listed)
  SELECT m.* FROM (
    SELECT e.enqueued_at AS moment, f.run, 1000000000 AS stage, 8 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM "durable_effects" AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND e.enqueued_at IS NOT NULL UNION ALL 
    SELECT e.last_attempt_at AS moment, f.run, 1000000000 AS stage, 9 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM "durable_effects" AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND e.last_attempt_at IS NOT NULL UNION ALL 
    SELECT e.finished_at AS moment, f.run, 1000000000 AS stage, 10 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM "durable_effects" AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($12 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($13 AS integer)) AS again) AS k)) AND e.finished_at IS NOT NULL) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- effects/insight.sql.ts countStatuses
SELECT status, COUNT(*) AS entries FROM "durable_effects" GROUP BY status;

-- effects/insight.sql.ts countUpTo
SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, handler AS handler FROM "durable_effects" 
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, handler AS handler FROM "durable_effects" 
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.byHandler = false
SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, '' AS handler FROM "durable_effects" 
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, '' AS handler FROM "durable_effects" 
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.parts = undefined
SELECT 'ready' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM "durable_effects" 
      WHERE ready = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM "durable_effects" 
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, handler AS handler FROM "durable_effects" 
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'finished' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'succeeded' AS status, handler AS handler FROM "durable_effects" 
      WHERE open = 0 AND finished_at IS NOT NULL LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.parts[] = readonly ["finished", "open = 0 AND finished_at IS NOT NULL"]
SELECT 'finished' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'succeeded' AS status, handler AS handler FROM "durable_effects" 
      WHERE open = 0 AND finished_at IS NOT NULL LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'finished' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'succeeded' AS status, handler AS handler FROM "durable_effects" 
      WHERE open = 0 AND finished_at IS NOT NULL LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.parts[] = readonly ["ready", "ready = 1"]
SELECT 'ready' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM "durable_effects" 
      WHERE ready = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'ready' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM "durable_effects" 
      WHERE ready = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.parts[] = readonly ["waiting", "ready = 0"]
SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM "durable_effects" 
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM "durable_effects" 
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, the least
SELECT 'ready' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, '' AS handler FROM "durable_effects" 
      WHERE ready = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, '' AS handler FROM "durable_effects" 
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, '' AS handler FROM "durable_effects" 
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'finished' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'succeeded' AS status, '' AS handler FROM "durable_effects" 
      WHERE open = 0 AND finished_at IS NOT NULL LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, the least, 2.parts = readonly (readonly ["ready", "ready = 1"] | readonly ["waiting", "ready = 0"] | readonly ["abandoned", "ready IS NULL AND open = 1"] | readonly ["finished", "open = 0 AND finished_at IS NOT NULL"])[]
SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, '' AS handler FROM "durable_effects" 
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts selectAbandoned
SELECT entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at FROM "durable_effects" 
  WHERE ready IS NULL AND open = 1 ORDER BY enqueued_at, entry_id LIMIT 1;

-- effects/insight.sql.ts selectScheduled
SELECT * FROM ((SELECT entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at FROM "durable_effects"
    WHERE ready = 1 AND status = 'scheduled' ORDER BY next_attempt_at, entry_id LIMIT 1) UNION ALL (SELECT entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at FROM "durable_effects"
    WHERE ready = 0 AND status = 'scheduled' ORDER BY next_attempt_at, entry_id LIMIT 1)) AS scheduled ORDER BY due_at, entry_id LIMIT 1;

-- effects/insight.sql.ts selectOpenOf
SELECT entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at FROM "durable_effects"
  WHERE operation = $1 AND subject = $2 AND open = 1 ORDER BY entry_id LIMIT 1;
-- "operation"
-- "subject"

-- effects/insight.sql.ts selectQueued
WITH RECURSIVE names AS (
    (SELECT e.handler FROM "durable_effects" AS e WHERE e.ready = 1  ORDER BY e.handler LIMIT 1) UNION ALL SELECT (SELECT e.handler FROM "durable_effects" AS e WHERE e.ready = 1 AND e.handler > n.handler ORDER BY e.handler LIMIT 1) FROM names AS n WHERE n.handler IS NOT NULL
  )
  SELECT n.handler, w.since, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at FROM names AS n
  CROSS JOIN LATERAL (
    SELECT MIN(queued.since) AS since FROM (
      SELECT GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0)) AS since FROM "durable_effects" 
      WHERE ready = 1 AND handler = n.handler AND (claim_token IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
      ORDER BY enqueued_at, entry_id LIMIT 100
    ) AS queued) AS w WHERE w.since IS NOT NULL;

-- effects/insight.sql.ts selectQueuedOf
SELECT $1 AS handler, w.since, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at FROM (
    SELECT MIN(queued.since) AS since FROM (
      SELECT GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0)) AS since FROM "durable_effects" 
      WHERE ready = 1 AND handler = $2 AND (claim_token IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
      ORDER BY enqueued_at, entry_id LIMIT 100
    ) AS queued) AS w WHERE w.since IS NOT NULL UNION ALL SELECT $3 AS handler, w.since, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at FROM (
    SELECT MIN(queued.since) AS since FROM (
      SELECT GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0)) AS since FROM "durable_effects" 
      WHERE ready = 1 AND handler = $4 AND (claim_token IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
      ORDER BY enqueued_at, entry_id LIMIT 100
    ) AS queued) AS w WHERE w.since IS NOT NULL;
-- "handlers-1"
-- "handlers-1"
-- "handlers-2"
-- "handlers-2"

-- effects/insight.sql.ts selectQueuedOf, handlers[] = 1
SELECT $1 AS handler, w.since, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at FROM (
    SELECT MIN(queued.since) AS since FROM (
      SELECT GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0)) AS since FROM "durable_effects" 
      WHERE ready = 1 AND handler = $2 AND (claim_token IS NULL OR lease_until <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
      ORDER BY enqueued_at, entry_id LIMIT 100
    ) AS queued) AS w WHERE w.since IS NOT NULL;

-- effects/insight.sql.ts selectForgotten
SELECT w.handler, MIN(w.next_attempt_at) AS since, MAX(w.at) AS at FROM (
    SELECT handler, next_attempt_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at FROM "durable_effects" 
    WHERE ready = 0 AND next_attempt_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - CAST($1 AS bigint)
    ORDER BY next_attempt_at, entry_id LIMIT 1000
  ) AS w GROUP BY w.handler;
-- 1

-- effects/insight.sql.ts selectEntriesOf
SELECT run_id, entry_id FROM "durable_effects" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  ORDER BY run_id, entry_id LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- effects/insight.sql.ts selectErasable
SELECT e.entry_id, e.operation, e.subject, e.open FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("operation" text, "subject" text)) AS g
    JOIN "durable_effects" AS e  ON e.operation = g.operation AND e.subject = g.subject
  WHERE e.subject <> '' AND e.subject <> '' AND e.ready IS NULL AND e.entry_id > $2 ORDER BY e.entry_id LIMIT 1;
-- "[{"operation":"operation-1","subject":"subject-1"},{"operation":"operation-2","subject":"subject-2"}]"
-- "2"

-- effects/insight.sql.ts selectErasable, 2.discards = false
SELECT e.entry_id, e.operation, e.subject, e.open FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("operation" text, "subject" text)) AS g
    JOIN "durable_effects" AS e  ON e.operation = g.operation AND e.subject = g.subject
  WHERE e.subject <> '' AND e.subject <> '' AND e.ready IS NULL AND e.open = 0 AND e.entry_id > $2 ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectErasable, 2.whose = { readonly runIds: readonly string[]; }
SELECT e.entry_id, e.operation, e.subject, e.open FROM "durable_effects" AS e 
  WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND e.subject <> '' AND e.ready IS NULL AND e.entry_id > $5 ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectErasable, the least
SELECT e.entry_id, e.operation, e.subject, e.open FROM "durable_effects" AS e 
  WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND e.subject <> '' AND e.ready IS NULL AND e.open = 0 AND e.entry_id > $5 ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectKept
SELECT e.entry_id, e.operation, e.subject, e.handler, e.run_id, e.ready FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("operation" text, "subject" text)) AS g
    JOIN "durable_effects" AS e  ON e.operation = g.operation AND e.subject = g.subject
  WHERE e.subject <> '' AND e.subject <> '' AND e.open = 1 ORDER BY e.entry_id LIMIT 1;
-- "[{"operation":"operation-1","subject":"subject-1"},{"operation":"operation-2","subject":"subject-2"}]"

-- effects/insight.sql.ts selectKept, 2.whose = { readonly runIds: readonly string[]; }
SELECT e.entry_id, e.operation, e.subject, e.handler, e.run_id, e.ready FROM "durable_effects" AS e 
  WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND e.subject <> '' AND e.open = 1 ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts eraseEntries
UPDATE "durable_effects"  SET subject = '', ref = NULL, last_error = NULL, error = NULL, payload_erased = 1
  WHERE entry_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND ready IS NULL;
-- 2
-- "{"entryIds-1","entryIds-2"}"
-- 1
-- 1

-- effects/insight.sql.ts eraseEntries, discards = false
UPDATE "durable_effects"  SET subject = '', ref = NULL, last_error = NULL, error = NULL, payload_erased = 1
  WHERE entry_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND ready IS NULL AND open = 0;

-- effects/insight.sql.ts eraseAudit
UPDATE "durable_effect_audit" AS a SET subject = '', details = '{}' FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("entry_id" text, "operation" text, "subject" text)) AS n WHERE a.operation = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND a.subject = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))
      AND a.operation = n.operation AND a.subject = n.subject
      AND ((n.entry_id IS NOT NULL AND a.entry_id = n.entry_id) OR (n.entry_id IS NULL AND a.entry_id IS NULL))
      AND NOT EXISTS (SELECT 1 FROM "durable_effects" AS e WHERE e.operation = n.operation AND e.subject = n.subject
        AND (n.entry_id IS NULL OR e.entry_id = n.entry_id));
-- "[{"entry_id":"entry_id-1","operation":"operation-1","subject":"subject-1"},{"entry_id":"entry_id-2","operation":"operation-2","subject":"subject-2"},{"entry_id":null,"operation":"operation-1","subject":"subject-1"},{"entry_id":null,"operation":"operation-2","subject":"subject-2"}]"
-- 2
-- "{"operation-1","operation-2"}"
-- 1
-- 1
-- 2
-- "{"subject-1","subject-2"}"
-- 1
-- 1

-- effects/insight.sql.ts lockEnded
SELECT entry_id, operation, subject, finished_at FROM "durable_effects" 
  WHERE open = 1 AND finished_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $1
    AND finished_at >= CAST($2 AS bigint)
    AND (finished_at > CAST($3 AS bigint) OR entry_id > $4)
  ORDER BY finished_at, entry_id LIMIT 2 FOR UPDATE SKIP LOCKED;
-- 1
-- 3
-- 3
-- "entryId"

-- effects/insight.sql.ts lockEnded, 2.status = "succeeded"
SELECT entry_id, operation, subject, finished_at FROM "durable_effects" 
  WHERE open = 0 AND finished_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $1
    AND finished_at >= CAST($2 AS bigint)
    AND (finished_at > CAST($3 AS bigint) OR entry_id > $4)
  ORDER BY finished_at, entry_id LIMIT 2 FOR UPDATE SKIP LOCKED;

-- effects/insight.sql.ts deleteEntries
DELETE FROM "durable_effects" WHERE entry_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"entryIds-1","entryIds-2"}"
-- 1
-- 1

-- effects/insight.sql.ts selectOldEvents
SELECT o.id FROM (
    SELECT a."id", a.recorded_at FROM "durable_effect_audit" AS a ORDER BY a."id" LIMIT 2
  ) AS o WHERE o.recorded_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - $1;
-- 1

-- effects/insight.sql.ts deleteEventsById
DELETE FROM "durable_effect_audit" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- effects/tables.sql.ts intValue
CAST($1 AS bigint);
-- 1

-- effects/tables.sql.ts forced
;

-- effects/tables.sql.ts selectTokens
SELECT entry_id, claim_token, handler FROM "durable_effects" 
  WHERE entry_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND claim_token IS NOT NULL;
-- 2
-- "{"entryIds-1","entryIds-2"}"
-- 1
-- 1

-- effects/tables.sql.ts lockOpen
SELECT o.entry_id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("quota" bigint)) AS q
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again CROSS JOIN LATERAL (
  SELECT e.entry_id FROM "durable_effects" AS e 
  WHERE e.operation = $4 AND e.subject = $5 AND e.open = 1
  ORDER BY e.entry_id LIMIT q.quota FOR UPDATE) AS o;
-- "[{"quota":2}]"
-- 1
-- 1
-- "operation"
-- "subject"

-- effects/tables.sql.ts countGroup
SELECT COUNT(*) AS entries, SUM(e.open) AS open FROM "durable_effects" AS e CROSS JOIN generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again
  WHERE e.operation = $3 AND e.subject = $4;
-- 1
-- 1
-- "operation"
-- "subject"

-- effects/tables.sql.ts settleEntry
UPDATE "durable_effects"
  SET claim_token = NULL, claimed_by = NULL, lease_until = NULL, payload_erased = CASE WHEN payload IS NULL THEN payload_erased ELSE 1 END, payload = NULL, next_attempt_at = NULL, ready = NULL, finished_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), last_error = $1, error = $2, status = $3 FROM generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again
  WHERE entry_id = $6 AND status = 'in_flight' AND claim_token = $7;
-- "error"
-- "recorded"
-- "abandoned"
-- 1
-- 1
-- "entryId"
-- "token"

-- effects/tables.sql.ts settleEntry, settlement = { readonly status: "failed"; readonly error: string; readonly recorded?: string; readonly delayMs: number; }
UPDATE "durable_effects"
  SET claim_token = NULL, claimed_by = NULL, lease_until = NULL, ready = 0, next_attempt_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($1 AS bigint), last_error = $2, error = $3, status = $4 FROM generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again
  WHERE entry_id = $7 AND status = 'in_flight' AND claim_token = $8;

-- effects/tables.sql.ts settleEntry, settlement = { readonly status: "scheduled"; readonly until: number; readonly delayMs: number; }
UPDATE "durable_effects"
  SET claim_token = NULL, claimed_by = NULL, lease_until = NULL, ready = 0, next_attempt_at = GREATEST(CAST($1 AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($2 AS bigint)), attempts = 0, last_error = NULL, error = NULL, status = $3 FROM generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again
  WHERE entry_id = $6 AND status = 'in_flight' AND claim_token = $7;

-- effects/tables.sql.ts settleEntry, settlement = { readonly status: "succeeded"; readonly alreadyAbsent: boolean; }
UPDATE "durable_effects"
  SET claim_token = NULL, claimed_by = NULL, lease_until = NULL, payload_erased = CASE WHEN payload IS NULL THEN payload_erased ELSE 1 END, payload = NULL, next_attempt_at = NULL, ready = NULL, finished_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), open = 0, last_error = NULL, error = NULL, status = $1 FROM generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
  WHERE entry_id = $4 AND status = 'in_flight' AND claim_token = $5;

-- effects/tables.sql.ts selectSucceeded
SELECT 1 AS stands FROM "durable_effects" AS e CROSS JOIN generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again
  WHERE e.entry_id = $3 AND e.status = 'succeeded';
-- 1
-- 1
-- "entryId"
