CREATE TABLE IF NOT EXISTS "durable_migrations" (
  id varchar(64) NOT NULL PRIMARY KEY,
  applied_at bigint NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE IF NOT EXISTS "durable_transport_tasks" (
  step_id varchar(191) NOT NULL PRIMARY KEY,
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  name varchar(191) NOT NULL,
  grp varchar(191) NOT NULL,
  input text,
  attempt integer NOT NULL,
  status varchar(32) NOT NULL,
  claimed_by varchar(191),
  claimed_at bigint,
  created_at bigint NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX IF NOT EXISTS "durable_transport_tasks_claim" ON "durable_transport_tasks" (grp, created_at);

CREATE TABLE IF NOT EXISTS "durable_transport_results" (
  step_id varchar(191) NOT NULL PRIMARY KEY,
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  status varchar(32) NOT NULL,
  output text,
  error text,
  started_at bigint,
  claimed_by varchar(191),
  claimed_at bigint,
  created_at bigint NOT NULL
) WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX IF NOT EXISTS "durable_transport_results_collect" ON "durable_transport_results" (created_at, step_id);

INSERT INTO "durable_migrations" (id, applied_at) VALUES ('001-transport', (extract(epoch from clock_timestamp()) * 1000)::bigint);

CREATE TABLE IF NOT EXISTS "durable_runs" (
  id varchar(191) NOT NULL PRIMARY KEY,
  namespace varchar(64) NOT NULL,
  workflow varchar(191) NOT NULL,
  version integer NOT NULL,
  status varchar(32) NOT NULL,
  reason varchar(64),
  reason_detail text,
  owner varchar(64),
  epoch integer NOT NULL,
  wake_at bigint,
  settled integer NOT NULL,
  crashes integer NOT NULL,
  priority integer NOT NULL DEFAULT 0,
  input text,
  output text,
  error text,
  created_at bigint NOT NULL,
  started_at bigint,
  finished_at bigint
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX IF NOT EXISTS "durable_runs_due" ON "durable_runs" (namespace, workflow, version, wake_at) WHERE wake_at IS NOT NULL;

CREATE INDEX IF NOT EXISTS "durable_runs_owner" ON "durable_runs" (owner) WHERE owner IS NOT NULL;

CREATE INDEX IF NOT EXISTS "durable_runs_listing" ON "durable_runs" (created_at, id);

CREATE TABLE IF NOT EXISTS "durable_steps" (
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  kind varchar(16) NOT NULL,
  name varchar(191) NOT NULL,
  status varchar(16) NOT NULL,
  attempt integer NOT NULL,
  settled integer,
  output text,
  error text,
  wake_at bigint,
  created_at bigint NOT NULL,
  started_at bigint,
  finished_at bigint,
  PRIMARY KEY (run_id, seq)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE IF NOT EXISTS "durable_nodes" (
  id varchar(64) NOT NULL PRIMARY KEY,
  namespace varchar(64) NOT NULL,
  host varchar(255),
  pid integer,
  roles varchar(64),
  started_at bigint NOT NULL,
  expires_at bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

INSERT INTO "durable_migrations" (id, applied_at) VALUES ('001-engine', (extract(epoch from clock_timestamp()) * 1000)::bigint);
