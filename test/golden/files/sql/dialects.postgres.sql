-- sql/dialects/column-rows.ts columnRows
(SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($2 AS bigint[]), CAST('-9223372036854775808' AS bigint), NULL) AS a) AS given)) AS listed("named"));
-- 2
-- "{1,3}"

-- sql/dialects/column-rows.ts columnRows, columns.named = readonly ["bigint", (row: Row) => number]
(SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS bigint[]) AS a) AS given)) AS listed("named"));

-- sql/dialects/column-rows.ts columnRows, columns.named = readonly ["text", (row: Row) => string | null, "nullable"]
(SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT array_replace(CAST($2 AS text[]), CAST('' AS text), NULL) AS a) AS given)) AS listed("named"));

-- sql/dialects/column-rows.ts columnRows, columns.named = readonly ["text", (row: Row) => string]
(SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("named"));

-- sql/dialects/key-list.ts keyRows
(SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again);
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- sql/dialects/key-list.ts keyList
($1, $2);
-- "keys-1"
-- "keys-2"

-- sql/dialects/key-list.ts keyList, keys[] = 1
($1);

-- sql/dialects/key-list.ts numberArray
CAST($1 AS bigint[]);
-- "{1,2}"

-- sql/dialects/key-list.ts amongNumbers
= ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- sql/dialects/key-list.ts amongKeys
= ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- sql/dialects/key-list.ts plannedAnew
CROSS JOIN generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again;
-- 1
-- 1

-- sql/dialects/key-list.ts plannedAnew, as = "FROM"
FROM generate_series(1, CAST($1 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($2 AS integer)) AS again;
