-- doctor/run-checks.ts countOf
SELECT count(*) AS count FROM ("rows" LIMIT 1001) AS counted;

-- doctor/tables.ts namespaceOf
(SELECT here.oid FROM pg_catalog.pg_namespace AS here WHERE here.nspname = current_schema());

-- doctor/tables.ts listOnPostgres
(VALUES (CAST($1 AS text), CAST($2 AS text)), (CAST($3 AS text), CAST($4 AS text))) AS t(schema, name)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = coalesce(t.schema, current_schema(), 'public')
  JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.name;
-- "schema-1"
-- "name-1"
-- "schema-2"
-- "name-2"

-- doctor/tables.ts listOnPostgres, tables[] = 1
(VALUES (CAST($1 AS text), CAST($2 AS text))) AS t(schema, name)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = coalesce(t.schema, current_schema(), 'public')
  JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.name;
