-- holds/hold.sql.ts selectHolds
SELECT kind, name, since, actor, reason, until_at FROM "durable_holds" WHERE namespace IN ($1, $2) AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint));
-- "namespace"
-- "*"

-- holds/hold.sql.ts isNotHeld
(SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $1 AND h.kind = 'effect' AND h.name = $2
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0;
-- "*"
-- "name"

-- holds/hold.sql.ts isNotHeld, kind = "group"
(SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $1 AND h.kind = 'group' AND h.name = $2
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0;

-- holds/hold.sql.ts isNotHeld, kind = "schedule"
(SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $1 AND h.kind = 'schedule' AND h.name = $2
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0;

-- holds/hold.sql.ts isNotHeld, kind = "workflow"
(SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $1 AND h.kind = 'workflow' AND h.name = $2
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0;

-- holds/hold.sql.ts lockHold
SELECT kind, name, since, actor, reason, until_at FROM "durable_holds" WHERE namespace = $1 AND kind = $2 AND name = $3 AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) FOR UPDATE;
-- "*"
-- "effect"
-- "name"

-- holds/hold.sql.ts insertHold
INSERT INTO "durable_holds" (namespace, kind, name, since, actor, reason, until_at)
  VALUES ($1, $2, $3, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), $4, $5, $6) ON CONFLICT ("namespace", "kind", "name") DO NOTHING;
-- "*"
-- "effect"
-- "name"
-- "actor"
-- "reason"
-- 1

-- holds/hold.sql.ts upsertHold
INSERT INTO "durable_holds" (namespace, kind, name, since, actor, reason, until_at)
  VALUES ($1, $2, $3, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), $4, $5, $6)
  ON CONFLICT ("namespace", "kind", "name") DO UPDATE SET actor = EXCLUDED."actor", reason = EXCLUDED."reason", until_at = EXCLUDED."until_at";
-- "*"
-- "effect"
-- "name"
-- "actor"
-- "reason"
-- 1

-- holds/hold.sql.ts deleteHold
DELETE FROM "durable_holds" WHERE namespace = $1 AND kind = $2 AND name = $3;
-- "*"
-- "effect"
-- "name"

-- holds/hold.sql.ts deleteEndedHold
DELETE FROM "durable_holds" WHERE namespace = $1 AND kind = $2 AND name = $3 AND NOT (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint));
-- "*"
-- "effect"
-- "name"
