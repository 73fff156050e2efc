-- outbox/erasure/event-erasure.sql.ts selectEvents
SELECT CAST(o.sequence_id AS text) AS sequence_id, o.mutation_id, CASE WHEN NOT (NOT o.processed) THEN 1 ELSE 0 END AS done
  FROM "durable_outbox" AS o
  WHERE o.channel = $1 AND o.sequence_id > $2 ORDER BY o.sequence_id LIMIT 2;
-- "channel"
-- 1

-- outbox/erasure/event-erasure.sql.ts blankEvents
UPDATE "durable_outbox" SET data = NULL, headers = NULL
  WHERE sequence_id = ANY (CAST($1 AS bigint[])) AND NOT (NOT processed)
    AND (data IS NOT NULL OR headers IS NOT NULL);
-- "{1,2}"

-- outbox/erasure/event-erasure.sql.ts selectDeadOf
SELECT CAST(d.sequence_id AS text) AS sequence_id, d.mutation_id, d.reason FROM "durable_outbox_dead" AS d
  WHERE d.destination = $1 AND d.channel = $2 AND d.sequence_id > $3
  ORDER BY d.sequence_id LIMIT 2;
-- "destination"
-- "channel"
-- 1

-- outbox/erasure/event-erasure.sql.ts discardDead
DELETE FROM "durable_outbox_dead"
  WHERE destination = $1 AND sequence_id = ANY (CAST($2 AS bigint[]))
    AND reason <> $3;
-- "destination"
-- "{1,2}"
-- "requeued"

-- outbox/erasure/event-erasure.sql.ts forgetErrors
UPDATE "durable_outbox_channels" SET last_error = NULL
  WHERE destination = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again) AS k))
    AND state IS NULL AND attempts = 0 AND last_error IS NOT NULL;
-- 2
-- "{"destinations-1","destinations-2"}"
-- 1
-- 1
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1
