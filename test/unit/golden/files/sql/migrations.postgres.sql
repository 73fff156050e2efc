-- sql/migrations/migrator.ts migrationsTable
CREATE TABLE IF NOT EXISTS "durable_migrations" (
  id varchar(64) NOT NULL PRIMARY KEY,
  applied_at bigint NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- sql/migrations/schema-steps.ts createTable
CREATE TABLE IF NOT EXISTS "table" (
  columns-1,
  columns-2
) WITH (fillfactor = 1, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- sql/migrations/schema-steps.ts createTable, columns[] = 1
CREATE TABLE IF NOT EXISTS "table" (
  columns-1
) WITH (fillfactor = 1, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- sql/migrations/schema-steps.ts createTable, options.fillfactor = undefined
CREATE TABLE IF NOT EXISTS "table" (
  columns-1,
  columns-2
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- sql/migrations/schema-steps.ts createTable, the least
CREATE TABLE IF NOT EXISTS "table" (
  columns-1
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- sql/migrations/schema-steps.ts createIndex
CREATE UNIQUE INDEX IF NOT EXISTS "table_suffix" ON "table" (columns) WHERE where;

-- sql/migrations/schema-steps.ts createIndex, options.unique = false
CREATE INDEX IF NOT EXISTS "table_suffix" ON "table" (columns) WHERE where;

-- sql/migrations/schema-steps.ts createIndex, options.where = undefined
CREATE UNIQUE INDEX IF NOT EXISTS "table_suffix" ON "table" (columns);

-- sql/migrations/schema-steps.ts createIndex, the least
CREATE INDEX IF NOT EXISTS "table_suffix" ON "table" (columns);
