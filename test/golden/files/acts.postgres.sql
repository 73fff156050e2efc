-- acts/act.sql.ts insertActs
INSERT INTO "durable_acts" (actor, reason, action, kind, target, namespace, details, outcome, "at")
  SELECT actor, reason, action, kind, target, namespace, details, outcome, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("actor" text, "reason" text, "action" text, "kind" text, "target" text, "namespace" text, "details" text, "outcome" text, "ordinal" bigint)) AS n ORDER BY n.ordinal;
-- "[{"actor":"actor-1","reason":"reason-1","action":"action-1","kind":"bulk","target":"target-1","namespace":"namespace-1","details":"{\\"named\\":\\"named-1\\"}","outcome":"outcome-1","ordinal":0},{"actor":"actor-2","reason":"reason-2","action":"action-2","kind":"bulk","target":"target-2","namespace":"namespace-2","details":"{\\"named\\":\\"named-2\\"}","outcome":"outcome-2","ordinal":1}]"

-- acts/act.sql.ts selectActs
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND kind = $2 AND target = $3 AND actor = $4 AND action = $5 AND "at" >= CAST($6 AS bigint) AND "at" < CAST($7 AS bigint) AND id < CAST($8 AS bigint) ORDER BY id DESC LIMIT $9;
-- "namespace"
-- "bulk"
-- "target"
-- "actor"
-- "action"
-- 1
-- 2
-- "before"
-- 3

-- acts/act.sql.ts selectActs, query.action = undefined
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND kind = $2 AND target = $3 AND actor = $4 AND "at" >= CAST($5 AS bigint) AND "at" < CAST($6 AS bigint) AND id < CAST($7 AS bigint) ORDER BY id DESC LIMIT $8;

-- acts/act.sql.ts selectActs, query.actor = undefined
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND kind = $2 AND target = $3 AND action = $4 AND "at" >= CAST($5 AS bigint) AND "at" < CAST($6 AS bigint) AND id < CAST($7 AS bigint) ORDER BY id DESC LIMIT $8;

-- acts/act.sql.ts selectActs, query.before = undefined
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND kind = $2 AND target = $3 AND actor = $4 AND action = $5 AND "at" >= CAST($6 AS bigint) AND "at" < CAST($7 AS bigint) ORDER BY id DESC LIMIT $8;

-- acts/act.sql.ts selectActs, query.kind = undefined
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND target = $2 AND actor = $3 AND action = $4 AND "at" >= CAST($5 AS bigint) AND "at" < CAST($6 AS bigint) AND id < CAST($7 AS bigint) ORDER BY id DESC LIMIT $8;

-- acts/act.sql.ts selectActs, query.since = undefined
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND kind = $2 AND target = $3 AND actor = $4 AND action = $5 AND "at" < CAST($6 AS bigint) AND id < CAST($7 AS bigint) ORDER BY id DESC LIMIT $8;

-- acts/act.sql.ts selectActs, query.target = undefined
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND kind = $2 AND actor = $3 AND action = $4 AND "at" >= CAST($5 AS bigint) AND "at" < CAST($6 AS bigint) AND id < CAST($7 AS bigint) ORDER BY id DESC LIMIT $8;

-- acts/act.sql.ts selectActs, query.until = undefined
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND kind = $2 AND target = $3 AND actor = $4 AND action = $5 AND "at" >= CAST($6 AS bigint) AND id < CAST($7 AS bigint) ORDER BY id DESC LIMIT $8;

-- acts/act.sql.ts selectActs, the least
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) ORDER BY id DESC LIMIT $2;

-- acts/act.sql.ts selectActs, the least, query.action = string
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND action = $2 ORDER BY id DESC LIMIT $3;

-- acts/act.sql.ts selectActs, the least, query.actor = string
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND actor = $2 ORDER BY id DESC LIMIT $3;

-- acts/act.sql.ts selectActs, the least, query.before = string
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND id < CAST($2 AS bigint) ORDER BY id DESC LIMIT $3;

-- acts/act.sql.ts selectActs, the least, query.kind = "bulk"
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND kind = $2 ORDER BY id DESC LIMIT $3;

-- acts/act.sql.ts selectActs, the least, query.since = number
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND "at" >= CAST($2 AS bigint) ORDER BY id DESC LIMIT $3;

-- acts/act.sql.ts selectActs, the least, query.target = string
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND target = $2 ORDER BY id DESC LIMIT $3;

-- acts/act.sql.ts selectActs, the least, query.until = number
SELECT id, "at", actor, reason, action, kind, target, namespace, details, outcome FROM "durable_acts"
  WHERE (namespace = $1 OR namespace IS NULL) AND "at" < CAST($2 AS bigint) ORDER BY id DESC LIMIT $3;

-- acts/act.sql.ts selectActsOf
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

-- acts/act.sql.ts selectActsOf, next.past = undefined
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("kind" text, "target" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT a."at" AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM "durable_acts" AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND a.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))
      AND (a.namespace = $10 OR a.namespace IS NULL)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 3;

-- acts/act.sql.ts selectActsOf, targets[] = 1
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("kind" text, "target" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT a."at" AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM "durable_acts" AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND a.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))
      AND (a.namespace = $10 OR a.namespace IS NULL)) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($11 AS bigint), CAST($12 AS bigint), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 6;

-- acts/act.sql.ts selectActsOf, the least
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("kind" text, "target" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT a."at" AS moment, f.run, -1 AS stage, 3 AS what, a.id AS item, a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome
    FROM "durable_acts" AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND a.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))
      AND (a.namespace = $10 OR a.namespace IS NULL)) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 2;

-- acts/act.sql.ts selectOldActs
SELECT id FROM "durable_acts" WHERE "at" <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $1 ORDER BY "at" LIMIT $2;
-- 1
-- 2

-- acts/act.sql.ts deleteActs
DELETE FROM "durable_acts" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- acts/act.sql.ts eraseDetails
UPDATE "durable_acts" SET details = '{}'
  WHERE kind = $1 AND target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND details <> '{}';
-- "bulk"
-- 2
-- "{"targets-1","targets-2"}"
-- 1
-- 1
