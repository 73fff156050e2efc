-- engine/effects/sql-effect-waits.ts selectWaiting
SELECT step_id, run_id, seq FROM "waits" WHERE channel = $1 ORDER BY step_id;
-- "channel"

-- engine/effects/sql-effect-waits.ts selectAwaited
SELECT DISTINCT channel FROM "waits" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1
