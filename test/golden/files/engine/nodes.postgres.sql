-- engine/nodes/node.sql.ts signIn
INSERT INTO "durable_nodes" (id, namespace, host, pid, roles, started_at, expires_at, server)
  VALUES ($1, $2, $3, $4, $5, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $6, NULL)
  ON CONFLICT ("id") DO UPDATE SET expires_at = EXCLUDED."expires_at", server = EXCLUDED."server";
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- 2

-- engine/nodes/node.sql.ts selectElsewhere
SELECT n.id, n.server, n.expires_at, CONCAT(@@hostname, ':', @@port) AS here FROM "durable_nodes" AS n
  WHERE n.server <> CONCAT(@@hostname, ':', @@port) AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);

-- engine/nodes/node.sql.ts signInReturningNow
INSERT INTO "durable_nodes" (id, namespace, host, pid, roles, started_at, expires_at, server)
  VALUES ($1, $2, $3, $4, $5, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $6, NULL)
  ON CONFLICT ("id") DO UPDATE SET expires_at = EXCLUDED."expires_at", server = EXCLUDED."server" RETURNING CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now;
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- 2

-- engine/nodes/node.sql.ts selectNow
SELECT CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now;

-- engine/nodes/node.sql.ts selectDeadOwners
SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);

-- engine/nodes/node.sql.ts lookAround
SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM (SELECT CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS t
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM "durable_runs" AS r WHERE r.owner = $1
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AS d WHERE d.owner <> $2
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM "durable_nodes" AS o JOIN "durable_nodes" AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) WHERE o.id = $3;
-- "nodeId"
-- "nodeId"
-- "nodeId"

-- engine/nodes/node.sql.ts signInLookingAround
WITH beat AS (
  INSERT INTO "durable_nodes" (id, namespace, host, pid, roles, started_at, expires_at, server)
  VALUES ($1, $2, $3, $4, $5, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $6, NULL)
  ON CONFLICT ("id") DO UPDATE SET expires_at = EXCLUDED."expires_at", server = EXCLUDED."server" RETURNING CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) 
  SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM beat AS t
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM "durable_runs" AS r WHERE r.owner = $7
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AS d WHERE d.owner <> $8;
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- 2
-- "id"
-- "id"

-- engine/nodes/node.sql.ts signOff
DELETE FROM "durable_nodes" WHERE id = $1;
-- "nodeId"

-- engine/nodes/node.sql.ts strikeOff
DELETE FROM "durable_nodes" WHERE expires_at <= CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - $1;
-- 1

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
UPDATE "durable_runs" SET wake_at = CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
