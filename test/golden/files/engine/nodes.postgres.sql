-- engine/nodes/node-list.sql.ts lockAlive
SELECT draining_since, draining_by FROM "durable_nodes"
  WHERE id = $1 AND expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FOR UPDATE;
-- "nodeId"

-- engine/nodes/node-list.sql.ts setDraining
UPDATE "durable_nodes" SET draining_by = $1,
    draining_since = COALESCE(draining_since, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  WHERE id = $2;
-- "by"
-- "nodeId"

-- engine/nodes/node-list.sql.ts setDraining, by = null
UPDATE "durable_nodes" SET draining_by = $1,
    draining_since = NULL
  WHERE id = $2;

-- engine/nodes/node-list.sql.ts selectNodes
SELECT t.now, n.id, n.namespace, n.host, n.pid, n.roles, n.serves, n.version, n.build, n.busy,
    n.started_at, n.seen_at, n.expires_at, n.left_at, n.draining_since, n.draining_by
  FROM (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS t LEFT JOIN "durable_nodes" AS n ON 1 = 1
  ORDER BY n.expires_at DESC, n.id LIMIT 2000;

-- engine/nodes/node-list.sql.ts selectForgotten
SELECT f.id FROM (
    SELECT n.id, n.expires_at, row_number() OVER (ORDER BY n.expires_at DESC, n.id) AS n_th
    FROM "durable_nodes" AS n WHERE n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ) AS f WHERE f.n_th > 500 OR f.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - $1 ORDER BY f.id;
-- 86400000

-- engine/nodes/node-list.sql.ts strikeOff
DELETE FROM "durable_nodes" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/nodes/node.sql.ts signIn
INSERT INTO "durable_nodes"
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $9, NULL, NULL, $10)
  ON CONFLICT ("id") DO UPDATE SET "serves" = EXCLUDED."serves", "expires_at" = EXCLUDED."expires_at", "seen_at" = EXCLUDED."seen_at", "left_at" = EXCLUDED."left_at", "server" = EXCLUDED."server", "busy" = EXCLUDED."busy";
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- "serves"
-- "version"
-- "build"
-- 2
-- "load"

-- engine/nodes/node.sql.ts selectElsewhere
SELECT n.id, n.server, n.expires_at, CONCAT(@@hostname, ':', @@port) AS here FROM "durable_nodes" AS n
  WHERE n.server <> CONCAT(@@hostname, ':', @@port) AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);

-- engine/nodes/node.sql.ts signInReturningBeat
INSERT INTO "durable_nodes"
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $9, NULL, NULL, $10)
  ON CONFLICT ("id") DO UPDATE SET "serves" = EXCLUDED."serves", "expires_at" = EXCLUDED."expires_at", "seen_at" = EXCLUDED."seen_at", "left_at" = EXCLUDED."left_at", "server" = EXCLUDED."server", "busy" = EXCLUDED."busy" RETURNING CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining;
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- "serves"
-- "version"
-- "build"
-- 2
-- "load"

-- engine/nodes/node.sql.ts selectBeat
SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining FROM "durable_nodes" WHERE id = $1;
-- "nodeId"

-- engine/nodes/node.sql.ts selectNow
SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now;

-- engine/nodes/node.sql.ts selectDeadOwners
SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);

-- engine/nodes/node.sql.ts lookAround
SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS t
  UNION ALL SELECT 'draining', n.id, 0, NULL, NULL FROM "durable_nodes" AS n WHERE n.id = $1 AND n.draining_since IS NOT NULL
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM "durable_runs" AS r WHERE r.owner = $2
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AS d WHERE d.owner <> $3
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM "durable_nodes" AS o JOIN "durable_nodes" AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) WHERE o.id = $4;
-- "nodeId"
-- "nodeId"
-- "nodeId"
-- "nodeId"

-- engine/nodes/node.sql.ts signInLookingAround
WITH beat AS (
  INSERT INTO "durable_nodes"
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $9, NULL, NULL, $10)
  ON CONFLICT ("id") DO UPDATE SET "serves" = EXCLUDED."serves", "expires_at" = EXCLUDED."expires_at", "seen_at" = EXCLUDED."seen_at", "left_at" = EXCLUDED."left_at", "server" = EXCLUDED."server", "busy" = EXCLUDED."busy" RETURNING CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining) 
  SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM beat AS t
  UNION ALL SELECT 'draining', n.id, 0, NULL, NULL FROM "durable_nodes" AS n WHERE n.id = $11 AND n.draining_since IS NOT NULL
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM "durable_runs" AS r WHERE r.owner = $12
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AS d WHERE d.owner <> $13;
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- "serves"
-- "version"
-- "build"
-- 2
-- "load"
-- "id"
-- "id"
-- "id"

-- engine/nodes/node.sql.ts signOff
UPDATE "durable_nodes" SET expires_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), left_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) WHERE id = $1;
-- "nodeId"

-- engine/nodes/node.sql.ts selectAlive
SELECT n.id FROM "durable_nodes" AS n WHERE n.id = $1 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
-- "nodeId"

-- engine/nodes/sample.sql.ts insertSample
INSERT INTO "durable_samples" (minute, node, namespace, body)
  SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - MOD(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), 60000), $1, $2, $3 ON CONFLICT ("minute", "node") DO NOTHING;
-- "node"
-- "namespace"
-- "body"

-- engine/nodes/sample.sql.ts selectSamples
SELECT minute, node, body FROM "durable_samples"
  WHERE minute >= $1 AND minute < $2 AND namespace = $3
  ORDER BY minute, node LIMIT 3;
-- 1
-- 2
-- "namespace"

-- engine/nodes/sample.sql.ts selectSamples, 2.keep = "last"
SELECT minute, node, body FROM "durable_samples"
  WHERE minute >= $1 AND minute < $2 AND namespace = $3
  ORDER BY minute DESC, node DESC LIMIT 3;

-- engine/nodes/sample.sql.ts selectSamples, 2.namespace = undefined
SELECT minute, node, body FROM "durable_samples"
  WHERE minute >= $1 AND minute < $2 
  ORDER BY minute, node LIMIT 3;

-- engine/nodes/sample.sql.ts selectSamples, the least, 2.keep = "last"
SELECT minute, node, body FROM "durable_samples"
  WHERE minute >= $1 AND minute < $2 
  ORDER BY minute DESC, node DESC LIMIT 3;

-- engine/nodes/sample.sql.ts selectOldSamples
SELECT minute, node FROM "durable_samples" WHERE minute <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $1
  ORDER BY minute, node LIMIT 2;
-- 1

-- engine/nodes/sample.sql.ts deleteSamples
DELETE FROM "durable_samples" AS s USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("minute" bigint, "node" text)) AS o WHERE s.minute = o.minute AND s.node = o.node;
-- "[{"minute":1,"node":"node-1"},{"minute":2,"node":"node-2"}]"

-- engine/nodes/sql-stranded-runs.ts selectPage
SELECT id, status FROM "durable_runs" WHERE id > $1 ORDER BY id LIMIT 1;
-- "afterId"

-- engine/nodes/sql-stranded-runs.ts selectAsked
SELECT s.run_id, s.seq FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM "durable_limiter_entries" AS e WHERE e.run_id = s.run_id AND e.granted = 0));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/nodes/sql-stranded-runs.ts wakeParked
UPDATE "durable_runs" SET wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
