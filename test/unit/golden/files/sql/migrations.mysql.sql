-- sql/migrations/migrator.ts migrationsTable
CREATE TABLE IF NOT EXISTS `durable_migrations` (
  id varchar(64) NOT NULL PRIMARY KEY,
  applied_at bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- sql/migrations/schema-steps.ts createTable
CREATE TABLE IF NOT EXISTS `table` (
  columns-1,
  columns-2
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- sql/migrations/schema-steps.ts createTable, columns[] = 1
CREATE TABLE IF NOT EXISTS `table` (
  columns-1
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- sql/migrations/schema-steps.ts createIndex
CREATE UNIQUE INDEX `table_suffix` ON `table` (columns);
SELECT 1 AS found FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ? LIMIT 1;
-- "table"
-- "table_suffix"

-- sql/migrations/schema-steps.ts createIndex, options.unique = false
CREATE INDEX `table_suffix` ON `table` (columns);
SELECT 1 AS found FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ? LIMIT 1;
