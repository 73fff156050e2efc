-- sql/sql-scope.ts nowOf
CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- sql/sql-scope.ts onceNow
CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- sql/unsupported-servers.ts selectServer
SELECT version() AS version, CONCAT(@@version_comment, '' /*T! , ' TiDB' */) AS product;

-- sql/unsupported-servers.ts selectServerName
SELECT CONCAT(@@hostname, ':', @@port) AS name;

-- sql/unsupported-servers.ts showClusterVariables
SHOW GLOBAL VARIABLES WHERE Variable_name IN ('group_replication_single_primary_mode', 'wsrep_on');
