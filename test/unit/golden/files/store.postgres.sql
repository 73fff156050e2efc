-- store/store.sql.ts selectValue
SELECT s.value FROM "durable_store" AS s WHERE s.namespace = $1 AND s.name = $2;
-- "namespace"
-- "key"

-- store/store.sql.ts selectEntry
SELECT s.value FROM "durable_store" AS s WHERE s.namespace = $1 AND s.name = $2 AND (s.expires_at IS NULL OR s.expires_at > (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)));
-- "namespace"
-- "key"

-- store/store.sql.ts deleteEntry
DELETE FROM "durable_store" AS s USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("namespace" text, "name" text)) AS n WHERE s.namespace = n.namespace AND s.name = n.name AND (s.expires_at IS NULL OR s.expires_at > (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)));
-- "[{"namespace":"namespace","name":"key"}]"

-- store/store.sql.ts upsertEntry
INSERT INTO "durable_store" AS s
    (namespace, name, value, expires_at)
  VALUES ($1, $2, $3, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($4 AS bigint)) ON CONFLICT ("namespace", "name") DO UPDATE SET "value" = EXCLUDED."value", "expires_at" = EXCLUDED."expires_at";
-- "namespace"
-- "key"
-- "value"
-- 1

-- store/store.sql.ts putEntry
INSERT INTO "durable_store" AS s
    (namespace, name, value, expires_at)
  VALUES ($1, $2, $3, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($4 AS bigint)) ON CONFLICT ("namespace", "name") DO UPDATE
  SET (value, expires_at) = (SELECT "value", CASE WHEN coalesce(s.expires_at <= n.now, 1 = 0) THEN n.now + CAST($5 AS bigint) ELSE s.expires_at END FROM (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS n)
  WHERE "where" RETURNING s.value;
-- "namespace"
-- "key"
-- "value"
-- 1
-- 1

-- store/store.sql.ts putEntry, change.keepsTime() = false
INSERT INTO "durable_store" AS s
    (namespace, name, value, expires_at)
  VALUES ($1, $2, $3, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($4 AS bigint)) ON CONFLICT ("namespace", "name") DO UPDATE
  SET (value, expires_at) = (SELECT "value", n.now + CAST($5 AS bigint) FROM (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS n)
  WHERE "where" RETURNING s.value;

-- store/store.sql.ts keepEntry
INSERT INTO "durable_store" AS s
    (namespace, name, value, expires_at)
  VALUES ($1, $2, $3, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + CAST($4 AS bigint)) ON CONFLICT ("namespace", "name") DO NOTHING;
-- "namespace"
-- "key"
-- "value"
-- 1

-- store/store.sql.ts lockExpired
SELECT namespace, name FROM "durable_store"
  WHERE expires_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED;
