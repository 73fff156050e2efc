-- sql/sql-scope.ts nowOf
CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);

-- sql/sql-scope.ts onceNow
(SELECT CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint));

-- sql/unsupported-servers.ts selectServer
SELECT pg_catalog.version() AS version, CASE
    WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'spanner_sys') THEN 'Spanner'
    WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = 'sys' AND c.relname = 'iam_pg_role_mappings') THEN 'Aurora DSQL'
    ELSE '' END AS product;

-- sql/unsupported-servers.ts selectServerName
SELECT CONCAT(@@hostname, ':', @@port) AS name;

-- sql/unsupported-servers.ts showClusterVariables
SHOW GLOBAL VARIABLES WHERE Variable_name IN ('group_replication_single_primary_mode', 'wsrep_on');
