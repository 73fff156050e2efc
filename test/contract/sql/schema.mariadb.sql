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
  crashed longtext,
  priority integer NOT NULL DEFAULT 0,
  input longtext,
  output longtext,
  error longtext,
  created_at bigint NOT NULL,
  started_at bigint,
  finished_at bigint,
  parent_id varchar(191),
  parent_seq integer,
  parent_close varchar(16),
  closing varchar(16),
  notifies integer NOT NULL DEFAULT 0,
  unwinds integer NOT NULL DEFAULT 0,
  precondition varchar(16),
  blockers integer NOT NULL DEFAULT 0,
  targets longtext,
  deadline bigint,
  timeout_ms bigint,
  resume longtext,
  first_seq integer NOT NULL DEFAULT 0,
  continued_at bigint,
  limiter varchar(64),
  limits longtext,
  turn bigint,
  custom_status longtext,
  context longtext,
  schedule_id varchar(191),
  forked_from varchar(191),
  forked_seq integer,
  erased_at bigint,
  CHECK (status IN ('pending', 'running', 'suspended', 'compensating', 'completed', 'failed', 'cancelled', 'compensation_failed')),
  ended varchar(32) GENERATED ALWAYS AS (CASE WHEN finished_at IS NULL THEN NULL ELSE status END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_runs_due` ON `durable_runs` (namespace, workflow, version, wake_at);

CREATE INDEX `durable_runs_owner` ON `durable_runs` (owner);

CREATE INDEX `durable_runs_listing` ON `durable_runs` (created_at, id);

CREATE INDEX `durable_runs_turn` ON `durable_runs` (namespace, workflow, version, turn);

CREATE INDEX `durable_runs_key_turn` ON `durable_runs` (limiter, turn);

CREATE INDEX `durable_runs_blocked` ON `durable_runs` (namespace, reason, workflow, version, id);

CREATE INDEX `durable_runs_parent` ON `durable_runs` (parent_id, id);

CREATE INDEX `durable_runs_finished` ON `durable_runs` (namespace, ended, finished_at, id);

CREATE TABLE IF NOT EXISTS `durable_steps` (
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  kind varchar(16) NOT NULL,
  name varchar(191) NOT NULL,
  status varchar(16) NOT NULL,
  attempt integer NOT NULL,
  failures integer,
  deferrals integer,
  settled integer,
  input longtext,
  output longtext,
  error longtext,
  wake_at bigint,
  created_at bigint NOT NULL,
  asked_at bigint,
  started_at bigint,
  finished_at bigint,
  worker varchar(191),
  ref varchar(191),
  PRIMARY KEY (run_id, seq),
  CHECK (status IN ('pending', 'answered', 'exhausted', 'completed', 'failed'))
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_run_dependencies` (
  target_id varchar(191) NOT NULL,
  run_id varchar(191) NOT NULL,
  PRIMARY KEY (target_id, run_id)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_run_dependencies_waiting` ON `durable_run_dependencies` (run_id);

CREATE TABLE IF NOT EXISTS `durable_run_attributes` (
  run_id varchar(191) NOT NULL,
  name varchar(191) NOT NULL,
  namespace varchar(64) NOT NULL,
  type varchar(8) NOT NULL,
  text_value varchar(191),
  number_value double precision,
  PRIMARY KEY (run_id, name)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_run_attributes_text` ON `durable_run_attributes` (namespace, name, text_value, run_id);

CREATE INDEX `durable_run_attributes_number` ON `durable_run_attributes` (namespace, name, number_value, run_id);

CREATE TABLE IF NOT EXISTS `durable_step_attempts` (
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  attempt integer NOT NULL,
  outcome varchar(16) NOT NULL,
  asked_at bigint,
  started_at bigint,
  finished_at bigint,
  worker varchar(191),
  error longtext,
  PRIMARY KEY (run_id, seq, attempt)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_step_logs` (
  id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  run_id varchar(191) NOT NULL,
  seq integer,
  attempt integer,
  level varchar(8) NOT NULL,
  message longtext NOT NULL,
  fields longtext,
  logged_at bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_step_logs_run` ON `durable_step_logs` (run_id, id, seq);

CREATE TABLE IF NOT EXISTS `durable_erasures` (
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  namespace varchar(64) NOT NULL,
  erasure_id varchar(36) NOT NULL,
  discards smallint NOT NULL DEFAULT 0,
  asked_at bigint NOT NULL,
  PRIMARY KEY (run_id, seq)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_erasures_of` ON `durable_erasures` (erasure_id, run_id, seq);

CREATE TABLE IF NOT EXISTS `durable_nodes` (
  id varchar(64) NOT NULL PRIMARY KEY,
  namespace varchar(64) NOT NULL,
  host varchar(255),
  pid integer,
  roles varchar(64),
  serves longtext,
  version varchar(64),
  build varchar(64),
  busy longtext,
  started_at bigint NOT NULL,
  seen_at bigint,
  expires_at bigint NOT NULL,
  left_at bigint,
  server varchar(320),
  draining_since bigint,
  draining_by longtext
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_samples` (
  minute bigint NOT NULL,
  node varchar(64) NOT NULL,
  namespace varchar(64) NOT NULL,
  body longtext NOT NULL,
  PRIMARY KEY (minute, node)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_signals` (
  id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  namespace varchar(64) NOT NULL,
  channel varchar(64) NOT NULL,
  name varchar(191) NOT NULL,
  target varchar(191) NOT NULL,
  addressed varchar(8) NOT NULL,
  dedup_id varchar(191),
  payload longtext,
  created_at bigint NOT NULL,
  position bigint,
  taken_by varchar(191),
  kept_at bigint
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE UNIQUE INDEX `durable_signals_order` ON `durable_signals` (channel, position);

CREATE UNIQUE INDEX `durable_signals_dedup` ON `durable_signals` (channel, dedup_id);

CREATE INDEX `durable_signals_unfiled` ON `durable_signals` (position, channel, id);

CREATE INDEX `durable_signals_age` ON `durable_signals` (namespace, addressed, created_at, id);

CREATE INDEX `durable_signals_target` ON `durable_signals` (target);

CREATE TABLE IF NOT EXISTS `durable_signal_channels` (
  channel varchar(64) NOT NULL PRIMARY KEY,
  last_position bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_signal_waits` (
  channel varchar(64) NOT NULL,
  step_id varchar(191) NOT NULL,
  run_id varchar(191) NOT NULL,
  seq integer NOT NULL,
  after_position bigint NOT NULL,
  since bigint NOT NULL,
  deadline bigint,
  PRIMARY KEY (channel, step_id)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_signal_waits_step` ON `durable_signal_waits` (step_id);

CREATE TABLE IF NOT EXISTS `durable_start_keys` (
  start_key varchar(64) NOT NULL PRIMARY KEY,
  run_id varchar(191) NOT NULL,
  expires_at bigint,
  latest_at bigint
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_start_keys_run` ON `durable_start_keys` (run_id);

CREATE INDEX `durable_start_keys_expiry` ON `durable_start_keys` (expires_at);

CREATE TABLE IF NOT EXISTS `durable_schedules` (
  id varchar(191) NOT NULL,
  namespace varchar(64) NOT NULL,
  workflow varchar(191) NOT NULL,
  declared integer NOT NULL DEFAULT 0,
  spec longtext NOT NULL,
  input longtext,
  paused integer NOT NULL DEFAULT 0,
  next_at bigint,
  fired_at bigint,
  last_run_id varchar(191),
  buffered_at bigint,
  created_at bigint NOT NULL,
  PRIMARY KEY (namespace, id)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_schedules_due` ON `durable_schedules` (namespace, next_at);

CREATE INDEX `durable_schedules_buffered` ON `durable_schedules` (namespace, buffered_at);

CREATE TABLE IF NOT EXISTS `durable_limiters` (
  limiter varchar(64) NOT NULL PRIMARY KEY,
  namespace varchar(64) NOT NULL,
  name varchar(191) NOT NULL,
  limiter_key varchar(191) NOT NULL,
  grants longtext,
  open_at bigint
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_limiter_entries` (
  holder varchar(191) NOT NULL PRIMARY KEY,
  limiter varchar(64) NOT NULL,
  run_id varchar(191) NOT NULL,
  granted integer NOT NULL,
  turn bigint NOT NULL,
  queued_at bigint NOT NULL,
  limits longtext NOT NULL,
  task longtext
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_limiter_entries_queue` ON `durable_limiter_entries` (limiter, granted, turn, queued_at, holder);

CREATE INDEX `durable_limiter_entries_run` ON `durable_limiter_entries` (run_id);

CREATE TABLE IF NOT EXISTS `durable_outbox_destinations` (
  name varchar(191) NOT NULL PRIMARY KEY,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  wants longtext
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_outbox_shards` (
  destination varchar(191) NOT NULL,
  shard smallint NOT NULL,
  owner varchar(191),
  epoch bigint NOT NULL DEFAULT 0,
  lease_until bigint,
  PRIMARY KEY (destination, shard)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_outbox_channels` (
  destination varchar(191) NOT NULL,
  channel varchar(255) NOT NULL,
  position bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  crashed longtext,
  available_at bigint,
  state varchar(16),
  last_error longtext,
  failed_at bigint,
  PRIMARY KEY (destination, channel)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_outbox_channels_state` ON `durable_outbox_channels` (destination, state, channel);

CREATE TABLE IF NOT EXISTS `durable_outbox_pruned` (
  channel varchar(255) NOT NULL PRIMARY KEY,
  position bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_outbox_dead` (
  destination varchar(191) NOT NULL,
  sequence_id bigint NOT NULL,
  mutation_id longtext NOT NULL,
  channel varchar(255) NOT NULL,
  name longtext NOT NULL,
  rejected integer NOT NULL DEFAULT 0,
  data longtext,
  headers longtext,
  attempts integer NOT NULL,
  reason varchar(32) NOT NULL,
  last_error longtext,
  failed_at bigint NOT NULL,
  PRIMARY KEY (destination, sequence_id)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_outbox_dead_channel` ON `durable_outbox_dead` (destination, channel, sequence_id);

CREATE INDEX `durable_outbox_dead_age` ON `durable_outbox_dead` (failed_at);

CREATE TABLE IF NOT EXISTS `durable_inbox_positions` (
  consumer varchar(191) NOT NULL,
  channel varchar(255) NOT NULL,
  last_sequence_id bigint NOT NULL,
  PRIMARY KEY (consumer, channel)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_outbox_locks` (
  bucket integer NOT NULL PRIMARY KEY
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

INSERT INTO `durable_outbox_locks` (bucket)
        SELECT a.d + 8 * b.d + 64 * c.d + 512 * e.d FROM (SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7) AS a, (SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7) AS b, (SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7) AS c, (SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7) AS e;

CREATE TABLE IF NOT EXISTS `durable_effects` (
  entry_id varchar(36) NOT NULL PRIMARY KEY,
  operation varchar(191) NOT NULL,
  subject varchar(255) NOT NULL,
  handler varchar(191) NOT NULL,
  enqueued_at bigint NOT NULL,
  next_attempt_at bigint,
  lease_until bigint,
  last_attempt_at bigint,
  finished_at bigint,
  attempts integer NOT NULL DEFAULT 0,
  ready smallint DEFAULT 1,
  open smallint NOT NULL DEFAULT 1,
  payload_erased smallint NOT NULL DEFAULT 0,
  status varchar(16) NOT NULL DEFAULT 'pending',
  claim_token varchar(36),
  claimed_by varchar(191),
  last_error varchar(191),
  error longtext,
  ref longtext,
  payload longtext,
  run_id varchar(191),
  trace longtext,
  CHECK (status IN ('pending', 'in_flight', 'succeeded', 'failed', 'abandoned', 'scheduled')),
  CHECK ((status = 'in_flight') = (claim_token IS NOT NULL)),
  CHECK ((status = 'succeeded') = (open = 0)),
  CHECK ((finished_at IS NULL) = (ready IS NOT NULL)),
  CHECK (finished_at IS NULL OR (payload IS NULL AND next_attempt_at IS NULL AND lease_until IS NULL))
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_effects_ready` ON `durable_effects` (ready, handler, enqueued_at, entry_id);

CREATE INDEX `durable_effects_waiting` ON `durable_effects` (ready, next_attempt_at, entry_id);

CREATE INDEX `durable_effects_group` ON `durable_effects` (operation, subject, open, entry_id);

CREATE INDEX `durable_effects_abandoned` ON `durable_effects` (open, ready, enqueued_at, entry_id);

CREATE INDEX `durable_effects_finished` ON `durable_effects` (open, finished_at, entry_id);

CREATE INDEX `durable_effects_run` ON `durable_effects` (run_id, entry_id);

CREATE TABLE IF NOT EXISTS `durable_effect_audit` (
  id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id varchar(64) NOT NULL,
  type varchar(32) NOT NULL,
  operation varchar(191) NOT NULL,
  subject varchar(255) NOT NULL,
  entry_id varchar(36),
  handler varchar(191),
  details longtext NOT NULL,
  recorded_at bigint NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE UNIQUE INDEX `durable_effect_audit_event` ON `durable_effect_audit` (event_id);

CREATE INDEX `durable_effect_audit_group` ON `durable_effect_audit` (operation, subject, id);

CREATE TABLE IF NOT EXISTS `durable_acts` (
  id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  at bigint NOT NULL,
  actor varchar(191) NOT NULL,
  reason longtext,
  action varchar(64) NOT NULL,
  kind varchar(32) NOT NULL,
  target varchar(255) NOT NULL,
  namespace varchar(64),
  details longtext NOT NULL,
  outcome varchar(64) NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_acts_target` ON `durable_acts` (kind, target, id);

CREATE INDEX `durable_acts_actor` ON `durable_acts` (actor, id);

CREATE INDEX `durable_acts_action` ON `durable_acts` (action, id);

CREATE INDEX `durable_acts_age` ON `durable_acts` (at);

CREATE TABLE IF NOT EXISTS `durable_holds` (
  namespace varchar(64) NOT NULL,
  kind varchar(16) NOT NULL,
  name varchar(191) NOT NULL,
  since bigint NOT NULL,
  actor varchar(191) NOT NULL,
  reason longtext NOT NULL,
  until_at bigint,
  PRIMARY KEY (namespace, kind, name)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS `durable_store` (
  namespace varchar(64) NOT NULL,
  name varchar(191) NOT NULL,
  value longtext NOT NULL,
  expires_at bigint,
  PRIMARY KEY (namespace, name)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE INDEX `durable_store_expires` ON `durable_store` (expires_at);

INSERT INTO `durable_migrations` (id, applied_at) VALUES ('001-engine', (TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000));
