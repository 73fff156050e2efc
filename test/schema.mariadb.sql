CREATE TABLE IF NOT EXISTS `durable_migrations` (
  id varchar(64) NOT NULL PRIMARY KEY,
  applied_at bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_transport_tasks` (
  step_id varchar(191) NOT NULL PRIMARY KEY,
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  name varchar(191) NOT NULL,
  grp varchar(191) NOT NULL,
  input longtext,
  attempt integer NOT NULL,
  status varchar(32) NOT NULL,
  claimed_by varchar(191),
  claimed_at bigint,
  created_at bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_transport_tasks_claim` ON `durable_transport_tasks` (grp, created_at);

CREATE TABLE IF NOT EXISTS `durable_transport_results` (
  step_id varchar(191) NOT NULL PRIMARY KEY,
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  status varchar(32) NOT NULL,
  output longtext,
  error longtext,
  started_at bigint,
  claimed_by varchar(191),
  claimed_at bigint,
  created_at bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_transport_results_collect` ON `durable_transport_results` (created_at, step_id);

INSERT INTO `durable_migrations` (id, applied_at) VALUES ('001-transport', (TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000));

CREATE TABLE IF NOT EXISTS `durable_runs` (
  id varchar(191) NOT NULL PRIMARY KEY,
  namespace varchar(64) NOT NULL,
  workflow varchar(191) NOT NULL,
  version integer NOT NULL,
  status varchar(32) NOT NULL,
  reason varchar(64),
  reason_detail longtext,
  owner varchar(64),
  epoch integer NOT NULL,
  wake_at bigint,
  settled integer NOT NULL,
  crashes integer NOT NULL,
  priority integer NOT NULL DEFAULT 0,
  input longtext,
  output longtext,
  error longtext,
  created_at bigint NOT NULL,
  started_at bigint,
  finished_at bigint
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_runs_due` ON `durable_runs` (namespace, workflow, version, wake_at);

CREATE INDEX `durable_runs_owner` ON `durable_runs` (owner);

CREATE INDEX `durable_runs_listing` ON `durable_runs` (created_at, id);

CREATE TABLE IF NOT EXISTS `durable_steps` (
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  kind varchar(16) NOT NULL,
  name varchar(191) NOT NULL,
  status varchar(16) NOT NULL,
  attempt integer NOT NULL,
  settled integer,
  output longtext,
  error longtext,
  wake_at bigint,
  created_at bigint NOT NULL,
  started_at bigint,
  finished_at bigint,
  PRIMARY KEY (run_id, seq)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_nodes` (
  id varchar(64) NOT NULL PRIMARY KEY,
  namespace varchar(64) NOT NULL,
  host varchar(255),
  pid integer,
  roles varchar(64),
  started_at bigint NOT NULL,
  expires_at bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

INSERT INTO `durable_migrations` (id, applied_at) VALUES ('001-engine', (TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000));
