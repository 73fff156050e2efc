-- engine/endings/control.sql.ts lockRun
SELECT id, namespace, workflow, status, reason, closing, notifies, unwinds, error, erased_at FROM `durable_runs` WHERE id = ? FOR UPDATE;
-- "runId"

-- engine/endings/control.sql.ts selectOpen
SELECT seq, kind, CASE WHEN kind = 'signal' AND status = 'answered' THEN output END AS given FROM `durable_steps` WHERE run_id = ? AND kind IN ('remote', 'signal') AND settled IS NULL LOCK IN SHARE MODE;
-- "runId"

-- engine/endings/control.sql.ts selectOpen, joined = false
SELECT seq, kind, CASE WHEN kind = 'signal' AND status = 'answered' THEN output END AS given FROM `durable_steps` WHERE run_id = ? AND kind IN ('remote', 'signal') AND settled IS NULL;

-- engine/endings/control.sql.ts selectOpenChildren
SELECT id, parent_close FROM `durable_runs`
  WHERE parent_id = ? AND parent_close <> 'abandon' AND status NOT IN (?, ?, ?, ?)
  ORDER BY id LOCK IN SHARE MODE;
-- "parentId"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings/control.sql.ts selectOpenChildren, joined = false
SELECT id, parent_close FROM `durable_runs`
  WHERE parent_id = ? AND parent_close <> 'abandon' AND status NOT IN (?, ?, ?, ?)
  ORDER BY id;

-- engine/endings/control.sql.ts endCancelled
UPDATE `durable_runs`
  SET status = 'cancelled', owner = NULL, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL,
    reason_detail = NULL, closing = NULL, error = ?, finished_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id = ?;
-- "error"
-- "runId"

-- engine/endings/control.sql.ts beginClosing
UPDATE `durable_runs`
  SET status = 'compensating', closing = ?, owner = NULL, epoch = epoch + 1, wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed),
    reason = NULL, reason_detail = NULL, crashes = 0,
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = ?)
  WHERE id = ?;
-- "closing"
-- "runId"
-- "runId"

-- engine/endings/control.sql.ts selectOrders
SELECT id, settled FROM `durable_runs` WHERE id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings/control.sql.ts selectOrders, runIds[] = 1
SELECT id, settled FROM `durable_runs` WHERE id IN (?);

-- engine/endings/control.sql.ts lockOpenRemote
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps`
  WHERE run_id IN (?, ?) AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE;
-- "runIds-1"
-- "runIds-2"

-- engine/endings/control.sql.ts lockOpenRemote, runIds[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps`
  WHERE run_id IN (?) AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE;

-- engine/endings/control.sql.ts countSettled
UPDATE `durable_runs`
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = `durable_runs`.id)
  WHERE id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings/control.sql.ts countSettled, runIds[] = 1
UPDATE `durable_runs`
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = `durable_runs`.id)
  WHERE id IN (?);

-- engine/endings/control.sql.ts forgetGiven
UPDATE `durable_steps` SET status = 'pending', output = NULL WHERE run_id = ? AND seq IN (?, ?);
-- "runId"
-- 1
-- 2

-- engine/endings/control.sql.ts forgetGiven, seqs[] = 1
UPDATE `durable_steps` SET status = 'pending', output = NULL WHERE run_id = ? AND seq IN (?);

-- engine/endings/control.sql.ts deleteWaits
DELETE FROM `durable_signal_waits` WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- engine/endings/control.sql.ts deleteWaits, stepIds[] = 1
DELETE FROM `durable_signal_waits` WHERE step_id IN (?);

-- engine/endings/control.sql.ts unblock
UPDATE `durable_runs` SET wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), crashes = 0
  WHERE id = ? AND reason IN (?, ?, ?, ?, ?);
-- "runId"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"

-- engine/endings/control.sql.ts compensateAgain
UPDATE `durable_runs`
  SET status = 'compensating', wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), crashes = 0, finished_at = NULL, error = ?,
    closing = COALESCE(closing, 'failed'),
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = ?)
  WHERE id = ?;
-- "error"
-- "runId"
-- "runId"

-- engine/endings/control.sql.ts forgetFailedUndoing
DELETE FROM `durable_steps` WHERE run_id = ? AND seq < 0 AND status = 'failed';
-- "runId"

-- engine/endings/dependency.sql.ts insertDependencies
INSERT INTO `durable_run_dependencies` (target_id, run_id)
  SELECT e.target_id, e.run_id FROM JSON_TABLE(?, '$[*]' COLUMNS (`target_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR)) AS e `created`;
-- "[{"target_id":"target_id-1","run_id":"run_id-1"},{"target_id":"target_id-2","run_id":"run_id-2"}]"

-- engine/endings/dependency.sql.ts selectTargets
SELECT DISTINCT target_id FROM `durable_run_dependencies` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings/dependency.sql.ts selectTargets, runIds[] = 1
SELECT DISTINCT target_id FROM `durable_run_dependencies` WHERE run_id IN (?);

-- engine/endings/dependency.sql.ts lockOpen
SELECT id, notifies FROM `durable_runs`
  WHERE id IN (?, ?) AND status NOT IN (?, ?, ?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings/dependency.sql.ts lockOpen, ids[] = 1
SELECT id, notifies FROM `durable_runs`
  WHERE id IN (?) AND status NOT IN (?, ?, ?, ?) ORDER BY id FOR UPDATE;

-- engine/endings/dependency.sql.ts notifyRuns
UPDATE `durable_runs` SET notifies = notifies | 2 WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/endings/dependency.sql.ts notifyRuns, ids[] = 1
UPDATE `durable_runs` SET notifies = notifies | 2 WHERE id IN (?);

-- engine/endings/dependency.sql.ts lockConditional
SELECT id, epoch, owner, limiter, CASE WHEN deadline <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS late
  FROM `durable_runs` WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/endings/dependency.sql.ts lockConditional, ids[] = 1
SELECT id, epoch, owner, limiter, CASE WHEN deadline <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS late
  FROM `durable_runs` WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/endings/dependency.sql.ts selectTargetStatuses
SELECT e.run_id, e.target_id, r.status FROM `durable_run_dependencies` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.target_id
  WHERE e.run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings/dependency.sql.ts selectTargetStatuses, runIds[] = 1
SELECT e.run_id, e.target_id, r.status FROM `durable_run_dependencies` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.target_id
  WHERE e.run_id IN (?);

-- engine/endings/dependency.sql.ts decideConditional
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `blockers` bigint PATH '$.blockers' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR)) AS w ON r.id = w.id SET r.owner = CASE WHEN w.blockers > 0 THEN NULL ELSE r.owner END, r.status = CASE WHEN w.error IS NOT NULL THEN 'compensating' WHEN w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL THEN 'running' ELSE 'pending' END, r.reason = CASE WHEN w.blockers > 0 THEN 'waiting_for_runs' END, r.wake_at = CASE WHEN w.blockers > 0 THEN r.deadline END, r.started_at = CASE WHEN w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL THEN COALESCE(r.started_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ELSE r.started_at END, r.precondition = CASE WHEN w.blockers > 0 THEN r.precondition WHEN w.error IS NOT NULL OR r.limiter IS NULL THEN NULL ELSE 'limiter' END, r.closing = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END, r.error = COALESCE(w.error, r.error), r.blockers = w.blockers;
-- "[{"id":"id-1","blockers":1,"error":"error-1"},{"id":"id-2","blockers":2,"error":"error-2"}]"

-- engine/endings/ending.sql.ts selectEndedChildren
SELECT r.id, r.parent_id, r.parent_seq, r.status, r.output, r.error
  FROM `durable_runs` AS r JOIN `durable_runs` AS p ON p.id = r.parent_id
  WHERE r.id IN (?, ?) AND p.status NOT IN (?, ?, ?, ?);
-- "1"
-- "2"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings/ending.sql.ts selectEndedChildren, ids[] = 1
SELECT r.id, r.parent_id, r.parent_seq, r.status, r.output, r.error
  FROM `durable_runs` AS r JOIN `durable_runs` AS p ON p.id = r.parent_id
  WHERE r.id IN (?) AND p.status NOT IN (?, ?, ?, ?);

-- engine/endings/ending.sql.ts selectDependenciesTo
SELECT target_id, run_id FROM `durable_run_dependencies` WHERE target_id IN (?, ?);
-- "targetIds-1"
-- "targetIds-2"

-- engine/endings/ending.sql.ts selectDependenciesTo, targetIds[] = 1
SELECT target_id, run_id FROM `durable_run_dependencies` WHERE target_id IN (?);

-- engine/endings/ending.sql.ts lockWaiters
SELECT id, status, reason, owner, blockers FROM `durable_runs` WHERE id IN (?, ?) ORDER BY id
  FOR UPDATE;
-- "1"
-- "2"

-- engine/endings/ending.sql.ts lockWaiters, ids[] = 1
SELECT id, status, reason, owner, blockers FROM `durable_runs` WHERE id IN (?) ORDER BY id
  FOR UPDATE;

-- engine/endings/ending.sql.ts deleteDependencies
DELETE e FROM `durable_run_dependencies` AS e JOIN JSON_TABLE(?, '$[*]' COLUMNS (`target_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR)) AS g ON e.target_id = g.target_id AND e.run_id = g.run_id;
-- "[{"target_id":"target_id-1","run_id":"run_id-1"},{"target_id":"target_id-2","run_id":"run_id-2"}]"

-- engine/endings/ending.sql.ts deleteDependenciesOf
DELETE FROM `durable_run_dependencies` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings/ending.sql.ts deleteDependenciesOf, runIds[] = 1
DELETE FROM `durable_run_dependencies` WHERE run_id IN (?);

-- engine/endings/ending.sql.ts releaseWaiters
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `met` bigint PATH '$.met' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR)) AS w ON r.id = w.id SET r.wake_at = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) ELSE r.wake_at END, r.reason = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN NULL ELSE r.reason END, r.precondition = CASE WHEN NOT (w.error IS NOT NULL OR r.blockers <= w.met) THEN r.precondition WHEN w.error IS NULL AND r.limiter IS NOT NULL THEN 'limiter' END, r.closing = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END, r.error = COALESCE(w.error, r.error), r.blockers = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN 0 ELSE r.blockers - w.met END;
-- "[{"id":"id-1","met":1,"error":"error-1"},{"id":"id-2","met":2,"error":"error-2"}]"

-- engine/endings/ending.sql.ts selectStatuses
SELECT id, status FROM `durable_runs` WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/endings/ending.sql.ts selectStatuses, ids[] = 1
SELECT id, status FROM `durable_runs` WHERE id IN (?);

-- engine/endings/ending.sql.ts selectLimitersOf
SELECT DISTINCT limiter FROM `durable_limiter_entries` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings/ending.sql.ts selectLimitersOf, runIds[] = 1
SELECT DISTINCT limiter FROM `durable_limiter_entries` WHERE run_id IN (?);

-- engine/endings/ending.sql.ts deletePermitsOf
DELETE FROM `durable_limiter_entries` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings/ending.sql.ts deletePermitsOf, runIds[] = 1
DELETE FROM `durable_limiter_entries` WHERE run_id IN (?);

-- engine/endings/ending.sql.ts selectPermits
SELECT DISTINCT limiter FROM `durable_limiter_entries` WHERE holder IN (?, ?);
-- "holders-1"
-- "holders-2"

-- engine/endings/ending.sql.ts selectPermits, holders[] = 1
SELECT DISTINCT limiter FROM `durable_limiter_entries` WHERE holder IN (?);

-- engine/endings/ending.sql.ts deletePermits
DELETE FROM `durable_limiter_entries` WHERE holder IN (?, ?);
-- "holders-1"
-- "holders-2"

-- engine/endings/ending.sql.ts deletePermits, holders[] = 1
DELETE FROM `durable_limiter_entries` WHERE holder IN (?);

-- engine/endings/removal.sql.ts deleteBelongings
DELETE e FROM `durable_runs` AS r STRAIGHT_JOIN `durable_run_dependencies` AS e FORCE INDEX (PRIMARY) ON r.id = e.target_id AND r.status = 'completed' AND e.target_id IN (?, ?) WHERE r.id IN (?, ?);
DELETE gone FROM `durable_run_dependencies` AS gone FORCE INDEX (`durable_run_dependencies_waiting`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_start_keys` AS gone FORCE INDEX (`durable_start_keys_run`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_run_attributes` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_limiter_entries` AS gone FORCE INDEX (`durable_limiter_entries_run`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_step_attempts` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_step_logs` AS gone FORCE INDEX (`durable_step_logs_run`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_steps` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_signals` AS gone FORCE INDEX (`durable_signals_target`) WHERE gone.`target` IN (?, ?) AND addressed = 'run';
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"

-- engine/endings/removal.sql.ts deleteBelongings, runIds[] = 1
DELETE e FROM `durable_runs` AS r STRAIGHT_JOIN `durable_run_dependencies` AS e FORCE INDEX (PRIMARY) ON r.id = e.target_id AND r.status = 'completed' AND e.target_id IN (?) WHERE r.id IN (?);
DELETE gone FROM `durable_run_dependencies` AS gone FORCE INDEX (`durable_run_dependencies_waiting`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_start_keys` AS gone FORCE INDEX (`durable_start_keys_run`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_run_attributes` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_limiter_entries` AS gone FORCE INDEX (`durable_limiter_entries_run`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_step_attempts` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_step_logs` AS gone FORCE INDEX (`durable_step_logs_run`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_steps` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_signals` AS gone FORCE INDEX (`durable_signals_target`) WHERE gone.`target` IN (?) AND addressed = 'run';

-- engine/endings/removal.sql.ts deleteLives
DELETE gone FROM `durable_limiter_entries` AS gone FORCE INDEX (`durable_limiter_entries_run`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_step_attempts` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_step_logs` AS gone FORCE INDEX (`durable_step_logs_run`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_steps` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?, ?);
DELETE gone FROM `durable_signals` AS gone FORCE INDEX (`durable_signals_target`) WHERE gone.`target` IN (?, ?) AND addressed = 'run';
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"

-- engine/endings/removal.sql.ts deleteLives, runIds[] = 1
DELETE gone FROM `durable_limiter_entries` AS gone FORCE INDEX (`durable_limiter_entries_run`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_step_attempts` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_step_logs` AS gone FORCE INDEX (`durable_step_logs_run`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_steps` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`run_id` IN (?);
DELETE gone FROM `durable_signals` AS gone FORCE INDEX (`durable_signals_target`) WHERE gone.`target` IN (?) AND addressed = 'run';

-- engine/endings/removal.sql.ts lockPurgeable
SELECT r.id FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
  WHERE r.namespace = ? AND r.ended = ? AND r.finished_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
    AND NOT COALESCE((SELECT p.finished_at IS NULL FROM `durable_runs` AS p WHERE p.id = r.parent_id), false)
    AND (SELECT COUNT(*) FROM `durable_run_dependencies` AS e WHERE e.target_id = r.id) = 0
  ORDER BY r.finished_at, r.id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "namespace"
-- "cancelled"
-- 2

-- engine/endings/removal.sql.ts selectChildren
SELECT id, parent_id FROM `durable_runs` WHERE parent_id IN (?, ?) LOCK IN SHARE MODE;
-- "parentIds-1"
-- "parentIds-2"

-- engine/endings/removal.sql.ts selectChildren, newest = false
SELECT id, parent_id FROM `durable_runs` WHERE parent_id IN (?, ?);

-- engine/endings/removal.sql.ts selectChildren, parentIds[] = 1
SELECT id, parent_id FROM `durable_runs` WHERE parent_id IN (?) LOCK IN SHARE MODE;

-- engine/endings/removal.sql.ts selectChildren, the least
SELECT id, parent_id FROM `durable_runs` WHERE parent_id IN (?);

-- engine/endings/removal.sql.ts lockByKey
SELECT id, parent_id, finished_at FROM `durable_runs`
  WHERE id IN (?, ?) ORDER BY id FOR UPDATE SKIP LOCKED;
-- "1"
-- "2"

-- engine/endings/removal.sql.ts lockByKey, ids[] = 1
SELECT id, parent_id, finished_at FROM `durable_runs`
  WHERE id IN (?) ORDER BY id FOR UPDATE SKIP LOCKED;

-- engine/endings/removal.sql.ts lockByKey, skip = false
SELECT id, parent_id, finished_at FROM `durable_runs`
  WHERE id IN (?, ?) ORDER BY id FOR UPDATE;

-- engine/endings/removal.sql.ts lockByKey, the least
SELECT id, parent_id, finished_at FROM `durable_runs`
  WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/endings/removal.sql.ts orphanRuns
UPDATE `durable_runs` SET parent_id = NULL, parent_seq = NULL, parent_close = NULL, notifies = notifies - notifies % 2
  WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/endings/removal.sql.ts orphanRuns, ids[] = 1
UPDATE `durable_runs` SET parent_id = NULL, parent_seq = NULL, parent_close = NULL, notifies = notifies - notifies % 2
  WHERE id IN (?);

-- engine/endings/removal.sql.ts selectOpenSteps
SELECT run_id, seq FROM `durable_steps`
  WHERE run_id IN (?, ?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL LOCK IN SHARE MODE;
-- "runIds-1"
-- "runIds-2"

-- engine/endings/removal.sql.ts selectOpenSteps, newest = false
SELECT run_id, seq FROM `durable_steps`
  WHERE run_id IN (?, ?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;

-- engine/endings/removal.sql.ts selectOpenSteps, runIds[] = 1
SELECT run_id, seq FROM `durable_steps`
  WHERE run_id IN (?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL LOCK IN SHARE MODE;

-- engine/endings/removal.sql.ts selectOpenSteps, the least
SELECT run_id, seq FROM `durable_steps`
  WHERE run_id IN (?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;

-- engine/endings/removal.sql.ts deleteRuns
DELETE gone FROM `durable_runs` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`id` IN (?, ?);
-- "1"
-- "2"

-- engine/endings/removal.sql.ts deleteRuns, ids[] = 1
DELETE gone FROM `durable_runs` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`id` IN (?);

-- engine/endings/removal.sql.ts deleteWaits
DELETE gone FROM `durable_signal_waits` AS gone FORCE INDEX (`durable_signal_waits_step`) WHERE gone.`step_id` IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- engine/endings/removal.sql.ts deleteWaits, stepIds[] = 1
DELETE gone FROM `durable_signal_waits` AS gone FORCE INDEX (`durable_signal_waits_step`) WHERE gone.`step_id` IN (?);

-- engine/endings/removal.sql.ts selectRunChannels
SELECT DISTINCT channel FROM `durable_signals` WHERE target IN (?, ?) AND addressed = 'run';
-- "runIds-1"
-- "runIds-2"

-- engine/endings/removal.sql.ts selectRunChannels, runIds[] = 1
SELECT DISTINCT channel FROM `durable_signals` WHERE target IN (?) AND addressed = 'run';

-- engine/endings/removal.sql.ts deleteChannels
DELETE gone FROM `durable_signal_channels` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`channel` IN (?, ?);
-- "channels-1"
-- "channels-2"

-- engine/endings/removal.sql.ts deleteChannels, channels[] = 1
DELETE gone FROM `durable_signal_channels` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`channel` IN (?);

-- engine/endings/removal.sql.ts selectExpiredKeys
SELECT start_key FROM `durable_start_keys`
  WHERE expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) ORDER BY expires_at LIMIT 1;

-- engine/endings/removal.sql.ts deleteExpiredKeys
DELETE gone FROM `durable_start_keys` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`start_key` IN (?, ?) AND expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "keys-1"
-- "keys-2"

-- engine/endings/removal.sql.ts deleteExpiredKeys, keys[] = 1
DELETE gone FROM `durable_start_keys` AS gone FORCE INDEX (`PRIMARY`) WHERE gone.`start_key` IN (?) AND expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/endings/resumption.sql.ts lockResumable
SELECT id, parent_id, status, closing, output, resume, erased_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_runs`
  WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/endings/resumption.sql.ts lockResumable, ids[] = 1
SELECT id, parent_id, status, closing, output, resume, erased_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_runs`
  WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/endings/resumption.sql.ts selectUncompleted
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps`
  WHERE run_id IN (?, ?) AND (status <> 'completed' OR seq < 0) LOCK IN SHARE MODE;
-- "runIds-1"
-- "runIds-2"

-- engine/endings/resumption.sql.ts selectUncompleted, runIds[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps`
  WHERE run_id IN (?) AND (status <> 'completed' OR seq < 0) LOCK IN SHARE MODE;

-- engine/endings/resumption.sql.ts forgetSteps
DELETE s FROM `durable_steps` AS s JOIN JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS d ON s.run_id = d.run_id AND s.seq = d.seq;
-- "[{"run_id":"runId-1","seq":1},{"run_id":"runId-2","seq":2}]"

-- engine/endings/resumption.sql.ts forgetMarkers
DELETE FROM `durable_steps` WHERE run_id = ? AND seq >= ? AND kind = 'marker';
-- "runId"
-- 1

-- engine/endings/resumption.sql.ts keepResume
UPDATE `durable_runs` SET resume = ? WHERE id = ?;
-- "{"failed":[1,2],"delivered":3,"after":4,"passed":{"seq":5,"name":"name","next":6},"at":7,"forgiven":{}}"
-- "runId"

-- engine/endings/resumption.sql.ts resumeRuns
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `resume` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.resume' NULL ON EMPTY ERROR ON ERROR)) AS n ON r.id = n.id SET r.status = CASE WHEN r.limiter IS NULL THEN 'suspended' ELSE 'pending' END, r.precondition = CASE WHEN r.limiter IS NULL THEN NULL ELSE 'limiter' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.deadline = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + r.timeout_ms, r.crashes = 0, r.closing = NULL, r.error = NULL, r.finished_at = NULL, r.resume = n.resume, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);
-- "[{"id":"id-1","resume":"{\\"failed\\":[1,2],\\"delivered\\":3,\\"after\\":4,\\"passed\\":{\\"seq\\":5,\\"name\\":\\"name-1\\",\\"next\\":6},\\"at\\":7,\\"forgiven\\":{}}"},{"id":"id-2","resume":"{\\"failed\\":[8,9],\\"delivered\\":10,\\"after\\":11,\\"passed\\":{\\"seq\\":12,\\"name\\":\\"name-2\\",\\"next\\":13},\\"at\\":14,\\"forgiven\\":{}}"}]"
