-- acts/acts.sql.ts insertActs
INSERT INTO "durable_acts" (actor, reason, action, kind, target, namespace, details, outcome, "at")
  SELECT actor, reason, action, kind, target, namespace, details, outcome, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("actor" text, "reason" text, "action" text, "kind" text, "target" text, "namespace" text, "details" text, "outcome" text, "ordinal" bigint)) AS n ORDER BY n.ordinal;
-- "[{"actor":"actor-1","reason":"reason-1","action":"action-1","kind":"bulk","target":"target-1","namespace":"namespace-1","details":"{\\"named\\":\\"named-1\\"}","outcome":"outcome-1","ordinal":0},{"actor":"actor-2","reason":"reason-2","action":"action-2","kind":"bulk","target":"target-2","namespace":"namespace-2","details":"{\\"named\\":\\"named-2\\"}","outcome":"outcome-2","ordinal":1}]"

-- acts/acts.sql.ts selectActsOf
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("kind" text, "target" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT a."at" AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM "durable_acts" AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND a.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))
      AND (a.namespace = $10 OR a.namespace IS NULL)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($11 AS bigint), CAST($12 AS bigint), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 7;
-- "[{"kind":"bulk","target":"target-1","run":1},{"kind":"bulk","target":"target-2","run":2}]"
-- 1
-- "{"bulk"}"
-- 1
-- 1
-- 2
-- "{"target-1","target-2"}"
-- 1
-- 1
-- "namespace"
-- 3
-- 4
-- 5
-- 6
-- "0"

-- acts/acts.sql.ts selectActsOf, next.past = undefined
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("kind" text, "target" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT a."at" AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM "durable_acts" AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND a.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))
      AND (a.namespace = $10 OR a.namespace IS NULL)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 3;

-- acts/acts.sql.ts selectActsOf, targets[] = 1
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("kind" text, "target" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT a."at" AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM "durable_acts" AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND a.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))
      AND (a.namespace = $10 OR a.namespace IS NULL)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($11 AS bigint), CAST($12 AS bigint), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 6;

-- acts/acts.sql.ts selectActsOf, the least
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("kind" text, "target" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT a."at" AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM "durable_acts" AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND a.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))
      AND (a.namespace = $10 OR a.namespace IS NULL)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 2;

-- acts/acts.sql.ts selectActs
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) AND id >= CAST($4 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $5 OR a.namespace IS NULL) AND a.kind = $6 AND a.target = $7 AND a.actor = $8 AND a.action = $9 AND a."at" >= CAST($10 AS bigint) AND a."at" < CAST($11 AS bigint) ORDER BY a.id DESC LIMIT 3;
-- "bulk"
-- "target"
-- "before"
-- "from"
-- "namespace"
-- "bulk"
-- "target"
-- "actor"
-- "action"
-- 1
-- 2

-- acts/acts.sql.ts selectActs, query.action = undefined
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) AND id >= CAST($4 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $5 OR a.namespace IS NULL) AND a.kind = $6 AND a.target = $7 AND a.actor = $8 AND a."at" >= CAST($9 AS bigint) AND a."at" < CAST($10 AS bigint) ORDER BY a.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, query.actor = undefined
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) AND id >= CAST($4 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $5 OR a.namespace IS NULL) AND a.kind = $6 AND a.target = $7 AND a.action = $8 AND a."at" >= CAST($9 AS bigint) AND a."at" < CAST($10 AS bigint) ORDER BY a.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, query.kind = undefined
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM (SELECT u.* FROM (
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) AND id >= CAST($4 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $5 AND target = $6 AND id < CAST($7 AS bigint) AND id >= CAST($8 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $9 AND target = $10 AND id < CAST($11 AS bigint) AND id >= CAST($12 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $13 AND target = $14 AND id < CAST($15 AS bigint) AND id >= CAST($16 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $17 AND target = $18 AND id < CAST($19 AS bigint) AND id >= CAST($20 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $21 AND target = $22 AND id < CAST($23 AS bigint) AND id >= CAST($24 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $25 AND target = $26 AND id < CAST($27 AS bigint) AND id >= CAST($28 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $29 AND target = $30 AND id < CAST($31 AS bigint) AND id >= CAST($32 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $33 AND target = $34 AND id < CAST($35 AS bigint) AND id >= CAST($36 AS bigint) ORDER BY id DESC LIMIT 10000)) AS u ORDER BY u.id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $37 OR a.namespace IS NULL) AND a.target = $38 AND a.actor = $39 AND a.action = $40 AND a."at" >= CAST($41 AS bigint) AND a."at" < CAST($42 AS bigint) ORDER BY a.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, query.since = undefined
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) AND id >= CAST($4 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $5 OR a.namespace IS NULL) AND a.kind = $6 AND a.target = $7 AND a.actor = $8 AND a.action = $9 AND a."at" < CAST($10 AS bigint) ORDER BY a.id DESC LIMIT 2;

-- acts/acts.sql.ts selectActs, query.target = undefined
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE actor = $1 AND id < CAST($2 AS bigint) AND id >= CAST($3 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $4 OR a.namespace IS NULL) AND a.kind = $5 AND a.actor = $6 AND a.action = $7 AND a."at" >= CAST($8 AS bigint) AND a."at" < CAST($9 AS bigint) ORDER BY a.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, query.until = undefined
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) AND id >= CAST($4 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $5 OR a.namespace IS NULL) AND a.kind = $6 AND a.target = $7 AND a.actor = $8 AND a.action = $9 AND a."at" >= CAST($10 AS bigint) ORDER BY a.id DESC LIMIT 2;

-- acts/acts.sql.ts selectActs, range.before = undefined
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id >= CAST($3 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $4 OR a.namespace IS NULL) AND a.kind = $5 AND a.target = $6 AND a.actor = $7 AND a.action = $8 AND a."at" >= CAST($9 AS bigint) AND a."at" < CAST($10 AS bigint) ORDER BY a.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, range.from = undefined
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $4 OR a.namespace IS NULL) AND a.kind = $5 AND a.target = $6 AND a.actor = $7 AND a.action = $8 AND a."at" >= CAST($9 AS bigint) AND a."at" < CAST($10 AS bigint) ORDER BY a.id DESC LIMIT 3;

-- acts/acts.sql.ts selectActs, the least
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $1 OR a.namespace IS NULL) ORDER BY a.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.action = string
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE action = $1 ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $2 OR a.namespace IS NULL) AND a.action = $3 ORDER BY a.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.actor = string
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE actor = $1 ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $2 OR a.namespace IS NULL) AND a.actor = $3 ORDER BY a.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.kind = "bulk"
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $1 OR a.namespace IS NULL) AND a.kind = $2 ORDER BY a.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.since = number
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $1 OR a.namespace IS NULL) AND a."at" >= CAST($2 AS bigint) ORDER BY a.id DESC LIMIT 2;

-- acts/acts.sql.ts selectActs, the least, query.target = string
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM (SELECT u.* FROM (
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $1 AND target = $2 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $3 AND target = $4 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $5 AND target = $6 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $7 AND target = $8 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $9 AND target = $10 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $11 AND target = $12 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $13 AND target = $14 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $15 AND target = $16 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE kind = $17 AND target = $18 ORDER BY id DESC LIMIT 10000)) AS u ORDER BY u.id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $19 OR a.namespace IS NULL) AND a.target = $20 ORDER BY a.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, query.until = number
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $1 OR a.namespace IS NULL) AND a."at" < CAST($2 AS bigint) ORDER BY a.id DESC LIMIT 2;

-- acts/acts.sql.ts selectActs, the least, range.before = string
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE 1 = 1 AND id < CAST($1 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $2 OR a.namespace IS NULL) ORDER BY a.id DESC LIMIT 1;

-- acts/acts.sql.ts selectActs, the least, range.from = string
SELECT a.id, a."at", a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome FROM 
    (SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"  WHERE 1 = 1 AND id >= CAST($1 AS bigint) ORDER BY id DESC LIMIT 10000) AS a
  WHERE (a.namespace = $2 OR a.namespace IS NULL) ORDER BY a.id DESC LIMIT 1;

-- acts/acts.sql.ts selectOldActs
SELECT id FROM "durable_acts" WHERE "at" <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $1 ORDER BY "at" LIMIT $2;
-- 1
-- 2

-- acts/acts.sql.ts deleteActs
DELETE FROM "durable_acts" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- acts/acts.sql.ts eraseDetails
UPDATE "durable_acts"  SET details = '{}'
  WHERE kind = $1 AND target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND details <> '{}';
-- "bulk"
-- 2
-- "{"targets-1","targets-2"}"
-- 1
-- 1

-- acts/acts.sql.ts selectScanEnd
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) AND id >= CAST($4 AS bigint) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;
-- "bulk"
-- "target"
-- "before"
-- "from"

-- acts/acts.sql.ts selectScanEnd, query.kind = undefined
SELECT s.id FROM (SELECT u.* FROM (
    (SELECT id FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) AND id >= CAST($4 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $5 AND target = $6 AND id < CAST($7 AS bigint) AND id >= CAST($8 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $9 AND target = $10 AND id < CAST($11 AS bigint) AND id >= CAST($12 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $13 AND target = $14 AND id < CAST($15 AS bigint) AND id >= CAST($16 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $17 AND target = $18 AND id < CAST($19 AS bigint) AND id >= CAST($20 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $21 AND target = $22 AND id < CAST($23 AS bigint) AND id >= CAST($24 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $25 AND target = $26 AND id < CAST($27 AS bigint) AND id >= CAST($28 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $29 AND target = $30 AND id < CAST($31 AS bigint) AND id >= CAST($32 AS bigint) ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $33 AND target = $34 AND id < CAST($35 AS bigint) AND id >= CAST($36 AS bigint) ORDER BY id DESC LIMIT 10000)) AS u ORDER BY u.id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, query.target = undefined
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE actor = $1 AND id < CAST($2 AS bigint) AND id >= CAST($3 AS bigint) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, range.before = undefined
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id >= CAST($3 AS bigint) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, range.from = undefined
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE kind = $1 AND target = $2 AND id < CAST($3 AS bigint) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE 1 = 1 ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, query.action = string
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE action = $1 ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, query.actor = string
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE actor = $1 ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, query.target = string
SELECT s.id FROM (SELECT u.* FROM (
    (SELECT id FROM "durable_acts"  WHERE kind = $1 AND target = $2 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $3 AND target = $4 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $5 AND target = $6 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $7 AND target = $8 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $9 AND target = $10 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $11 AND target = $12 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $13 AND target = $14 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $15 AND target = $16 ORDER BY id DESC LIMIT 10000) UNION ALL 
    (SELECT id FROM "durable_acts"  WHERE kind = $17 AND target = $18 ORDER BY id DESC LIMIT 10000)) AS u ORDER BY u.id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, range.before = string
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE 1 = 1 AND id < CAST($1 AS bigint) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectScanEnd, the least, range.from = string
SELECT s.id FROM 
    (SELECT id FROM "durable_acts"  WHERE 1 = 1 AND id >= CAST($1 AS bigint) ORDER BY id DESC LIMIT 10000) AS s ORDER BY s.id DESC LIMIT 1 OFFSET 9999;

-- acts/acts.sql.ts selectFirstSince
SELECT id FROM "durable_acts" WHERE "at" >= CAST($1 AS bigint) ORDER BY "at", id LIMIT 1;
-- 1

-- acts/acts.sql.ts selectLastBefore
SELECT id FROM "durable_acts" WHERE "at" < CAST($1 AS bigint) ORDER BY "at" DESC, id DESC LIMIT 1;
-- 1

-- acts/holds.sql.ts selectHolds
SELECT kind, name, since, actor, reason, until_at FROM "durable_holds"  WHERE namespace IN ($1, $2) AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint));
-- "namespace"
-- "*"

-- acts/holds.sql.ts isNotHeld
(SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $1 AND h.kind = 'effect' AND h.name = $2
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0;
-- "*"
-- "name"

-- acts/holds.sql.ts isNotHeld, kind = "group"
(SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $1 AND h.kind = 'group' AND h.name = $2
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0;

-- acts/holds.sql.ts isNotHeld, kind = "schedule"
(SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $1 AND h.kind = 'schedule' AND h.name = $2
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0;

-- acts/holds.sql.ts isNotHeld, kind = "workflow"
(SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $1 AND h.kind = 'workflow' AND h.name = $2
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0;

-- acts/holds.sql.ts lockHold
SELECT kind, name, since, actor, reason, until_at FROM "durable_holds" WHERE namespace = $1 AND kind = $2 AND name = $3 AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) FOR UPDATE;
-- "*"
-- "effect"
-- "name"

-- acts/holds.sql.ts insertHold
INSERT INTO "durable_holds" (namespace, kind, name, since, actor, reason, until_at)
  VALUES ($1, $2, $3, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), $4, $5, $6) ON CONFLICT ("namespace", "kind", "name") DO NOTHING;
-- "*"
-- "effect"
-- "name"
-- "actor"
-- "reason"
-- 1

-- acts/holds.sql.ts upsertHold
INSERT INTO "durable_holds" (namespace, kind, name, since, actor, reason, until_at)
  VALUES ($1, $2, $3, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), $4, $5, $6)
  ON CONFLICT ("namespace", "kind", "name") DO UPDATE SET actor = EXCLUDED."actor", reason = EXCLUDED."reason", until_at = EXCLUDED."until_at";
-- "*"
-- "effect"
-- "name"
-- "actor"
-- "reason"
-- 1

-- acts/holds.sql.ts deleteHold
DELETE FROM "durable_holds" WHERE namespace = $1 AND kind = $2 AND name = $3;
-- "*"
-- "effect"
-- "name"

-- acts/holds.sql.ts deleteEndedHold
DELETE FROM "durable_holds" WHERE namespace = $1 AND kind = $2 AND name = $3 AND NOT (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint));
-- "*"
-- "effect"
-- "name"
