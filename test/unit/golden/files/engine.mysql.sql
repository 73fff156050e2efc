-- engine/commits.sql.ts standsIn
((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known))));
-- "[{"id":"runId-1","known_seq":36,"known":37},{"id":"runId-2","known_seq":147,"known":148}]"

-- engine/commits.sql.ts standsIn, writes[].known = undefined
(w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known)));

-- engine/commits.sql.ts lockFenced
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE OF r;
-- "[{"id":"runId-1","known_seq":36,"known":37},{"id":"runId-2","known_seq":147,"known":148}]"
-- 3
-- "[{"id":"runId-1","epoch":1,"known_seq":34,"known":35},{"id":"runId-2","epoch":112,"known_seq":145,"known":146}]"
-- "owner-1"

-- engine/commits.sql.ts lockFenced, writes[].known = undefined
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE OF r;

-- engine/commits.sql.ts lockFenced, writes[].once = undefined
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE OF r;

-- engine/commits.sql.ts lockFenced, writes[].owner = undefined
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE OF r;

-- engine/commits.sql.ts lockFenced, the least
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE OF r;

-- engine/commits.sql.ts lockFenced, the least, writes[].once = true
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE OF r;

-- engine/commits.sql.ts lockFenced, the least, writes[].owner = string
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE OF r;

-- engine/commits.sql.ts lockRuns
SELECT id, epoch, owner, notifies FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/commits.sql.ts lockRuns, ids[] = 1
SELECT id, epoch, owner, notifies FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/commits.sql.ts changeRuns
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `final` bigint PATH '$.final' NULL ON EMPTY ERROR ON ERROR, `closing` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.closing' NULL ON EMPTY ERROR ON ERROR, `reason` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.reason' NULL ON EMPTY ERROR ON ERROR, `reason_detail` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.reason_detail' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR, `resume` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.resume' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `first_seq` bigint PATH '$.first_seq' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `cleared` bigint PATH '$.cleared' NULL ON EMPTY ERROR ON ERROR, `unwinds` bigint PATH '$.unwinds' NULL ON EMPTY ERROR ON ERROR, `ended` bigint PATH '$.ended' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = w.id SET r.owner = CASE WHEN w.status IS NULL THEN r.owner END, r.wake_at = CASE WHEN w.wake_at = 0 THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) ELSE w.wake_at END, r.settled = COALESCE(w.settled, r.settled), r.crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, r.crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, r.unwinds = GREATEST(r.unwinds, w.unwinds), r.reason = w.reason, r.reason_detail = w.reason_detail, r.output = w.output, r.error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), r.input = COALESCE(w.input, r.input), r.context = COALESCE(w.context, r.context), r.resume = COALESCE(w.resume, r.resume), r.first_seq = COALESCE(w.first_seq, r.first_seq), r.continued_at = CASE WHEN w.status = 'pending' THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 1 ELSE r.continued_at END, r.finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), w.ended) END, r.status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, r.closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END;
-- "[{"id":"runId-1","epoch":1,"known_seq":34,"known":35,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-1\\"}","resume":null,"ended":2},{"id":"runId-2","epoch":112,"known_seq":145,"known":146,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-2\\"}","resume":null,"ended":113}]"

-- engine/commits.sql.ts lockUnowned
SELECT id, status, reason, settled FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) AND namespace = ? AND owner IS NULL ORDER BY id FOR UPDATE;
-- "1"
-- "2"
-- "namespace"

-- engine/commits.sql.ts lockUnowned, ids[] = 1
SELECT id, status, reason, settled FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) AND namespace = ? AND owner IS NULL ORDER BY id FOR UPDATE;

-- engine/commits.sql.ts wakeRuns
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR)) AS w STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = w.id SET r.settled = w.settled, r.wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ELSE r.wake_at END RETURNING (`notification`) AS told;
-- "[{"id":"id-1","settled":1},{"id":"id-2","settled":2}]"

-- engine/commits.sql.ts wakeRuns, notification = undefined
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR)) AS w STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = w.id SET r.settled = w.settled, r.wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ELSE r.wake_at END;

-- engine/control.sql.ts deleteBelongings
DELETE e FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = k.found STRAIGHT_JOIN `durable_run_dependencies` AS e FORCE INDEX (`PRIMARY`) ON r.id = e.target_id AND r.status = 'completed';
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_run_dependencies` AS gone FORCE INDEX (`durable_run_dependencies_waiting`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_start_keys` AS gone FORCE INDEX (`durable_start_keys_run`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_run_attributes` AS gone FORCE INDEX (`PRIMARY`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_limiter_entries` AS gone FORCE INDEX (`durable_limiter_entries_run`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_step_attempts` AS gone FORCE INDEX (`PRIMARY`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_step_logs` AS gone FORCE INDEX (`durable_step_logs_run`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_steps` AS gone FORCE INDEX (`PRIMARY`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_signals` AS gone FORCE INDEX (`durable_signals_target`) ON gone.target = k.found AND addressed = 'run';
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"

-- engine/control.sql.ts deleteLives
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_limiter_entries` AS gone FORCE INDEX (`durable_limiter_entries_run`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_step_attempts` AS gone FORCE INDEX (`PRIMARY`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_step_logs` AS gone FORCE INDEX (`durable_step_logs_run`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_steps` AS gone FORCE INDEX (`PRIMARY`) ON gone.run_id = k.found;
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_signals` AS gone FORCE INDEX (`durable_signals_target`) ON gone.target = k.found AND addressed = 'run';
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"

-- engine/control.sql.ts lockResumable
SELECT id, parent_id, status, closing, output, resume, erased_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/control.sql.ts lockResumable, ids[] = 1
SELECT id, parent_id, status, closing, output, resume, erased_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/control.sql.ts selectUncompleted
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` FORCE INDEX (`PRIMARY`)
  WHERE run_id IN (?, ?) AND (status <> 'completed' OR seq < 0) LOCK IN SHARE MODE;
-- "runIds-1"
-- "runIds-2"

-- engine/control.sql.ts selectUncompleted, runIds[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` FORCE INDEX (`PRIMARY`)
  WHERE run_id IN (?) AND (status <> 'completed' OR seq < 0) LOCK IN SHARE MODE;

-- engine/control.sql.ts forgetSteps
DELETE s FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS d STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = d.run_id AND s.seq = d.seq;
-- "[{"run_id":"runId-1","seq":1},{"run_id":"runId-2","seq":2}]"

-- engine/control.sql.ts forgetMarkers
DELETE FROM `durable_steps` WHERE run_id = ? AND seq >= ? AND kind = 'marker';
-- "runId"
-- 1

-- engine/control.sql.ts keepResume
UPDATE `durable_runs` SET resume = ? WHERE id = ?;
-- "{"failed":[1,2],"delivered":3,"after":4,"passed":{"seq":5,"name":"name","next":6},"at":7,"forgiven":{}}"
-- "runId"

-- engine/control.sql.ts resumeRuns
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `resume` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.resume' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = n.id SET r.status = CASE WHEN r.limiter IS NULL THEN 'suspended' ELSE 'pending' END, r.precondition = CASE WHEN r.limiter IS NULL THEN NULL ELSE 'limiter' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.deadline = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + r.timeout_ms, r.crashes = 0, r.crashed = NULL, r.closing = NULL, r.error = NULL, r.finished_at = NULL, r.resume = n.resume, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);
-- "[{"id":"id-1","resume":"{\\"failed\\":[1,2],\\"delivered\\":3,\\"after\\":4,\\"passed\\":{\\"seq\\":5,\\"name\\":\\"name-1\\",\\"next\\":6},\\"at\\":7,\\"forgiven\\":{}}"},{"id":"id-2","resume":"{\\"failed\\":[8,9],\\"delivered\\":10,\\"after\\":11,\\"passed\\":{\\"seq\\":12,\\"name\\":\\"name-2\\",\\"next\\":13},\\"at\\":14,\\"forgiven\\":{}}"}]"

-- engine/control.sql.ts lockPurgeable
SELECT r.id FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
  WHERE r.namespace = ? AND r.ended = ? AND r.finished_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
    AND NOT COALESCE((SELECT p.finished_at IS NULL FROM `durable_runs` AS p WHERE p.id = r.parent_id), false)
    AND (SELECT COUNT(*) FROM `durable_run_dependencies` AS e WHERE e.target_id = r.id) = 0
  ORDER BY r.finished_at, r.id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "namespace"
-- "cancelled"
-- 2

-- engine/control.sql.ts selectChildren
SELECT id, parent_id, status FROM `durable_runs` FORCE INDEX (`durable_runs_parent`) WHERE parent_id IN (?, ?) LOCK IN SHARE MODE;
-- "parentIds-1"
-- "parentIds-2"

-- engine/control.sql.ts selectChildren, newest = false
SELECT id, parent_id, status FROM `durable_runs` FORCE INDEX (`durable_runs_parent`) WHERE parent_id IN (?, ?);

-- engine/control.sql.ts selectChildren, parentIds[] = 1
SELECT id, parent_id, status FROM `durable_runs` FORCE INDEX (`durable_runs_parent`) WHERE parent_id IN (?) LOCK IN SHARE MODE;

-- engine/control.sql.ts selectChildren, the least
SELECT id, parent_id, status FROM `durable_runs` FORCE INDEX (`durable_runs_parent`) WHERE parent_id IN (?);

-- engine/control.sql.ts lockByKey
SELECT id, parent_id, finished_at FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) ORDER BY id FOR UPDATE SKIP LOCKED;
-- "1"
-- "2"

-- engine/control.sql.ts lockByKey, ids[] = 1
SELECT id, parent_id, finished_at FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) ORDER BY id FOR UPDATE SKIP LOCKED;

-- engine/control.sql.ts lockByKey, skip = false
SELECT id, parent_id, finished_at FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) ORDER BY id FOR UPDATE;

-- engine/control.sql.ts lockByKey, the least
SELECT id, parent_id, finished_at FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/control.sql.ts orphanRuns
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET parent_id = NULL, parent_seq = NULL, parent_close = NULL, notifies = notifies - notifies % 2
  WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/control.sql.ts orphanRuns, ids[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET parent_id = NULL, parent_seq = NULL, parent_close = NULL, notifies = notifies - notifies % 2
  WHERE id IN (?);

-- engine/control.sql.ts selectOpenSteps
SELECT run_id, seq FROM `durable_steps` FORCE INDEX (`PRIMARY`)
  WHERE run_id IN (?, ?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL LOCK IN SHARE MODE;
-- "runIds-1"
-- "runIds-2"

-- engine/control.sql.ts selectOpenSteps, newest = false
SELECT run_id, seq FROM `durable_steps` FORCE INDEX (`PRIMARY`)
  WHERE run_id IN (?, ?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;

-- engine/control.sql.ts selectOpenSteps, runIds[] = 1
SELECT run_id, seq FROM `durable_steps` FORCE INDEX (`PRIMARY`)
  WHERE run_id IN (?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL LOCK IN SHARE MODE;

-- engine/control.sql.ts selectOpenSteps, the least
SELECT run_id, seq FROM `durable_steps` FORCE INDEX (`PRIMARY`)
  WHERE run_id IN (?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;

-- engine/control.sql.ts deleteRuns
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_runs` AS gone FORCE INDEX (`PRIMARY`) ON gone.id = k.found;
-- "[{"found":"1"},{"found":"2"}]"

-- engine/control.sql.ts deleteWaitsOfRuns
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_signal_waits` AS gone FORCE INDEX (`durable_signal_waits_step`) ON gone.step_id = k.found;
-- "[{"found":"stepIds-1"},{"found":"stepIds-2"}]"

-- engine/control.sql.ts selectRunChannels
SELECT DISTINCT channel FROM `durable_signals` WHERE target IN (?, ?) AND addressed = 'run';
-- "runIds-1"
-- "runIds-2"

-- engine/control.sql.ts selectRunChannels, runIds[] = 1
SELECT DISTINCT channel FROM `durable_signals` WHERE target IN (?) AND addressed = 'run';

-- engine/control.sql.ts deleteChannels
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_signal_channels` AS gone FORCE INDEX (`PRIMARY`) ON gone.channel = k.found;
-- "[{"found":"channels-1"},{"found":"channels-2"}]"

-- engine/control.sql.ts selectExpiredKeys
SELECT start_key FROM `durable_start_keys`
  WHERE expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) ORDER BY expires_at LIMIT 1;

-- engine/control.sql.ts deleteExpiredKeys
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_start_keys` AS gone FORCE INDEX (`PRIMARY`) ON gone.start_key = k.found AND expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "[{"found":"keys-1"},{"found":"keys-2"}]"

-- engine/control.sql.ts lockRuns
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/control.sql.ts lockRuns, ids[] = 1
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/control.sql.ts selectEditable
SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r WHERE r.id = ? FOR UPDATE;
-- "id"

-- engine/control.sql.ts selectEditable, locked = false
SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r WHERE r.id = ?;

-- engine/control.sql.ts selectSteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` FORCE INDEX (`PRIMARY`) WHERE run_id = ? ORDER BY seq LOCK IN SHARE MODE;
-- "runId"

-- engine/control.sql.ts selectSteps, newest = false
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` FORCE INDEX (`PRIMARY`) WHERE run_id = ? ORDER BY seq;

-- engine/endings.sql.ts selectEndedChildren
SELECT r.id, r.parent_id, r.parent_seq, r.status, r.output, r.error
  FROM `durable_runs` AS r JOIN `durable_runs` AS p ON p.id = r.parent_id
  WHERE r.id IN (?, ?) AND p.status NOT IN (?, ?, ?, ?);
-- "1"
-- "2"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings.sql.ts selectEndedChildren, ids[] = 1
SELECT r.id, r.parent_id, r.parent_seq, r.status, r.output, r.error
  FROM `durable_runs` AS r JOIN `durable_runs` AS p ON p.id = r.parent_id
  WHERE r.id IN (?) AND p.status NOT IN (?, ?, ?, ?);

-- engine/endings.sql.ts selectDependenciesTo
SELECT target_id, run_id FROM `durable_run_dependencies` WHERE target_id IN (?, ?);
-- "targetIds-1"
-- "targetIds-2"

-- engine/endings.sql.ts selectDependenciesTo, targetIds[] = 1
SELECT target_id, run_id FROM `durable_run_dependencies` WHERE target_id IN (?);

-- engine/endings.sql.ts lockWaiters
SELECT id, status, reason, owner, blockers FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?) ORDER BY id
  FOR UPDATE;
-- "1"
-- "2"

-- engine/endings.sql.ts lockWaiters, ids[] = 1
SELECT id, status, reason, owner, blockers FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?) ORDER BY id
  FOR UPDATE;

-- engine/endings.sql.ts deleteDependencies
DELETE e FROM JSON_TABLE(?, '$[*]' COLUMNS (`target_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR)) AS g STRAIGHT_JOIN `durable_run_dependencies` AS e FORCE INDEX (`PRIMARY`) ON e.target_id = g.target_id AND e.run_id = g.run_id;
-- "[{"target_id":"target_id-1","run_id":"run_id-1"},{"target_id":"target_id-2","run_id":"run_id-2"}]"

-- engine/endings.sql.ts deleteDependenciesOf
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_run_dependencies` AS gone FORCE INDEX (`durable_run_dependencies_waiting`) ON gone.run_id = k.found;
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"

-- engine/endings.sql.ts wakeWaiters
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `met` bigint PATH '$.met' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR)) AS w STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = w.id SET r.wake_at = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) ELSE r.wake_at END, r.reason = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN NULL ELSE r.reason END, r.precondition = CASE WHEN NOT (w.error IS NOT NULL OR r.blockers <= w.met) THEN r.precondition WHEN w.error IS NULL AND r.limiter IS NOT NULL THEN 'limiter' END, r.closing = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END, r.error = COALESCE(w.error, r.error), r.blockers = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN 0 ELSE r.blockers - w.met END;
-- "[{"id":"id-1","met":1,"error":"error-1"},{"id":"id-2","met":2,"error":"error-2"}]"

-- engine/endings.sql.ts selectStatuses
SELECT id, status FROM `durable_runs` WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/endings.sql.ts selectStatuses, ids[] = 1
SELECT id, status FROM `durable_runs` WHERE id IN (?);

-- engine/endings.sql.ts selectLimitersOf
SELECT DISTINCT limiter FROM `durable_limiter_entries` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings.sql.ts selectLimitersOf, runIds[] = 1
SELECT DISTINCT limiter FROM `durable_limiter_entries` WHERE run_id IN (?);

-- engine/endings.sql.ts deletePermitsOf
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_limiter_entries` AS gone FORCE INDEX (`durable_limiter_entries_run`) ON gone.run_id = k.found;
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"

-- engine/endings.sql.ts lockRun
SELECT id, namespace, workflow, status, reason, closing, notifies, unwinds, error, erased_at FROM `durable_runs` WHERE id = ? FOR UPDATE;
-- "runId"

-- engine/endings.sql.ts selectOpen
SELECT seq, kind, CASE WHEN kind = 'signal' AND status = 'answered' THEN output END AS given FROM `durable_steps` FORCE INDEX (`PRIMARY`) WHERE run_id = ? AND kind IN ('remote', 'signal') AND settled IS NULL LOCK IN SHARE MODE;
-- "runId"

-- engine/endings.sql.ts selectOpen, joined = false
SELECT seq, kind, CASE WHEN kind = 'signal' AND status = 'answered' THEN output END AS given FROM `durable_steps` FORCE INDEX (`PRIMARY`) WHERE run_id = ? AND kind IN ('remote', 'signal') AND settled IS NULL;

-- engine/endings.sql.ts selectOpenChildren
SELECT id, parent_close FROM `durable_runs` FORCE INDEX (`durable_runs_parent`)
  WHERE parent_id = ? AND parent_close <> 'abandon' AND status NOT IN (?, ?, ?, ?)
  ORDER BY id LOCK IN SHARE MODE;
-- "parentId"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings.sql.ts selectOpenChildren, joined = false
SELECT id, parent_close FROM `durable_runs` FORCE INDEX (`durable_runs_parent`)
  WHERE parent_id = ? AND parent_close <> 'abandon' AND status NOT IN (?, ?, ?, ?)
  ORDER BY id;

-- engine/endings.sql.ts endCancelled
UPDATE `durable_runs`
  SET status = 'cancelled', owner = NULL, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL,
    reason_detail = NULL, closing = NULL, error = ?, finished_at = GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at))
  WHERE id = ?;
-- "error"
-- "runId"

-- engine/endings.sql.ts beginClosing
UPDATE `durable_runs`
  SET status = 'compensating', closing = ?, owner = NULL, epoch = epoch + 1, wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed),
    reason = NULL, reason_detail = NULL, crashes = 0, crashed = NULL,
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = ?)
  WHERE id = ?;
-- "closing"
-- "runId"
-- "runId"

-- engine/endings.sql.ts selectOrders
SELECT id, settled FROM `durable_runs` WHERE id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings.sql.ts selectOrders, runIds[] = 1
SELECT id, settled FROM `durable_runs` WHERE id IN (?);

-- engine/endings.sql.ts lockOpenRemote
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` FORCE INDEX (`PRIMARY`)
  WHERE run_id IN (?, ?) AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE;
-- "runIds-1"
-- "runIds-2"

-- engine/endings.sql.ts lockOpenRemote, runIds[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` FORCE INDEX (`PRIMARY`)
  WHERE run_id IN (?) AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE;

-- engine/endings.sql.ts countSettled
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`)
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = `durable_runs`.id)
  WHERE id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings.sql.ts countSettled, runIds[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`)
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = `durable_runs`.id)
  WHERE id IN (?);

-- engine/endings.sql.ts forgetGiven
UPDATE `durable_steps` FORCE INDEX (`PRIMARY`) SET status = 'pending', output = NULL WHERE run_id = ? AND seq IN (?, ?);
-- "runId"
-- 1
-- 2

-- engine/endings.sql.ts forgetGiven, seqs[] = 1
UPDATE `durable_steps` FORCE INDEX (`PRIMARY`) SET status = 'pending', output = NULL WHERE run_id = ? AND seq IN (?);

-- engine/endings.sql.ts unblock
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), crashes = 0, crashed = NULL
  WHERE id = ? AND reason IN (?, ?, ?, ?, ?);
-- "runId"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"

-- engine/endings.sql.ts compensateAgain
UPDATE `durable_runs`
  SET status = 'compensating', wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), crashes = 0, crashed = NULL, finished_at = NULL, error = ?,
    closing = COALESCE(closing, 'failed'),
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = ?)
  WHERE id = ?;
-- "error"
-- "runId"
-- "runId"

-- engine/endings.sql.ts forgetFailedUndoing
DELETE FROM `durable_steps` WHERE run_id = ? AND seq < 0 AND status = 'failed';
-- "runId"

-- engine/endings.sql.ts insertDependencies
INSERT INTO `durable_run_dependencies` (target_id, run_id)
  SELECT e.target_id, e.run_id FROM JSON_TABLE(?, '$[*]' COLUMNS (`target_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR)) AS e `created`;
-- "[{"target_id":"target_id-1","run_id":"run_id-1"},{"target_id":"target_id-2","run_id":"run_id-2"}]"

-- engine/endings.sql.ts selectTargets
SELECT DISTINCT target_id FROM `durable_run_dependencies` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings.sql.ts selectTargets, runIds[] = 1
SELECT DISTINCT target_id FROM `durable_run_dependencies` WHERE run_id IN (?);

-- engine/endings.sql.ts lockOpen
SELECT id, notifies FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) AND status NOT IN (?, ?, ?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings.sql.ts lockOpen, ids[] = 1
SELECT id, notifies FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) AND status NOT IN (?, ?, ?, ?) ORDER BY id FOR UPDATE;

-- engine/endings.sql.ts notifyRuns
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET notifies = notifies | 2 WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/endings.sql.ts notifyRuns, ids[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET notifies = notifies | 2 WHERE id IN (?);

-- engine/endings.sql.ts lockConditional
SELECT id, epoch, owner, limiter, CASE WHEN deadline <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS late
  FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/endings.sql.ts lockConditional, ids[] = 1
SELECT id, epoch, owner, limiter, CASE WHEN deadline <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS late
  FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/endings.sql.ts selectTargetStatuses
SELECT e.run_id, e.target_id, r.status FROM `durable_run_dependencies` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.target_id
  WHERE e.run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/endings.sql.ts selectTargetStatuses, runIds[] = 1
SELECT e.run_id, e.target_id, r.status FROM `durable_run_dependencies` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.target_id
  WHERE e.run_id IN (?);

-- engine/endings.sql.ts decideConditional
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `blockers` bigint PATH '$.blockers' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR)) AS w STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = w.id SET r.owner = CASE WHEN w.blockers > 0 THEN NULL ELSE r.owner END, r.status = CASE WHEN w.error IS NOT NULL THEN 'compensating' WHEN w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL THEN 'running' ELSE 'pending' END, r.reason = CASE WHEN w.blockers > 0 THEN 'waiting_for_runs' END, r.wake_at = CASE WHEN w.blockers > 0 THEN r.deadline END, r.started_at = CASE WHEN w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL THEN COALESCE(r.started_at, GREATEST(r.created_at, ?)) ELSE r.started_at END, r.precondition = CASE WHEN w.blockers > 0 THEN r.precondition WHEN w.error IS NOT NULL OR r.limiter IS NULL THEN NULL ELSE 'limiter' END, r.closing = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END, r.error = COALESCE(w.error, r.error), r.blockers = w.blockers;
-- "[{"id":"id-1","blockers":1,"error":"error-1"},{"id":"id-2","blockers":2,"error":"error-2"}]"
-- 3

-- engine/erasure.sql.ts selectHaving
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.run_id > ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS b WHERE b.run_id = a.run_id AND b.name = ? AND b.type = ? AND b.number_value = ?)
  ORDER BY a.run_id LIMIT 2;
-- "namespace"
-- "attributes-1"
-- "date"
-- 4
-- "1"
-- "attributes-2"
-- "date"
-- 3

-- engine/erasure.sql.ts selectHaving, 2.attributes[] = 1
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.run_id > ? 
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure.sql.ts selectHaving, 2.attributes[][1] = number
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.run_id > ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS b WHERE b.run_id = a.run_id AND b.name = ? AND b.type = ? AND b.number_value = ?)
  ORDER BY a.run_id LIMIT 4;

-- engine/erasure.sql.ts selectHaving, 2.attributes[][1] = string
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.text_value = ? AND a.run_id > ? AND EXISTS (SELECT 1 FROM `durable_run_attributes` AS b WHERE b.run_id = a.run_id AND b.name = ? AND b.type = ? AND b.text_value = ?)
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure.sql.ts selectHaving, the least, 2.attributes[][1] = number
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.run_id > ? 
  ORDER BY a.run_id LIMIT 3;

-- engine/erasure.sql.ts selectHaving, the least, 2.attributes[][1] = string
SELECT a.run_id FROM `durable_run_attributes` AS a
  WHERE a.namespace = ? AND a.name = ? AND a.type = ? AND a.text_value = ? AND a.run_id > ? 
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure.sql.ts insertMarks
INSERT INTO `durable_erasures` (run_id, seq, namespace, erasure_id, discards, asked_at)
  SELECT n.run_id, n.seq, ?, ?, CAST(? AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS n LEFT JOIN `durable_runs` AS r ON r.id = n.run_id
  WHERE r.id IS NULL OR r.namespace = ?
  ON DUPLICATE KEY UPDATE erasure_id = VALUES(`erasure_id`), discards = VALUES(`discards`);
-- "namespace"
-- "id"
-- 1
-- "[{"run_id":"runIds-1","seq":-2000000000},{"run_id":"runIds-2","seq":-2000000000}]"
-- "namespace"

-- engine/erasure.sql.ts selectUnmarkedChildren
SELECT r.id AS run_id, -2000000000 AS seq, r.parent_id AS of_run FROM `durable_runs` AS r
  WHERE r.parent_id IN (?, ?)
    AND NOT EXISTS (SELECT 1 FROM `durable_erasures` AS e WHERE e.run_id = r.id AND e.seq = -2000000000)
  LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts selectUnmarkedChildren, runIds[] = 1
SELECT r.id AS run_id, -2000000000 AS seq, r.parent_id AS of_run FROM `durable_runs` AS r
  WHERE r.parent_id IN (?)
    AND NOT EXISTS (SELECT 1 FROM `durable_erasures` AS e WHERE e.run_id = r.id AND e.seq = -2000000000)
  LIMIT 1;

-- engine/erasure.sql.ts selectUnmarkedParents
SELECT r.parent_id AS run_id, r.parent_seq AS seq, r.id AS of_run FROM `durable_runs` AS r
  WHERE r.id IN (?, ?) AND r.parent_id IS NOT NULL AND r.parent_seq IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM `durable_erasures` AS e
      WHERE e.run_id = r.parent_id AND (e.seq = r.parent_seq OR e.seq = -2000000000));
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts selectUnmarkedParents, runIds[] = 1
SELECT r.parent_id AS run_id, r.parent_seq AS seq, r.id AS of_run FROM `durable_runs` AS r
  WHERE r.id IN (?) AND r.parent_id IS NOT NULL AND r.parent_seq IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM `durable_erasures` AS e
      WHERE e.run_id = r.parent_id AND (e.seq = r.parent_seq OR e.seq = -2000000000));

-- engine/erasure.sql.ts insertFollowed
INSERT INTO `durable_erasures` (run_id, seq, namespace, erasure_id, discards, asked_at)
  SELECT n.run_id, n.seq, e.namespace, e.erasure_id, e.discards, e.asked_at
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR)) AS n JOIN `durable_erasures` AS e ON e.run_id = n.of_run AND e.seq = -2000000000
  WHERE true ON DUPLICATE KEY UPDATE `run_id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`run_id`), VALUES(`run_id`));
-- "[{"run_id":"run_id-1","seq":1,"of_run":"of_run-1"},{"run_id":"run_id-2","seq":2,"of_run":"of_run-2"}]"
-- a large number
-- a large number
-- a large number

-- engine/erasure.sql.ts selectMarks
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM `durable_erasures` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.run_id
  WHERE e.erasure_id = ?
    AND e.run_id >= ? AND (e.run_id > ? OR e.seq > 1)
  ORDER BY e.run_id, e.seq LIMIT 2;
-- "of"
-- "runId"
-- "runId"

-- engine/erasure.sql.ts selectMarks, after.seq = null
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM `durable_erasures` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.run_id
  WHERE e.erasure_id = ?
    AND e.run_id >= ? AND (e.run_id > ? OR e.seq > -2000000000)
  ORDER BY e.run_id, e.seq LIMIT 1;

-- engine/erasure.sql.ts selectMarks, of = undefined
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM `durable_erasures` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.run_id
  WHERE e.namespace = ? AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 60000))
    AND e.run_id >= ? AND (e.run_id > ? OR e.seq > 1)
  ORDER BY e.run_id, e.seq LIMIT 2;

-- engine/erasure.sql.ts selectMarks, the least
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM `durable_erasures` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.run_id
  WHERE e.namespace = ? AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 60000))
    AND e.run_id >= ? AND (e.run_id > ? OR e.seq > -2000000000)
  ORDER BY e.run_id, e.seq LIMIT 1;

-- engine/erasure.sql.ts lockEnded
SELECT id FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) AND finished_at IS NOT NULL ORDER BY id FOR UPDATE;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts lockEnded, runIds[] = 1
SELECT id FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) AND finished_at IS NOT NULL ORDER BY id FOR UPDATE;

-- engine/erasure.sql.ts lockErased
SELECT id FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) AND finished_at IS NOT NULL AND erased_at IS NOT NULL ORDER BY id FOR UPDATE;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts lockErased, runIds[] = 1
SELECT id FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) AND finished_at IS NOT NULL AND erased_at IS NOT NULL ORDER BY id FOR UPDATE;

-- engine/erasure.sql.ts blankRuns
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET reason_detail = NULL, input = NULL, output = NULL, error = NULL, limits = NULL, custom_status = NULL, resume = NULL, context = NULL,
    erased_at = COALESCE(erased_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  WHERE id IN (?, ?)
    AND (erased_at IS NULL OR reason_detail IS NOT NULL OR input IS NOT NULL OR output IS NOT NULL OR error IS NOT NULL OR limits IS NOT NULL OR custom_status IS NOT NULL OR resume IS NOT NULL OR context IS NOT NULL);
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts blankRuns, runIds[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET reason_detail = NULL, input = NULL, output = NULL, error = NULL, limits = NULL, custom_status = NULL, resume = NULL, context = NULL,
    erased_at = COALESCE(erased_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  WHERE id IN (?)
    AND (erased_at IS NULL OR reason_detail IS NOT NULL OR input IS NOT NULL OR output IS NOT NULL OR error IS NOT NULL OR limits IS NOT NULL OR custom_status IS NOT NULL OR resume IS NOT NULL OR context IS NOT NULL);

-- engine/erasure.sql.ts noteErased
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET erased_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id IN (?, ?) AND erased_at IS NULL;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts noteErased, runIds[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET erased_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id IN (?) AND erased_at IS NULL;

-- engine/erasure.sql.ts deleteAttributesOf
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_run_attributes` AS gone FORCE INDEX (`PRIMARY`) ON gone.run_id = k.found;
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"

-- engine/erasure.sql.ts selectSteps
SELECT s.run_id, s.seq, CASE WHEN s.kind = 'signal' THEN s.ref END AS taken FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL) AND NOT (s.kind = 'marker' AND COALESCE(s.ref, '') = 'publish')
  ORDER BY s.run_id, s.seq LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts selectSteps, runIds[] = 1
SELECT s.run_id, s.seq, CASE WHEN s.kind = 'signal' THEN s.ref END AS taken FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL) AND NOT (s.kind = 'marker' AND COALESCE(s.ref, '') = 'publish')
  ORDER BY s.run_id, s.seq LIMIT 1;

-- engine/erasure.sql.ts blankSteps
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS g STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = g.run_id AND s.seq = g.seq AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL) SET s.input = NULL, s.output = NULL, s.error = NULL;
-- "[{"run_id":"run_id-1","seq":1},{"run_id":"run_id-2","seq":3}]"

-- engine/erasure.sql.ts blankAttemptsAt
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS g STRAIGHT_JOIN `durable_step_attempts` AS a FORCE INDEX (`PRIMARY`) ON a.run_id = g.run_id AND a.seq = g.seq AND a.error IS NOT NULL SET a.error = NULL;
-- "[{"run_id":"run_id-1","seq":1},{"run_id":"run_id-2","seq":3}]"

-- engine/erasure.sql.ts selectAttempts
SELECT DISTINCT a.run_id, a.seq FROM `durable_step_attempts` AS a
  WHERE a.run_id IN (?, ?) AND a.error IS NOT NULL LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts selectAttempts, runIds[] = 1
SELECT DISTINCT a.run_id, a.seq FROM `durable_step_attempts` AS a
  WHERE a.run_id IN (?) AND a.error IS NOT NULL LIMIT 1;

-- engine/erasure.sql.ts selectLines
SELECT id FROM `durable_step_logs` WHERE run_id IN (?, ?) LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts selectLines, runIds[] = 1
SELECT id FROM `durable_step_logs` WHERE run_id IN (?) LIMIT 1;

-- engine/erasure.sql.ts deleteLines
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_step_logs` AS gone FORCE INDEX (`PRIMARY`) ON gone.id = k.found;
-- "[{"found":"1"},{"found":"2"}]"

-- engine/erasure.sql.ts selectSent
SELECT id FROM `durable_signals` WHERE target IN (?, ?) AND addressed = 'run' LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts selectSent, runIds[] = 1
SELECT id FROM `durable_signals` WHERE target IN (?) AND addressed = 'run' LIMIT 1;

-- engine/erasure.sql.ts selectTaken
SELECT g.id FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR)) AS n
  JOIN `durable_signals` AS g ON g.channel = n.channel AND g.position = n.position AND g.taken_by = n.run_id;
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1"},{"channel":"channel-2","position":2,"run_id":"run_id-2"}]"

-- engine/erasure.sql.ts selectPublished
SELECT s.run_id, s.seq, s.output FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND s.kind = 'marker' AND s.ref = ? AND s.output IS NOT NULL
    AND (s.run_id > ? OR (s.run_id = ? AND s.seq > 1))
  ORDER BY s.run_id, s.seq LIMIT 2;
-- "runIds-1"
-- "runIds-2"
-- "publish"
-- "runId"
-- "runId"

-- engine/erasure.sql.ts selectPublished, after.seq = null
SELECT s.run_id, s.seq, s.output FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND s.kind = 'marker' AND s.ref = ? AND s.output IS NOT NULL
    AND (s.run_id > ? OR (s.run_id = ? AND s.seq > -2000000000))
  ORDER BY s.run_id, s.seq LIMIT 1;

-- engine/erasure.sql.ts selectPublished, runIds[] = 1
SELECT s.run_id, s.seq, s.output FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND s.kind = 'marker' AND s.ref = ? AND s.output IS NOT NULL
    AND (s.run_id > ? OR (s.run_id = ? AND s.seq > 1))
  ORDER BY s.run_id, s.seq LIMIT 2;

-- engine/erasure.sql.ts selectPublished, the least
SELECT s.run_id, s.seq, s.output FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND s.kind = 'marker' AND s.ref = ? AND s.output IS NOT NULL
    AND (s.run_id > ? OR (s.run_id = ? AND s.seq > -2000000000))
  ORDER BY s.run_id, s.seq LIMIT 1;

-- engine/erasure.sql.ts selectUnerased
SELECT id FROM `durable_runs` WHERE id IN (?, ?) AND (finished_at IS NULL OR erased_at IS NULL);
-- "runIds-1"
-- "runIds-2"

-- engine/erasure.sql.ts selectUnerased, runIds[] = 1
SELECT id FROM `durable_runs` WHERE id IN (?) AND (finished_at IS NULL OR erased_at IS NULL);

-- engine/erasure.sql.ts deleteMarks
DELETE e FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `erasure_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.erasure_id' NULL ON EMPTY ERROR ON ERROR)) AS g STRAIGHT_JOIN `durable_erasures` AS e FORCE INDEX (`PRIMARY`) ON e.run_id = g.run_id AND e.seq = g.seq AND e.erasure_id = g.erasure_id;
-- "[{"run_id":"runId-1","seq":1,"erasure_id":"erasureId-1"},{"run_id":"runId-2","seq":2,"erasure_id":"erasureId-2"}]"

-- engine/fleet.sql.ts countSourceByStatus
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 9
-- "date"
-- 10
-- "name-2"
-- "date"
-- 11
-- "date"
-- 12

-- engine/fleet.sql.ts countSourceByStatus, query.attributes = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = "<="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = "="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = ">"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = ">="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].value = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 13) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].value = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.blocked = false
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.createdBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.createdFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.namespace = ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.endedBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.endedFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.idPrefix = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.order = "newest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? AND r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.order = "oldest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? AND r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.parentId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.past = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.reason = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.scheduleId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.status = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.version = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "limiter"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "retry"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "run"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "signal"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "task"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "timer"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.workflow = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 9) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.attributes = readonly AttributeFilter[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.blocked = true
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.reason IN (?, ?, ?, ?, ?) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.createdBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at < ? AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.createdFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at >= ? AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.endedBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at < ? AND r.namespace = ? AND r.finished_at < ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.endedFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.finished_at >= ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.idPrefix = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.id >= ? AND r.id < ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.order = "ended"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at IS NOT NULL AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.parentId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.parent_id = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.past = ListPosition
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.reason = readonly RunReason[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.reason IN (?) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.scheduleId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.schedule_id = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.status = readonly RunStatus[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.status IN (?) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.version = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.version = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 4) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.workflow = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = ? AND r.workflow = ? THEN 1 ELSE 0 END AS fits
    FROM (`ids` LIMIT 3) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 8
-- "date"
-- 9
-- "name-2"
-- "date"
-- 10
-- "date"
-- 11
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998

-- engine/fleet.sql.ts countNewestByStatus, query.attributes = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = "<="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = "="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = ">"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = ">="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].value = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.blocked = false
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.createdBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.createdFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.endedBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.endedFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.idPrefix = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.order = "newest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.order = "oldest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.parentId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.past = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.reason = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.scheduleId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.status = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.version = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "limiter"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "retry"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "run"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "signal"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "task"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "timer"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.workflow = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.attributes = readonly AttributeFilter[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.blocked = true
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.reason IN (?, ?, ?, ?, ?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.createdBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.createdFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.endedBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at < ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.endedFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at >= ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.idPrefix = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.id >= ? AND r.id < ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.order = "ended"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.finished_at IS NOT NULL ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.parentId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.parent_id = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.past = ListPosition
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.reason = readonly RunReason[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.reason IN (?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.scheduleId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.schedule_id = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.status = readonly RunStatus[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.status IN (?) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.version = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.version = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.workflow = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = ? AND r.workflow = ? THEN 1 ELSE 0 END AS fits
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countIndexed
SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c;
-- "namespace"
-- "namespace"

-- engine/fleet.sql.ts countIndexed, statuses[] = "compensating"
SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "compensation_failed"
SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "completed"
SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "failed"
SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "pending"
SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "running"
SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s WHERE s.namespace = ? AND s.owner IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s WHERE s.namespace = ? AND s.owner IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "suspended"
SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least
SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "cancelled"
SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "compensating"
SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "compensation_failed"
SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "completed"
SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "failed"
SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "pending"
SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s FORCE INDEX (`durable_runs_finished`) WHERE s.namespace = ?
        AND s.ended = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "running"
SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM `durable_runs` AS s WHERE s.namespace = ? AND s.owner IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countBlocked
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
    WHERE r.namespace = ? AND r.reason = ? AND (r.workflow > ? OR (r.workflow = ? AND r.version > ?))
    ORDER BY r.workflow, r.version LIMIT 3
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;
-- "namespace"
-- "exhausted"
-- "workflow"
-- "workflow"
-- 1

-- engine/fleet.sql.ts countBlocked, 3.after = undefined
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
    WHERE r.namespace = ? AND r.reason = ? 
    ORDER BY r.workflow, r.version LIMIT 2
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/fleet.sql.ts countBlocked, 3.reason = undefined
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
    WHERE r.namespace = ? AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?, ?, ?) AND (r.workflow > ? OR (r.workflow = ? AND r.version > ?))
    ORDER BY r.workflow, r.version LIMIT 3
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/fleet.sql.ts countBlocked, the least
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
    WHERE r.namespace = ? AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?, ?, ?) 
    ORDER BY r.workflow, r.version LIMIT 2
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/fleet.sql.ts selectLimitersInUse
SELECT e.limiter FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_queue`)
      WHERE e.limiter > _utf8mb4 0x31 GROUP BY e.limiter ORDER BY e.limiter LIMIT 2;

-- engine/fleet.sql.ts selectLimiterUse
(
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM `durable_limiter_entries` AS e WHERE e.limiter = ? ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM `durable_limiters` AS l WHERE l.limiter = ? AND l.namespace = ?) UNION ALL (
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM `durable_limiter_entries` AS e WHERE e.limiter = ? ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM `durable_limiters` AS l WHERE l.limiter = ? AND l.namespace = ?);
-- "limiters-1"
-- "limiters-1"
-- "limiters-1"
-- "limiters-1"
-- "limiters-1"
-- "namespace"
-- "limiters-2"
-- "limiters-2"
-- "limiters-2"
-- "limiters-2"
-- "limiters-2"
-- "namespace"

-- engine/fleet.sql.ts selectLimiterUse, limiters[] = 1
(
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits FROM `durable_limiter_entries` AS e WHERE e.limiter = ? ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM `durable_limiters` AS l WHERE l.limiter = ? AND l.namespace = ?);

-- engine/fleet.sql.ts selectLimiterUsers
SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM ((
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1)) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder;
-- "limiters-1"
-- "limiters-1"
-- "limiters-2"
-- "limiters-2"

-- engine/fleet.sql.ts selectLimiterUsers, limiters[] = 1
SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM ((
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder LIMIT 1)) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder;

-- engine/fleet.sql.ts selectUntaken
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_order`)
      WHERE s.channel = ? AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_unfiled`)
      WHERE s.channel = ? AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = ? AND n.addressed = 'key' AND n.target = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;
-- "channel"
-- "channel"
-- "name"
-- "key"

-- engine/fleet.sql.ts selectUntaken, source.channel = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_target`)
      WHERE s.target = ? AND s.addressed = 'run' AND s.namespace = ?  LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = ? AND n.addressed = 'key' AND n.target = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, source.key = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_order`)
      WHERE s.channel = ? AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_unfiled`)
      WHERE s.channel = ? AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, source.name = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_order`)
      WHERE s.channel = ? AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_unfiled`)
      WHERE s.channel = ? AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.addressed = 'key' AND n.target = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least, source.channel = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_order`)
      WHERE s.channel = ? AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_unfiled`)
      WHERE s.channel = ? AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least, source.key = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.addressed = 'key' AND n.target = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least, source.name = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_age`)
      WHERE s.namespace = ? AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = ? GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least, source.run = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM `durable_signals` AS s FORCE INDEX (`durable_signals_target`)
      WHERE s.target = ? AND s.addressed = 'run' AND s.namespace = ?  LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts countListening
SELECT w.channel, count(*) AS waits FROM `durable_signal_waits` AS w WHERE w.channel IN (?, ?) GROUP BY w.channel;
-- "channels-1"
-- "channels-2"

-- engine/fleet.sql.ts countListening, channels[] = 1
SELECT w.channel, count(*) AS waits FROM `durable_signal_waits` AS w WHERE w.channel IN (?) GROUP BY w.channel;

-- engine/fleet.sql.ts selectSignalWaits
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (
    SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM (
      SELECT s.run_id, s.seq FROM `durable_steps` AS s
      WHERE s.run_id = ? AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT 1000
    ) AS o JOIN `durable_signal_waits` AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
    WHERE w.channel > ? OR (w.channel = ? AND w.step_id > ?) ORDER BY w.channel, w.step_id LIMIT 1) AS w
  LEFT JOIN `durable_steps` AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN `durable_runs` AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;
-- "run"
-- "channel"
-- "channel"
-- "stepId"

-- engine/fleet.sql.ts selectSignalWaits, source.run = undefined
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM `durable_signal_waits` AS w FORCE INDEX (`PRIMARY`) WHERE w.channel = ? AND w.step_id > ? ORDER BY w.step_id LIMIT 1) AS w
  LEFT JOIN `durable_steps` AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN `durable_runs` AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;

-- engine/fleet.sql.ts selectSignalWaits, the least
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (
    SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM (
      (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM `durable_signal_waits` AS w FORCE INDEX (`PRIMARY`) WHERE w.channel = ? AND w.step_id > ? ORDER BY w.step_id LIMIT 1) UNION ALL
      (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM `durable_signal_waits` AS w FORCE INDEX (`PRIMARY`) WHERE w.channel > ? ORDER BY w.channel, w.step_id LIMIT 1)
    ) AS w ORDER BY w.channel, w.step_id LIMIT 1) AS w
  LEFT JOIN `durable_steps` AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN `durable_runs` AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;

-- engine/insight.sql.ts selectAttempts
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM `durable_step_attempts`
  WHERE run_id = ? AND seq IN (?, ?)
  ORDER BY run_id, seq, attempt LIMIT 20000;
-- "runId"
-- 1
-- 2

-- engine/insight.sql.ts selectAttempts, seqs = undefined
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM `durable_step_attempts`
  WHERE run_id = ? 
  ORDER BY run_id, seq, attempt LIMIT 20000;

-- engine/insight.sql.ts selectAttempts, seqs[] = 1
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM `durable_step_attempts`
  WHERE run_id = ? AND seq IN (?)
  ORDER BY run_id, seq, attempt LIMIT 20000;

-- engine/insight.sql.ts selectLines
SELECT seq, attempt, level, message, fields, logged_at FROM `durable_step_logs`
  WHERE run_id = ? AND seq = ? ORDER BY run_id, id LIMIT 20000;
-- "runId"
-- 1

-- engine/insight.sql.ts selectLines, seq = undefined
SELECT seq, attempt, level, message, fields, logged_at FROM `durable_step_logs`
  WHERE run_id = ?  ORDER BY run_id, id LIMIT 20000;

-- engine/insight.sql.ts selectAttributes
SELECT run_id, name, type, text_value, number_value FROM `durable_run_attributes`
  WHERE run_id IN (?, ?) ORDER BY run_id, name;
-- "runIds-1"
-- "runIds-2"

-- engine/insight.sql.ts selectAttributes, runIds[] = 1
SELECT run_id, name, type, text_value, number_value FROM `durable_run_attributes`
  WHERE run_id IN (?) ORDER BY run_id, name;

-- engine/insight.sql.ts selectChildren
SELECT `columns`, parent_close FROM `durable_runs`
  WHERE parent_id = ? ORDER BY created_at, id LIMIT 1;
-- "runId"

-- engine/insight.sql.ts selectOpenRemotes
SELECT seq FROM `durable_steps`
  WHERE run_id = ? AND kind = 'remote' AND settled IS NULL ORDER BY seq LIMIT 1000;
-- "runId"

-- engine/insight.sql.ts selectTasks
SELECT step_id, seq, name, grp, attempt, claimed_by, claimed_at, created_at FROM `durable_transport_tasks`
  WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- engine/insight.sql.ts selectTasks, stepIds[] = 1
SELECT step_id, seq, name, grp, attempt, claimed_by, claimed_at, created_at FROM `durable_transport_tasks`
  WHERE step_id IN (?);

-- engine/insight.sql.ts selectOpenWaits
SELECT w.seq, w.channel, w.deadline FROM (
    SELECT s.run_id, s.seq FROM `durable_steps` AS s
    WHERE s.run_id = ? AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT 1000
  ) AS o JOIN `durable_signal_waits` AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
  ORDER BY w.seq, w.channel LIMIT 1000;
-- "runId"

-- engine/insight.sql.ts selectAwaitedRuns
SELECT e.target_id AS id, r.status FROM `durable_run_dependencies` AS e LEFT JOIN `durable_runs` AS r ON r.id = e.target_id
  WHERE e.run_id = ? ORDER BY e.target_id LIMIT 1000;
-- "runId"

-- engine/insight.sql.ts selectLimiters
SELECT e.holder, e.limiter, e.granted, e.turn, e.queued_at, e.limits, l.open_at
  FROM `durable_limiter_entries` AS e LEFT JOIN `durable_limiters` AS l ON l.limiter = e.limiter
  WHERE e.run_id = ? ORDER BY e.queued_at, e.holder LIMIT 1000;
-- "runId"

-- engine/insight.sql.ts countLimiter
SELECT (SELECT count(*) FROM (
    SELECT 1 AS found FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 0 AND e.turn <= ? AND (e.turn < ? OR e.queued_at < ? OR (e.queued_at = ? AND e.holder < ?)) LIMIT 10000) AS c) AS ahead, (SELECT count(*) FROM (
    SELECT 1 AS found FROM `durable_limiter_entries` AS e WHERE e.limiter = ? AND e.granted = 1 LIMIT 10000) AS c) AS holding;
-- "limiter"
-- 2
-- 2
-- 3
-- 3
-- "holder"
-- "limiter"

-- engine/insight.sql.ts selectClaimed
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r WHERE r.id = ?;
-- "runId"

-- engine/insight.sql.ts selectFirstSeq
SELECT first_seq FROM `durable_runs` WHERE id = ?;
-- "runId"

-- engine/insight.sql.ts selectFacts
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id = ? AND seq > ? ORDER BY run_id, seq LIMIT 2;
-- "runId"
-- 1

-- engine/insight.sql.ts selectPart
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM `durable_steps` WHERE run_id = ? AND seq > ? ORDER BY run_id, seq LIMIT 2;
-- "runId"
-- 1

-- engine/insight.sql.ts selectSettledAfter
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps`
  WHERE run_id = ? AND settled > ? ORDER BY settled LIMIT 2;
-- "runId"
-- 1

-- engine/insight.sql.ts selectOpen
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id = ? AND settled IS NULL AND kind <> 'marker'
  ORDER BY COALESCE(asked_at, created_at) DESC, seq DESC LIMIT 1;
-- "runId"

-- engine/insight.sql.ts selectLastSettled
SELECT COALESCE(MAX(settled), 0) AS settled FROM `durable_steps` WHERE run_id = ?;
-- "runId"

-- engine/insight.sql.ts countLines
SELECT l.seq, count(*) AS line_count
  FROM (SELECT seq FROM `durable_step_logs` WHERE run_id = ? ORDER BY run_id, id LIMIT 3) AS l
  WHERE l.seq >= ? AND l.seq <= ? GROUP BY l.seq;
-- "runId"
-- 1
-- 2

-- engine/limits.sql.ts lockConditional
SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS overdue
  FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?) AND owner IS NOT NULL ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/limits.sql.ts lockConditional, ids[] = 1
SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 ELSE 0 END AS overdue
  FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?) AND owner IS NOT NULL ORDER BY id FOR UPDATE;

-- engine/limits.sql.ts insertLimiters
INSERT INTO `durable_limiters` (limiter, namespace, name, limiter_key)
  SELECT n.limiter, n.namespace, n.name, n.limiter_key FROM JSON_TABLE(?, '$[*]' COLUMNS (`limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `limiter_key` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter_key' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `limiter` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`limiter`), VALUES(`limiter`));
-- "[{"limiter":"limiter-1","namespace":"namespace-1","name":"name-1","limiter_key":"key-1"},{"limiter":"limiter-2","namespace":"namespace-2","name":"name-2","limiter_key":"key-2"}]"
-- a large number
-- a large number
-- a large number

-- engine/limits.sql.ts lockLimiterRows
SELECT limiter, grants, open_at FROM `durable_limiters` FORCE INDEX (`PRIMARY`) WHERE limiter IN (?, ?) ORDER BY limiter FOR UPDATE;
-- "limiters-1"
-- "limiters-2"

-- engine/limits.sql.ts lockLimiterRows, limiters[] = 1
SELECT limiter, grants, open_at FROM `durable_limiters` FORCE INDEX (`PRIMARY`) WHERE limiter IN (?) ORDER BY limiter FOR UPDATE;

-- engine/limits.sql.ts selectLimiters
SELECT limiter, grants, open_at FROM `durable_limiters` WHERE limiter IN (?, ?);
-- "limiters-1"
-- "limiters-2"

-- engine/limits.sql.ts selectLimiters, limiters[] = 1
SELECT limiter, grants, open_at FROM `durable_limiters` WHERE limiter IN (?);

-- engine/limits.sql.ts countGranted
SELECT limiter, count(*) AS granted FROM `durable_limiter_entries`
  WHERE limiter IN (?, ?) AND granted = 1 GROUP BY limiter;
-- "limiters-1"
-- "limiters-2"

-- engine/limits.sql.ts countGranted, limiters[] = 1
SELECT limiter, count(*) AS granted FROM `durable_limiter_entries`
  WHERE limiter IN (?) AND granted = 1 GROUP BY limiter;

-- engine/limits.sql.ts selectWaiting
(SELECT e.limiter, e.holder, e.run_id, e.limits, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) UNION ALL (SELECT e.limiter, e.holder, e.run_id, e.limits, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1);
-- "limiters-1"
-- "limiters-2"

-- engine/limits.sql.ts selectWaiting, limiters[] = 1
(SELECT e.limiter, e.holder, e.run_id, e.limits, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `durable_limiter_entries` AS e
    WHERE e.limiter = ? AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1);

-- engine/limits.sql.ts insertRunEntries
INSERT INTO `durable_limiter_entries` (holder, limiter, run_id, granted, turn, queued_at, limits)
  SELECT n.holder, n.limiter, n.holder, 0, n.turn, n.queued_at, n.limits
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`holder` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.holder' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `queued_at` bigint PATH '$.queued_at' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `holder` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`holder`), VALUES(`holder`));
-- "[{"holder":"id-1","limiter":"limiter-1","limits":"limitRequest-1","turn":1,"queued_at":2},{"holder":"id-2","limiter":"limiter-2","limits":"limitRequest-2","turn":3,"queued_at":4}]"
-- a large number
-- a large number
-- a large number

-- engine/limits.sql.ts upsertStepEntries
INSERT INTO `durable_limiter_entries` (holder, limiter, run_id, granted, turn, queued_at, limits, task)
  SELECT n.holder, n.limiter, n.run_id, 0, n.turn, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.limits, n.task
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`holder` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.holder' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `task` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.task' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE granted = 0, `limiter` = VALUES(`limiter`), `limits` = VALUES(`limits`), `task` = VALUES(`task`);
-- "[{"holder":"stepId-1","limiter":"limiter-1","run_id":"runId-1","turn":-7,"limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":4,\\"rate\\":{\\"max\\":5,\\"durationMs\\":6}}}","task":"{\\"stepId\\":\\"stepId-1\\",\\"runId\\":\\"runId-1\\",\\"seq\\":1,\\"name\\":\\"name-1\\",\\"group\\":\\"group-1\\",\\"input\\":\\"input-1\\",\\"attempt\\":2,\\"priority\\":3}"},{"holder":"stepId-2","limiter":"limiter-2","run_id":"runId-2","turn":-14,"limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":11,\\"rate\\":{\\"max\\":12,\\"durationMs\\":13}}}","task":"{\\"stepId\\":\\"stepId-2\\",\\"runId\\":\\"runId-2\\",\\"seq\\":8,\\"name\\":\\"name-2\\",\\"group\\":\\"group-2\\",\\"input\\":\\"input-2\\",\\"attempt\\":9,\\"priority\\":10}"}]"

-- engine/limits.sql.ts deleteEntries
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_limiter_entries` AS gone FORCE INDEX (`PRIMARY`) ON gone.holder = k.found;
-- "[{"found":"holders-1"},{"found":"holders-2"}]"

-- engine/limits.sql.ts selectEntries
SELECT holder, limiter, granted, run_id FROM `durable_limiter_entries` WHERE holder IN (?, ?);
-- "holders-1"
-- "holders-2"

-- engine/limits.sql.ts selectEntries, holders[] = 1
SELECT holder, limiter, granted, run_id FROM `durable_limiter_entries` WHERE holder IN (?);

-- engine/limits.sql.ts lockEntries
SELECT holder, run_id, task FROM `durable_limiter_entries` FORCE INDEX (`PRIMARY`)
  WHERE holder IN (?, ?) AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED;
-- "holders-1"
-- "holders-2"

-- engine/limits.sql.ts lockEntries, holders[] = 1
SELECT holder, run_id, task FROM `durable_limiter_entries` FORCE INDEX (`PRIMARY`)
  WHERE holder IN (?) AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED;

-- engine/limits.sql.ts lockWaitingRuns
SELECT id, owner FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) AND precondition = 'limiter' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED;
-- "1"
-- "2"

-- engine/limits.sql.ts lockWaitingRuns, ids[] = 1
SELECT id, owner FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) AND precondition = 'limiter' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED;

-- engine/limits.sql.ts markGranted
UPDATE `durable_limiter_entries` FORCE INDEX (`PRIMARY`) SET granted = 1, task = NULL WHERE holder IN (?, ?);
-- "holders-1"
-- "holders-2"

-- engine/limits.sql.ts markGranted, holders[] = 1
UPDATE `durable_limiter_entries` FORCE INDEX (`PRIMARY`) SET granted = 1, task = NULL WHERE holder IN (?);

-- engine/limits.sql.ts passRuns
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET precondition = NULL, reason = NULL, wake_at = CASE WHEN owner IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) END
  WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/limits.sql.ts passRuns, ids[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET precondition = NULL, reason = NULL, wake_at = CASE WHEN owner IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) END
  WHERE id IN (?);

-- engine/limits.sql.ts startRuns
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`)
  SET precondition = NULL, reason = NULL, started_at = COALESCE(started_at, GREATEST(created_at, ?)),
    status = CASE WHEN closing IS NULL THEN 'running' ELSE status END
  WHERE id IN (?, ?);
-- 3
-- "1"
-- "2"

-- engine/limits.sql.ts startRuns, ids[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`)
  SET precondition = NULL, reason = NULL, started_at = COALESCE(started_at, GREATEST(created_at, ?)),
    status = CASE WHEN closing IS NULL THEN 'running' ELSE status END
  WHERE id IN (?);

-- engine/limits.sql.ts parkRuns
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET owner = NULL, status = 'pending', reason = ?, wake_at = deadline
  WHERE id IN (?, ?);
-- "reason"
-- "1"
-- "2"

-- engine/limits.sql.ts parkRuns, ids[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET owner = NULL, status = 'pending', reason = ?, wake_at = deadline
  WHERE id IN (?);

-- engine/limits.sql.ts updateLimiters
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `grants` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.grants' NULL ON EMPTY ERROR ON ERROR, `open_at` bigint PATH '$.open_at' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_limiters` AS l FORCE INDEX (`PRIMARY`) ON l.limiter = n.limiter SET l.grants = n.grants, l.open_at = n.open_at;
-- "[{"limiter":"limiter-1","grants":"grants-1","open_at":1},{"limiter":"limiter-2","grants":"grants-2","open_at":2}]"

-- engine/limits.sql.ts deleteLimiters
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_limiters` AS gone FORCE INDEX (`PRIMARY`) ON gone.limiter = k.found;
-- "[{"found":"limiters-1"},{"found":"limiters-2"}]"

-- engine/limits.sql.ts selectPeopled
SELECT DISTINCT limiter FROM `durable_limiter_entries` WHERE limiter > ? ORDER BY limiter LIMIT 2;
-- "1"

-- engine/limits.sql.ts notifyLimiters
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET notifies = notifies + 4
  WHERE id IN (?, ?) AND notifies < 4;
-- "runIds-1"
-- "runIds-2"

-- engine/limits.sql.ts notifyLimiters, runIds[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET notifies = notifies + 4
  WHERE id IN (?) AND notifies < 4;

-- engine/listing.sql.ts fits
a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ?;
-- "name"
-- "date"
-- 1
-- "date"
-- 2

-- engine/listing.sql.ts fits, 1.compare[] = 1
a.name = ? AND a.type = ? AND a.number_value < ?;

-- engine/listing.sql.ts fits, 1.compare[].how = "<="
a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ?;

-- engine/listing.sql.ts fits, 1.compare[].how = "="
a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ?;

-- engine/listing.sql.ts fits, 1.compare[].how = ">"
a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ?;

-- engine/listing.sql.ts fits, 1.compare[].how = ">="
a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ?;

-- engine/listing.sql.ts fits, 1.compare[].value = string
a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ?;

-- engine/listing.sql.ts fits, the least
a.name = ? AND a.type = ? AND a.number_value >= ?;

-- engine/listing.sql.ts fits, the least, 1.compare[].how = "<="
a.name = ? AND a.type = ? AND a.number_value <= ?;

-- engine/listing.sql.ts fits, the least, 1.compare[].how = "="
a.name = ? AND a.type = ? AND a.number_value = ?;

-- engine/listing.sql.ts fits, the least, 1.compare[].how = ">"
a.name = ? AND a.type = ? AND a.number_value > ?;

-- engine/listing.sql.ts fits, the least, 1.compare[].value = string
a.name = ? AND a.type = ? AND a.text_value >= ?;

-- engine/listing.sql.ts countSource
SELECT count(*) AS found FROM (`ids` LIMIT 10001) AS c;

-- engine/listing.sql.ts runsOf
(`ids` LIMIT 1) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id;

-- engine/listing.sql.ts pageOfSource
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 8
-- "date"
-- 9
-- "name-2"
-- "date"
-- 10
-- "date"
-- 11

-- engine/listing.sql.ts pageOfSource, query.attributes = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[] = 1
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[] = 1
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "<="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].value = number
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 11;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].value = string
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.blocked = false
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.createdBefore = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.createdFrom = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.namespace = ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.endedBefore = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.endedFrom = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.idPrefix = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.order = "newest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? AND r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.order = "oldest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? AND r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.created_at ASC, r.id ASC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.parentId = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.past = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.reason = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.scheduleId = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.status = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.version = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.waitsFor = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "limiter"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "retry"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "run"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs')
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "signal"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "task"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "timer"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.workflow = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ? AND r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, the least
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.attributes = readonly AttributeFilter[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.blocked = true
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.reason IN (?, ?, ?, ?, ?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.createdBefore = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at < ? AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.createdFrom = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at >= ? AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.endedBefore = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at < ? AND r.namespace = ? AND r.finished_at < ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.endedFrom = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.finished_at >= ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.idPrefix = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.id >= ? AND r.id < ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.order = "ended"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.finished_at IS NOT NULL AND r.namespace = ?
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.order = "oldest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ?
  ORDER BY r.created_at ASC, r.id ASC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.parentId = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.parent_id = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.past = ListPosition
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.namespace = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.reason = readonly RunReason[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.reason IN (?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.scheduleId = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.schedule_id = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.status = readonly RunStatus[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.status IN (?)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.version = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.version = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.workflow = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM (`ids` LIMIT 10000) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id
  WHERE 1 = 1 AND r.namespace = ? AND r.workflow = ?
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfOrder
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 9
-- "date"
-- 10
-- "name-2"
-- "date"
-- 11
-- "date"
-- 12
-- "namespace"
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998

-- engine/listing.sql.ts pageOfOrder, query.attributes = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[] = 1
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[] = 1
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "<="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = number
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 12)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 12) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 11
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = string
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.blocked = false
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.createdBefore = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.createdFrom = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.endedBefore = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.endedFrom = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.idPrefix = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.order = "newest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 8)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ? ORDER BY r.created_at ASC, r.id ASC LIMIT 8)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at ASC, id ASC LIMIT 7
    ) AS f
    UNION ALL SELECT max(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at ASC, u.id ASC;

-- engine/listing.sql.ts pageOfOrder, query.parentId = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.past = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.reason = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.scheduleId = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'completed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'failed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'compensation_failed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status[] = "compensating"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM () AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status[] = "compensation_failed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'compensation_failed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status[] = "completed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'completed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status[] = "failed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'failed' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.version = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "limiter"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "retry"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "run"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "signal"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "task"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "timer"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.workflow = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.attributes = readonly AttributeFilter[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.blocked = true
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.reason IN (?, ?, ?, ?, ?) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.createdBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.createdFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at >= ? ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.endedBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at < ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at < ? ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.endedFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at >= ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.idPrefix = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.id >= ? AND r.id < ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.order = "ended"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'completed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'failed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'cancelled' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_finished`)
      WHERE r.namespace = ? AND r.ended = 'compensation_failed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 2) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = c.id)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at ASC, r.id ASC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at ASC, id ASC LIMIT 2
    ) AS f
    UNION ALL SELECT max(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at ASC, u.id ASC;

-- engine/listing.sql.ts pageOfOrder, the least, query.parentId = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.parent_id = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.past = ListPosition
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE r.created_at <= ? AND (r.created_at < ? OR r.id < ?) ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.reason = readonly RunReason[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.reason IN (?) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.scheduleId = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.schedule_id = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.status = readonly RunStatus[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.status IN (?) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.version = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.version = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.workflow = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = ? AND r.workflow = ? THEN 1 ELSE 0 END AS fits FROM `durable_runs` AS r FORCE INDEX (`durable_runs_listing`)
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS char), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts selectSteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND (s.run_id <> ? OR s.seq > 1) AND s.name = ? AND s.status IN (?, ?) AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 11 ORDER BY o.n, s.seq LIMIT 2;
-- "[{"listed_id":"runIds-1","n":0},{"listed_id":"runIds-2","n":1}]"
-- "child"
-- "child"
-- "id"
-- "name"
-- "answered"
-- "answered"
-- "worker"

-- engine/listing.sql.ts selectSteps, query.begun = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND s.name = ? AND s.status IN (?, ?) AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 2 AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 10 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, query.kind = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND (s.run_id <> ? OR s.seq > 1) AND s.name = ? AND s.status IN (?, ?) AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 11 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.name = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND (s.run_id <> ? OR s.seq > 1) AND s.status IN (?, ?) AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 11 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.olderThanMs = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND (s.run_id <> ? OR s.seq > 1) AND s.name = ? AND s.status IN (?, ?) AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 10 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.runs.attributes[].compare[].value = number
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND (s.run_id <> ? OR s.seq > 1) AND s.name = ? AND s.status IN (?, ?) AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 15 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.runs.createdBefore = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND (s.run_id <> ? OR s.seq > 1) AND s.name = ? AND s.status IN (?, ?) AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 10 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.status = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND (s.run_id <> ? OR s.seq > 1) AND s.name = ? AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 11 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.worker = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND (s.run_id <> ? OR s.seq > 1) AND s.name = ? AND s.status IN (?, ?) AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 11 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.youngerThanMs = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?, ?) AND s.seq <> -2147483648 AND (s.run_id <> ? OR s.seq > 1) AND s.name = ? AND s.status IN (?, ?) AND s.worker = ? AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, the least
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.begun = { id: string; seq: number; }
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND (s.run_id <> ? OR s.seq > 1) ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, the least, query.kind = readonly ("signal" | "transaction" | "step" | "remote" | "sleep" | "child" | "marker")[]
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind IN (?) AND s.seq <> -2147483648 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.name = string
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND s.name = ? ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.olderThanMs = number
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND COALESCE(s.asked_at, s.created_at) <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 2 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.status = readonly ("pending" | "completed" | "failed" | "exhausted" | "answered")[]
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND s.status IN (?) ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.worker = string
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND s.worker = ? ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.youngerThanMs = number
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`listed_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.listed_id' NULL ON EMPTY ERROR ON ERROR, `n` bigint PATH '$.n' NULL ON EMPTY ERROR ON ERROR)) AS o
  STRAIGHT_JOIN `durable_steps` AS s FORCE INDEX (`PRIMARY`) ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND COALESCE(s.asked_at, s.created_at) > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts rangeOf
r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?;
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998

-- engine/listing.sql.ts rangeOf, query.createdFrom = undefined
r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ?;

-- engine/listing.sql.ts rangeOf, query.endedBefore = undefined
r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at >= ?;

-- engine/listing.sql.ts rangeOf, query.endedFrom = undefined
r.finished_at <= ? AND (r.finished_at < ? OR r.id < ?) AND r.finished_at IS NOT NULL AND r.finished_at < ? AND r.finished_at >= ?;

-- engine/listing.sql.ts rangeOf, query.order = "newest"
r.created_at <= ? AND (r.created_at < ? OR r.id < ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ?;

-- engine/listing.sql.ts rangeOf, query.order = "oldest"
r.created_at >= ? AND (r.created_at > ? OR r.id > ?) AND r.created_at >= ? AND r.created_at < ? AND r.created_at < ?;

-- engine/listing.sql.ts rangeOf, query.past = undefined
r.finished_at IS NOT NULL AND r.finished_at >= ? AND r.finished_at < ? AND r.finished_at >= ?;

-- engine/listing.sql.ts rangeOf, the least
1 = 1;

-- engine/listing.sql.ts rangeOf, the least, query.createdBefore = number
r.created_at < ?;

-- engine/listing.sql.ts rangeOf, the least, query.createdFrom = number
r.created_at >= ?;

-- engine/listing.sql.ts rangeOf, the least, query.order = "ended"
r.finished_at IS NOT NULL;

-- engine/listing.sql.ts rangeOf, the least, query.past = ListPosition
r.created_at <= ? AND (r.created_at < ? OR r.id < ?);

-- engine/listing.sql.ts endedIn
alias.finished_at >= ?;
alias.finished_at < ?;
-- 4
-- 5

-- engine/listing.sql.ts endedIn, 1.endedBefore = undefined
alias.finished_at >= ?;

-- engine/listing.sql.ts endedIn, 1.endedFrom = undefined
alias.finished_at < ?;

-- engine/listing.sql.ts beginsWith
alias.id >= ? AND alias.id < ?;
-- "prefix"
-- "prefiy"

-- engine/listing.sql.ts filterOf
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);
-- "namespace"
-- 2
-- 3
-- "cancelled"
-- "cancelled"
-- "concurrency_limit"
-- "concurrency_limit"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"
-- "workflow"
-- 1
-- "parentId"
-- "scheduleId"
-- "idPrefix"
-- "idPrefiy"
-- "name-1"
-- "date"
-- 8
-- "date"
-- 9
-- "name-2"
-- "date"
-- 10
-- "date"
-- 11

-- engine/listing.sql.ts filterOf, query.attributes = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[] = 1
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[] = 1
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].how = "<="
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value <= ? AND a.type = ? AND a.number_value <= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].how = "="
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value = ? AND a.type = ? AND a.number_value = ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].how = ">"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value > ? AND a.type = ? AND a.number_value > ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].how = ">="
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].value = string
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.text_value < ? AND a.type = ? AND a.text_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.blocked = false
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.createdBefore = undefined
r.namespace = ? AND r.created_at >= ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.createdFrom = undefined
r.namespace = ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.idPrefix = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.order = "newest"
r.namespace = ? AND r.finished_at >= ? AND r.finished_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.parentId = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.reason = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.scheduleId = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.status = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.version = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1;

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "limiter"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_limiter_entries` AS e FORCE INDEX (`durable_limiter_entries_run`) WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "retry"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "run"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs');

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "signal"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "task"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "timer"
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.workflow = ? AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.workflow = undefined
r.namespace = ? AND r.created_at >= ? AND r.created_at < ? AND r.status IN (?, ?) AND r.reason IN (?, ?) AND r.reason IN (?, ?, ?, ?, ?) AND r.version = ? AND r.parent_id = ? AND r.schedule_id = ? AND r.id >= ? AND r.id < ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value < ? AND a.type = ? AND a.number_value < ? LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, the least
r.namespace = ?;

-- engine/listing.sql.ts filterOf, the least, query.attributes = readonly AttributeFilter[]
r.namespace = ? AND (SELECT 1 FROM `durable_run_attributes` AS a WHERE a.run_id = r.id AND a.name = ? AND a.type = ? AND a.number_value >= ? LIMIT 1) = 1;

-- engine/listing.sql.ts filterOf, the least, query.blocked = true
r.namespace = ? AND r.reason IN (?, ?, ?, ?, ?);

-- engine/listing.sql.ts filterOf, the least, query.endedBefore = number
r.namespace = ? AND r.finished_at < ?;

-- engine/listing.sql.ts filterOf, the least, query.endedFrom = number
r.namespace = ? AND r.finished_at >= ?;

-- engine/listing.sql.ts filterOf, the least, query.idPrefix = string
r.namespace = ? AND r.id >= ? AND r.id < ?;

-- engine/listing.sql.ts filterOf, the least, query.parentId = string
r.namespace = ? AND r.parent_id = ?;

-- engine/listing.sql.ts filterOf, the least, query.reason = readonly RunReason[]
r.namespace = ? AND r.reason IN (?);

-- engine/listing.sql.ts filterOf, the least, query.scheduleId = string
r.namespace = ? AND r.schedule_id = ?;

-- engine/listing.sql.ts filterOf, the least, query.status = readonly RunStatus[]
r.namespace = ? AND r.status IN (?);

-- engine/listing.sql.ts filterOf, the least, query.version = number
r.namespace = ? AND r.version = ?;

-- engine/listing.sql.ts filterOf, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
r.namespace = ? AND r.finished_at IS NULL AND ((SELECT 1 FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, the least, query.workflow = string
r.namespace = ? AND r.workflow = ?;

-- engine/nodes.sql.ts signIn
INSERT INTO `durable_nodes`
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?, NULL, CONCAT(@@hostname, ':', @@port), ?)
  ON DUPLICATE KEY UPDATE `serves` = VALUES(`serves`), `expires_at` = VALUES(`expires_at`), `seen_at` = VALUES(`seen_at`), `left_at` = VALUES(`left_at`), `server` = VALUES(`server`), `busy` = VALUES(`busy`);
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- "serves"
-- "version"
-- "build"
-- 2
-- "load"

-- engine/nodes.sql.ts selectElsewhere
SELECT n.id, n.server, n.expires_at, CONCAT(@@hostname, ':', @@port) AS here FROM `durable_nodes` AS n
  WHERE n.server <> CONCAT(@@hostname, ':', @@port) AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/nodes.sql.ts signInReturningBeat
INSERT INTO `durable_nodes`
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + ?, NULL, CONCAT(@@hostname, ':', @@port), ?)
  ON DUPLICATE KEY UPDATE `serves` = VALUES(`serves`), `expires_at` = VALUES(`expires_at`), `seen_at` = VALUES(`seen_at`), `left_at` = VALUES(`left_at`), `server` = VALUES(`server`), `busy` = VALUES(`busy`) RETURNING CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining;
-- "id"
-- "namespace"
-- "host"
-- 1
-- "roles"
-- "serves"
-- "version"
-- "build"
-- 2
-- "load"

-- engine/nodes.sql.ts selectBeat
SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining FROM `durable_nodes` WHERE id = ?;
-- "nodeId"

-- engine/nodes.sql.ts selectNow
SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now;

-- engine/nodes.sql.ts selectDeadOwners
SELECT o.owner FROM (SELECT DISTINCT owner FROM `durable_runs` WHERE owner IS NOT NULL) AS o LEFT JOIN `durable_nodes` AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/nodes.sql.ts lookAround
SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM (SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now) AS t
  UNION ALL SELECT 'draining', n.id, 0, NULL, NULL FROM `durable_nodes` AS n WHERE n.id = ? AND n.draining_since IS NOT NULL
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM `durable_runs` AS r WHERE r.owner = ?
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (SELECT DISTINCT owner FROM `durable_runs` WHERE owner IS NOT NULL) AS o LEFT JOIN `durable_nodes` AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) AS d WHERE d.owner <> ?
  UNION ALL SELECT 'lapsed', n.id, 0, NULL, NULL FROM `durable_nodes` AS n WHERE n.id <> ? AND n.roles LIKE '%worker%'
    AND n.left_at IS NULL AND n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 60000
  UNION ALL SELECT 'next', '', MIN(n.expires_at), NULL, NULL FROM `durable_nodes` AS n
    WHERE n.id <> ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND n.expires_at - CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) < (n.expires_at - n.seen_at) / 2
    HAVING COUNT(*) > 0
  UNION ALL SELECT 'ended', '', COUNT(*), NULL, NULL FROM `durable_nodes` AS n
  WHERE n.namespace = ? AND n.roles LIKE '%engine%' AND n.id <> ? AND n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  UNION ALL SELECT 'last', '', COALESCE(MAX(n.expires_at), 0), NULL, NULL FROM `durable_nodes` AS n
  WHERE n.namespace = ? AND n.roles LIKE '%engine%' AND n.id <> ? AND n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM `durable_nodes` AS o JOIN `durable_nodes` AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) WHERE o.id = ?;
-- "id"
-- "id"
-- "id"
-- "id"
-- "id"
-- "namespace"
-- "id"
-- "namespace"
-- "id"
-- "id"

-- engine/nodes.sql.ts signOff
UPDATE `durable_nodes` SET expires_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), left_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) WHERE id = ?;
-- "nodeId"

-- engine/nodes.sql.ts selectAlive
SELECT n.id FROM `durable_nodes` AS n
  WHERE n.id IN (?, ?) AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "nodeIds-1"
-- "nodeIds-2"

-- engine/nodes.sql.ts selectAlive, nodeIds[] = 1
SELECT n.id FROM `durable_nodes` AS n
  WHERE n.id IN (?) AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);

-- engine/nodes.sql.ts selectSilent
SELECT n.id, n.serves, n.busy, n.expires_at, SUBSTRING_INDEX(USER(), '@', 1) AS me FROM `durable_nodes` AS n
  WHERE n.id IN (?, ?) AND n.left_at IS NULL AND n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
    AND n.server = CONCAT(@@hostname, ':', @@port) AND n.seen_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?;
-- "nodeIds-1"
-- "nodeIds-2"
-- 1

-- engine/nodes.sql.ts selectSilent, nodeIds[] = 1
SELECT n.id, n.serves, n.busy, n.expires_at, SUBSTRING_INDEX(USER(), '@', 1) AS me FROM `durable_nodes` AS n
  WHERE n.id IN (?) AND n.left_at IS NULL AND n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
    AND n.server = CONCAT(@@hostname, ':', @@port) AND n.seen_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?;

-- engine/nodes.sql.ts lockAlive
SELECT draining_since, draining_by FROM `durable_nodes`
  WHERE id = ? AND expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FOR UPDATE;
-- "nodeId"

-- engine/nodes.sql.ts setDraining
UPDATE `durable_nodes` SET draining_by = ?,
    draining_since = COALESCE(draining_since, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  WHERE id = ?;
-- "by"
-- "nodeId"

-- engine/nodes.sql.ts setDraining, by = null
UPDATE `durable_nodes` SET draining_by = ?,
    draining_since = NULL
  WHERE id = ?;

-- engine/nodes.sql.ts selectNodes
SELECT t.now, n.id, n.namespace, n.host, n.pid, n.roles, n.serves, n.version, n.build, n.busy,
    n.started_at, n.seen_at, n.expires_at, n.left_at, n.draining_since, n.draining_by
  FROM (SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now) AS t LEFT JOIN `durable_nodes` AS n ON 1 = 1
  ORDER BY n.expires_at DESC, n.id LIMIT 2000;

-- engine/nodes.sql.ts selectForgotten
SELECT f.id FROM (
    SELECT n.id, n.expires_at, row_number() OVER (ORDER BY n.expires_at DESC, n.id) AS n_th
    FROM `durable_nodes` AS n WHERE n.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  ) AS f WHERE f.n_th > 500 OR f.expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ? ORDER BY f.id;
-- 86400000

-- engine/nodes.sql.ts strikeOff
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_nodes` AS gone FORCE INDEX (`PRIMARY`) ON gone.id = k.found AND expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed);
-- "[{"found":"1"},{"found":"2"}]"

-- engine/nodes.sql.ts selectPage
SELECT id, status FROM `durable_runs` WHERE id > ? ORDER BY id LIMIT 1;
-- "afterId"

-- engine/nodes.sql.ts selectAsked
SELECT s.run_id, s.seq FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM `durable_limiter_entries` AS e WHERE e.run_id = s.run_id AND e.granted = 0));
-- "runIds-1"
-- "runIds-2"

-- engine/nodes.sql.ts selectAsked, runIds[] = 1
SELECT s.run_id, s.seq FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM `durable_limiter_entries` AS e WHERE e.run_id = s.run_id AND e.granted = 0));

-- engine/nodes.sql.ts wakeParked
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id IN (?, ?) AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL;
-- "runIds-1"
-- "runIds-2"

-- engine/nodes.sql.ts wakeParked, runIds[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  WHERE id IN (?) AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL;

-- engine/nodes.sql.ts insertSample
INSERT INTO `durable_samples` (minute, node, namespace, body)
  SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - MOD(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), 60000), ?, ?, ? ON DUPLICATE KEY UPDATE `minute` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`minute`), VALUES(`minute`));
-- "node"
-- "namespace"
-- "body"
-- a large number
-- a large number
-- a large number

-- engine/nodes.sql.ts selectSamples
SELECT minute, node, body FROM `durable_samples`
  WHERE minute >= ? AND minute < ? AND namespace = ?
  ORDER BY minute, node LIMIT 3;
-- 1
-- 2
-- "namespace"

-- engine/nodes.sql.ts selectSamples, 2.keep = "last"
SELECT minute, node, body FROM `durable_samples`
  WHERE minute >= ? AND minute < ? AND namespace = ?
  ORDER BY minute DESC, node DESC LIMIT 3;

-- engine/nodes.sql.ts selectSamples, 2.namespace = undefined
SELECT minute, node, body FROM `durable_samples`
  WHERE minute >= ? AND minute < ? 
  ORDER BY minute, node LIMIT 3;

-- engine/nodes.sql.ts selectSamples, the least, 2.keep = "last"
SELECT minute, node, body FROM `durable_samples`
  WHERE minute >= ? AND minute < ? 
  ORDER BY minute DESC, node DESC LIMIT 3;

-- engine/nodes.sql.ts selectOldSamples
SELECT minute, node FROM `durable_samples` WHERE minute <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
  ORDER BY minute, node LIMIT 2;
-- 1

-- engine/nodes.sql.ts deleteSamples
DELETE s FROM JSON_TABLE(?, '$[*]' COLUMNS (`minute` bigint PATH '$.minute' NULL ON EMPTY ERROR ON ERROR, `node` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.node' NULL ON EMPTY ERROR ON ERROR)) AS o STRAIGHT_JOIN `durable_samples` AS s FORCE INDEX (`PRIMARY`) ON s.minute = o.minute AND s.node = o.node;
-- "[{"minute":1,"node":"node-1"},{"minute":2,"node":"node-2"}]"

-- engine/runs.sql.ts selectClaimable
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR)) AS o WHERE o.id = r.id AND o.epoch = r.epoch) AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 1 ) UNION ALL (SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR)) AS o WHERE o.id = r.id AND o.epoch = r.epoch) AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);
-- "namespace"
-- "name-1"
-- 1
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "[{"id":"runId-1","epoch":5},{"id":"runId-2","epoch":6}]"
-- "namespace"
-- "name-1"
-- "namespace"
-- "name-2"
-- 2
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "[{"id":"runId-1","epoch":5},{"id":"runId-2","epoch":6}]"
-- "namespace"
-- "name-2"
-- "nodeId"

-- engine/runs.sql.ts selectClaimable, request.which = "due"
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.wake_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 4 AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 1 ) UNION ALL (SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.wake_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 4 AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1) UNION ALL 
  (SELECT 'in_turn' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.turn LIMIT 1 ) UNION ALL (SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.turn LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/runs.sql.ts selectClaimable, request.which = "suspect"
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 1 ) UNION ALL (SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/runs.sql.ts selectClaimable, request.without = undefined
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 1 ) UNION ALL (SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/runs.sql.ts selectClaimable, request.workflows[] = 1
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR)) AS o WHERE o.id = r.id AND o.epoch = r.epoch) AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/runs.sql.ts selectClaimable, the least
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/runs.sql.ts selectClaimable, the least, request.which = "blocked"
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/runs.sql.ts selectClaimable, the least, request.which = "due"
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1) UNION ALL 
  (SELECT 'in_turn' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.turn LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/runs.sql.ts lockClaimable
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR)) AS o WHERE o.id = r.id AND o.epoch = r.epoch) AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR)) AS o WHERE o.id = r.id AND o.epoch = r.epoch) AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 2 FOR UPDATE SKIP LOCKED);
-- "namespace"
-- "name-1"
-- 1
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "[{"id":"runId-1","epoch":5},{"id":"runId-2","epoch":6}]"
-- "namespace"
-- "name-1"
-- "namespace"
-- "name-2"
-- 2
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "[{"id":"runId-1","epoch":5},{"id":"runId-2","epoch":6}]"
-- "namespace"
-- "name-2"

-- engine/runs.sql.ts lockClaimable, request.which = "due"
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.wake_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 4 AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.wake_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 4 AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/runs.sql.ts lockClaimable, request.which = "suspect"
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/runs.sql.ts lockClaimable, request.without = undefined
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/runs.sql.ts lockClaimable, request.workflows[] = 1
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR)) AS o WHERE o.id = r.id AND o.epoch = r.epoch) AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/runs.sql.ts lockClaimable, the least
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/runs.sql.ts lockClaimable, the least, request.which = "blocked"
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/runs.sql.ts lockClaimable, the least, request.which = "due"
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/runs.sql.ts lockInTurn
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.turn LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.turn LIMIT 2 FOR UPDATE SKIP LOCKED);
-- "namespace"
-- "name-1"
-- 1
-- "namespace"
-- "name-1"
-- "namespace"
-- "name-2"
-- 2
-- "namespace"
-- "name-2"

-- engine/runs.sql.ts lockInTurn, request.workflows[] = 1
(SELECT id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), COALESCE(started_at, created_at)) AS claimed_at FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.turn LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/runs.sql.ts stampClaimed
UPDATE `durable_runs` FORCE INDEX (PRIMARY) SET 
  owner = ?, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, ?)) END WHERE id IN (?, ?);
-- "nodeId"
-- 1
-- "2"
-- "3"

-- engine/runs.sql.ts stampClaimed, ids[] = 1
UPDATE `durable_runs` FORCE INDEX (PRIMARY) SET 
  owner = ?, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, ?)) END WHERE id IN (?);

-- engine/schedules.sql.ts insertSchedules
INSERT INTO `durable_schedules` (id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at) SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `declared` bigint PATH '$.declared' NULL ON EMPTY ERROR ON ERROR, `spec` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.spec' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `paused` bigint PATH '$.paused' NULL ON EMPTY ERROR ON ERROR, `next_at` bigint PATH '$.next_at' NULL ON EMPTY ERROR ON ERROR, `fired_at` bigint PATH '$.fired_at' NULL ON EMPTY ERROR ON ERROR, `last_run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.last_run_id' NULL ON EMPTY ERROR ON ERROR, `buffered_at` bigint PATH '$.buffered_at' NULL ON EMPTY ERROR ON ERROR)) AS n WHERE 1 = 1 ON DUPLICATE KEY UPDATE `namespace` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`namespace`), VALUES(`namespace`));
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","declared":1,"spec":"spec-1","input":"input-1","paused":1,"next_at":1,"fired_at":2,"last_run_id":"lastRunId-1","buffered_at":3,"created_at":4},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","declared":1,"spec":"spec-2","input":"input-2","paused":1,"next_at":5,"fired_at":6,"last_run_id":"lastRunId-2","buffered_at":7,"created_at":8}]"
-- a large number
-- a large number
-- a large number

-- engine/schedules.sql.ts updateSchedules
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `declared` bigint PATH '$.declared' NULL ON EMPTY ERROR ON ERROR, `spec` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.spec' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `paused` bigint PATH '$.paused' NULL ON EMPTY ERROR ON ERROR, `next_at` bigint PATH '$.next_at' NULL ON EMPTY ERROR ON ERROR, `fired_at` bigint PATH '$.fired_at' NULL ON EMPTY ERROR ON ERROR, `last_run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.last_run_id' NULL ON EMPTY ERROR ON ERROR, `buffered_at` bigint PATH '$.buffered_at' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_schedules` AS s FORCE INDEX (`PRIMARY`) ON s.namespace = n.namespace AND s.id = n.id SET s.workflow = n.workflow, s.declared = n.declared, s.spec = n.spec, s.input = n.input, s.paused = n.paused, s.next_at = n.next_at, s.fired_at = n.fired_at, s.last_run_id = n.last_run_id, s.buffered_at = n.buffered_at;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","declared":1,"spec":"spec-1","input":"input-1","paused":1,"next_at":1,"fired_at":2,"last_run_id":"lastRunId-1","buffered_at":3,"created_at":4},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","declared":1,"spec":"spec-2","input":"input-2","paused":1,"next_at":5,"fired_at":6,"last_run_id":"lastRunId-2","buffered_at":7,"created_at":8}]"

-- engine/schedules.sql.ts listSchedules
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 3;
-- "namespace"
-- "1"
-- "2"
-- "workflows-1"
-- "workflows-2"
-- "afterId"

-- engine/schedules.sql.ts listSchedules, query.afterId = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?, ?) AND declared = 1
  ORDER BY id LIMIT 3;

-- engine/schedules.sql.ts listSchedules, query.declared = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?, ?) AND id > ?
  ORDER BY id LIMIT 3;

-- engine/schedules.sql.ts listSchedules, query.ids = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND workflow IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 1;

-- engine/schedules.sql.ts listSchedules, query.ids[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id IN (?) AND workflow IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 2;

-- engine/schedules.sql.ts listSchedules, query.limit = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, query.workflows = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id IN (?, ?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 3;

-- engine/schedules.sql.ts listSchedules, query.workflows[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id IN (?, ?) AND workflow IN (?) AND declared = 1 AND id > ?
  ORDER BY id LIMIT 3;

-- engine/schedules.sql.ts listSchedules, the least
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ?
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, the least, query.afterId = string
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id > ?
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, the least, query.declared = true
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND declared = 1
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, the least, query.ids = readonly string[]
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND id IN (?)
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, the least, query.limit = number
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ?
  ORDER BY id LIMIT 1;

-- engine/schedules.sql.ts listSchedules, the least, query.workflows = readonly string[]
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE namespace = ? AND workflow IN (?)
  ORDER BY id;

-- engine/schedules.sql.ts deleteSchedules
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_schedules` AS gone FORCE INDEX (`PRIMARY`) ON gone.id = k.found AND namespace = ?;
-- "[{"found":"1"},{"found":"2"}]"
-- "namespace"

-- engine/schedules.sql.ts lockSchedules
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` FORCE INDEX (`durable_schedules_due`) WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND workflow IN (?, ?) AND NOT (id IN (?, ?))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "namespace"
-- "workflows-1"
-- "workflows-2"
-- "except-1"
-- "except-2"

-- engine/schedules.sql.ts lockSchedules, which = { namespace: string; } & { ids: readonly string[]; }
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` FORCE INDEX (`PRIMARY`) WHERE namespace = ? AND id IN (?, ?) ORDER BY id FOR UPDATE;

-- engine/schedules.sql.ts lockSchedules, which.due.except[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` FORCE INDEX (`durable_schedules_due`) WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND workflow IN (?, ?) AND NOT (id IN (?))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- engine/schedules.sql.ts lockSchedules, which.due.workflows[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` FORCE INDEX (`durable_schedules_due`) WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND workflow IN (?) AND NOT (id IN (?, ?))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- engine/schedules.sql.ts lockSchedules, the least
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` FORCE INDEX (`PRIMARY`) WHERE namespace = ? AND id IN (?) ORDER BY id FOR UPDATE;

-- engine/schedules.sql.ts lockSchedules, the least, which = { namespace: string; } & { due: { workflows: readonly string[]; except: readonly string[]; limit: number; }; }
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS now FROM `durable_schedules` FORCE INDEX (`durable_schedules_due`) WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND workflow IN (?) AND NOT (id IN (?))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- engine/schedules.sql.ts lookAtSchedules
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?, ?) AND NOT (id IN (?, ?)) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?, ?) AND NOT (id IN (?, ?)) AND s.buffered_at IS NOT NULL);
-- "namespace"
-- "workflows-1"
-- "workflows-2"
-- "except-1"
-- "except-2"
-- "namespace"
-- "workflows-1"
-- "workflows-2"
-- "except-1"
-- "except-2"

-- engine/schedules.sql.ts lookAtSchedules, 2.except[] = 1
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?, ?) AND NOT (id IN (?)) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?, ?) AND NOT (id IN (?)) AND s.buffered_at IS NOT NULL);

-- engine/schedules.sql.ts lookAtSchedules, 2.workflows[] = 1
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?) AND NOT (id IN (?, ?)) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?) AND NOT (id IN (?, ?)) AND s.buffered_at IS NOT NULL);

-- engine/schedules.sql.ts lookAtSchedules, the least
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?) AND NOT (id IN (?)) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM `durable_runs` AS r WHERE r.id = s.last_run_id) AS last_status FROM `durable_schedules` AS s WHERE s.namespace = ? AND workflow IN (?) AND NOT (id IN (?)) AND s.buffered_at IS NOT NULL);

-- engine/schedules.sql.ts selectLate
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM `durable_schedules`
  WHERE namespace = ? AND next_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ? AND next_at IS NOT NULL AND paused = 0
  ORDER BY next_at, id LIMIT 2;
-- "namespace"
-- 1

-- engine/signal-waits.sql.ts upsertWaits
INSERT INTO `durable_signal_waits` (channel, step_id, run_id, seq, after_position, since, deadline)
  SELECT channel, step_id, run_id, seq, after_position, since, deadline FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `step_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.step_id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `after_position` bigint PATH '$.after_position' NULL ON EMPTY ERROR ON ERROR, `since` bigint PATH '$.since' NULL ON EMPTY ERROR ON ERROR, `deadline` bigint PATH '$.deadline' NULL ON EMPTY ERROR ON ERROR)) AS n WHERE true
  ON DUPLICATE KEY UPDATE `after_position` = VALUES(`after_position`), `deadline` = VALUES(`deadline`);
-- "[{"channel":"channel-1","step_id":"step_id-1","run_id":"run_id-1","seq":1,"after_position":2,"since":3,"deadline":4},{"channel":"channel-2","step_id":"step_id-2","run_id":"run_id-2","seq":5,"after_position":6,"since":7,"deadline":8}]"

-- engine/signal-waits.sql.ts markReceived
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `kept` bigint PATH '$.kept' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_signals` AS s FORCE INDEX (`durable_signals_order`) ON s.channel = n.channel AND s.position = n.position
    AND (n.kept = 1 OR (s.taken_by = n.run_id AND s.kept_at IS NULL)) SET s.kept_at = CASE WHEN n.kept = 1 THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) END, s.taken_by = CASE WHEN n.kept = 1 THEN n.run_id END;
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1","kept":2},{"channel":"channel-2","position":3,"run_id":"run_id-2","kept":4}]"

-- engine/signal-waits.sql.ts deleteWaits
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_signal_waits` AS gone FORCE INDEX (`durable_signal_waits_step`) ON gone.step_id = k.found;
-- "[{"found":"stepIds-1"},{"found":"stepIds-2"}]"

-- engine/signal-waits.sql.ts selectUnfiled
SELECT u.channel, (SELECT COUNT(*) FROM `durable_signal_channels` AS c WHERE c.channel = u.channel) AS known, 1 AS unfiled FROM (
    SELECT DISTINCT s.channel FROM `durable_signals` AS s WHERE s.position IS NULL ORDER BY s.channel LIMIT 1
  ) AS u;

-- engine/signal-waits.sql.ts selectHolding
SELECT h.channel, MAX(h.known) AS known, MAX(1 - h.known) AS unfiled FROM (
    SELECT s.channel, 0 AS known FROM `durable_signals` AS s
    WHERE s.channel IN (?, ?) AND s.position IS NULL
    UNION ALL SELECT c.channel, 1 AS known FROM `durable_signal_channels` AS c WHERE c.channel IN (?, ?)
  ) AS h GROUP BY h.channel;
-- "channels-1"
-- "channels-2"
-- "channels-1"
-- "channels-2"

-- engine/signal-waits.sql.ts selectHolding, channels[] = 1
SELECT h.channel, MAX(h.known) AS known, MAX(1 - h.known) AS unfiled FROM (
    SELECT s.channel, 0 AS known FROM `durable_signals` AS s
    WHERE s.channel IN (?) AND s.position IS NULL
    UNION ALL SELECT c.channel, 1 AS known FROM `durable_signal_channels` AS c WHERE c.channel IN (?)
  ) AS h GROUP BY h.channel;

-- engine/signal-waits.sql.ts insertChannels
INSERT INTO `durable_signal_channels` (channel, last_position)
  SELECT n.channel, 0 FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR)) AS n WHERE true ON DUPLICATE KEY UPDATE `channel` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`channel`), VALUES(`channel`));
-- "[{"channel":"channels-1"},{"channel":"channels-2"}]"
-- a large number
-- a large number
-- a large number

-- engine/signal-waits.sql.ts lockChannels
SELECT channel, last_position FROM `durable_signal_channels` FORCE INDEX (`PRIMARY`) WHERE channel IN (?, ?)
  ORDER BY channel FOR UPDATE SKIP LOCKED;
-- "channels-1"
-- "channels-2"

-- engine/signal-waits.sql.ts lockChannels, channels[] = 1
SELECT channel, last_position FROM `durable_signal_channels` FORCE INDEX (`PRIMARY`) WHERE channel IN (?)
  ORDER BY channel FOR UPDATE SKIP LOCKED;

-- engine/signal-waits.sql.ts lockChannels, skip = false
SELECT channel, last_position FROM `durable_signal_channels` FORCE INDEX (`PRIMARY`) WHERE channel IN (?, ?)
  ORDER BY channel FOR UPDATE;

-- engine/signal-waits.sql.ts lockChannels, the least
SELECT channel, last_position FROM `durable_signal_channels` FORCE INDEX (`PRIMARY`) WHERE channel IN (?)
  ORDER BY channel FOR UPDATE;

-- engine/signal-waits.sql.ts selectToFile
SELECT channel, id FROM `durable_signals`
  WHERE position IS NULL AND channel IN (?, ?) ORDER BY channel, id LIMIT 1;
-- "channels-1"
-- "channels-2"

-- engine/signal-waits.sql.ts selectToFile, channels[] = 1
SELECT channel, id FROM `durable_signals`
  WHERE position IS NULL AND channel IN (?) ORDER BY channel, id LIMIT 1;

-- engine/signal-waits.sql.ts lockToFile
SELECT id FROM `durable_signals` FORCE INDEX (PRIMARY) WHERE id IN (?, ?) AND position IS NULL ORDER BY id FOR UPDATE SKIP LOCKED;
-- 1
-- 2

-- engine/signal-waits.sql.ts lockToFile, the least
SELECT id FROM `durable_signals` FORCE INDEX (PRIMARY) WHERE id IN (?) AND position IS NULL ORDER BY id FOR UPDATE SKIP LOCKED;

-- engine/signal-waits.sql.ts numberSignals
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` bigint PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_signals` AS s FORCE INDEX (PRIMARY) ON s.id = n.id SET s.position = n.position;
-- "[{"id":1,"position":2},{"id":3,"position":4}]"

-- engine/signal-waits.sql.ts advanceChannels
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `last` bigint PATH '$.last' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_signal_channels` AS c FORCE INDEX (`PRIMARY`) ON c.channel = n.channel SET c.last_position = n.last;
-- "[{"channel":"channel-1","last":1},{"channel":"channel-2","last":2}]"

-- engine/signal-waits.sql.ts matchWaits
SELECT m.*, s.id AS signal_id, s.created_at, s.addressed
  FROM (SELECT w.channel, w.step_id, w.run_id, w.seq, w.since, w.after_position, (SELECT s.position FROM `durable_signals` AS s
      WHERE s.channel = w.channel AND s.position > w.after_position AND (w.deadline IS NULL OR s.created_at <= w.deadline)
      AND (s.created_at >= w.since OR s.taken_by IS NULL OR s.taken_by = w.run_id)
      AND (s.kept_at IS NULL OR s.taken_by <> w.run_id) ORDER BY s.position LIMIT 1) AS position FROM `durable_signal_waits` AS w JOIN `durable_runs` AS r
    ON r.id = w.run_id AND r.closing IS NULL AND r.status NOT IN (?, ?, ?, ?) WHERE w.channel IN (?, ?)) AS m
  JOIN `durable_signals` AS s ON s.channel = m.channel AND s.position = m.position;
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"
-- "channels-1"
-- "channels-2"

-- engine/signal-waits.sql.ts matchWaits, channels[] = 1
SELECT m.*, s.id AS signal_id, s.created_at, s.addressed
  FROM (SELECT w.channel, w.step_id, w.run_id, w.seq, w.since, w.after_position, (SELECT s.position FROM `durable_signals` AS s
      WHERE s.channel = w.channel AND s.position > w.after_position AND (w.deadline IS NULL OR s.created_at <= w.deadline)
      AND (s.created_at >= w.since OR s.taken_by IS NULL OR s.taken_by = w.run_id)
      AND (s.kept_at IS NULL OR s.taken_by <> w.run_id) ORDER BY s.position LIMIT 1) AS position FROM `durable_signal_waits` AS w JOIN `durable_runs` AS r
    ON r.id = w.run_id AND r.closing IS NULL AND r.status NOT IN (?, ?, ?, ?) WHERE w.channel IN (?)) AS m
  JOIN `durable_signals` AS s ON s.channel = m.channel AND s.position = m.position;

-- engine/signal-waits.sql.ts lockWaits
SELECT step_id, channel, after_position FROM `durable_signal_waits` FORCE INDEX (`durable_signal_waits_step`) WHERE step_id IN (?, ?)
  ORDER BY step_id, channel FOR UPDATE;
-- "stepIds-1"
-- "stepIds-2"

-- engine/signal-waits.sql.ts lockWaits, stepIds[] = 1
SELECT step_id, channel, after_position FROM `durable_signal_waits` FORCE INDEX (`durable_signal_waits_step`) WHERE step_id IN (?)
  ORDER BY step_id, channel FOR UPDATE;

-- engine/signal-waits.sql.ts selectWaits
SELECT step_id, channel, after_position FROM `durable_signal_waits` WHERE step_id IN (?, ?);
-- "stepIds-1"
-- "stepIds-2"

-- engine/signal-waits.sql.ts selectWaits, stepIds[] = 1
SELECT step_id, channel, after_position FROM `durable_signal_waits` WHERE step_id IN (?);

-- engine/signal-waits.sql.ts closeWaits
UPDATE `durable_signal_waits` FORCE INDEX (`durable_signal_waits_step`) SET after_position = ? WHERE step_id IN (?, ?);
-- a large number
-- "stepIds-1"
-- "stepIds-2"

-- engine/signal-waits.sql.ts closeWaits, stepIds[] = 1
UPDATE `durable_signal_waits` FORCE INDEX (`durable_signal_waits_step`) SET after_position = ? WHERE step_id IN (?);

-- engine/signal-waits.sql.ts reserveSignals
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` bigint PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_signals` AS s FORCE INDEX (PRIMARY) ON s.id = n.id SET s.taken_by = n.run_id WHERE s.kept_at IS NULL;
-- "[{"id":1,"run_id":"run_id-1"},{"id":2,"run_id":"run_id-2"}]"

-- engine/signal-waits.sql.ts selectPayloads
SELECT id, payload FROM `durable_signals` WHERE id IN (?, ?);
-- 1
-- 2

-- engine/signal-waits.sql.ts selectPayloads, the least
SELECT id, payload FROM `durable_signals` WHERE id IN (?);

-- engine/signals.sql.ts insertSignals
INSERT INTO `durable_signals` (namespace, channel, name, target, addressed, dedup_id, payload, created_at)
  SELECT namespace, channel, name, target, addressed, dedup_id, payload, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FROM JSON_TABLE(?, '$[*]' COLUMNS (`ord` bigint PATH '$.ord' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `target` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.target' NULL ON EMPTY ERROR ON ERROR, `addressed` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.addressed' NULL ON EMPTY ERROR ON ERROR, `dedup_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.dedup_id' NULL ON EMPTY ERROR ON ERROR, `payload` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.payload' NULL ON EMPTY ERROR ON ERROR)) AS n ORDER BY n.ord;
-- "[{"channel":"channel-1","payload":"payload-1","namespace":"namespace-1","addressed":"key","name":"name-1","target":"target-1","ord":0,"dedup_id":"dedupId-1"},{"channel":"channel-2","payload":"payload-2","namespace":"namespace-2","addressed":"key","name":"name-2","target":"target-2","ord":1,"dedup_id":"dedupId-2"}]"

-- engine/signals.sql.ts selectKnown
SELECT s.channel, s.dedup_id FROM JSON_TABLE(?, '$[*]' COLUMNS (`channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `dedup_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.dedup_id' NULL ON EMPTY ERROR ON ERROR)) AS n
  JOIN `durable_signals` AS s ON s.channel = n.channel AND s.dedup_id = n.dedup_id;
-- "[{"channel":"channel-1","dedup_id":"dedupId-1"},{"channel":"channel-2","dedup_id":"dedupId-2"}]"

-- engine/signals.sql.ts lockKnown
SELECT channel, dedup_id FROM `durable_signals` FORCE INDEX (`durable_signals_dedup`)
  WHERE (channel = ? AND dedup_id = ?) OR (channel = ? AND dedup_id = ?) LOCK IN SHARE MODE;
-- "channel-1"
-- "dedupId-1"
-- "channel-2"
-- "dedupId-2"

-- engine/signals.sql.ts lockKnown, signals[] = 1
SELECT channel, dedup_id FROM `durable_signals` FORCE INDEX (`durable_signals_dedup`)
  WHERE (channel = ? AND dedup_id = ?) LOCK IN SHARE MODE;

-- engine/signals.sql.ts selectAddress
SELECT name, target, addressed FROM `durable_signals` WHERE channel = ? LIMIT 1;
-- "channel"

-- engine/signals.sql.ts selectRunsIn
SELECT id, namespace FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/signals.sql.ts selectRunsIn, ids[] = 1
SELECT id, namespace FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?);

-- engine/signals.sql.ts selectLatestRunsIn
SELECT id, namespace FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?) LOCK IN SHARE MODE;
-- "1"
-- "2"

-- engine/signals.sql.ts selectLatestRunsIn, ids[] = 1
SELECT id, namespace FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?) LOCK IN SHARE MODE;

-- engine/signals.sql.ts selectOldOfKeys
SELECT s.id FROM `durable_signals` AS s WHERE 
  s.namespace = ? AND s.addressed = ? AND s.position IS NOT NULL
  AND s.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
  ORDER BY s.created_at, s.id LIMIT 2;
-- "namespace"
-- "key"
-- 1

-- engine/signals.sql.ts selectOldOfRuns
SELECT p.id, p.created_at, CASE WHEN p.taken_by IS NOT NULL OR COALESCE((
      SELECT r.status IN ('completed', 'cancelled') AND r.finished_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
      FROM `durable_runs` AS r WHERE r.id = p.target), true) THEN 1 ELSE 0 END AS gone
  FROM (
    SELECT s.id, s.created_at, s.target, s.taken_by FROM `durable_signals` AS s
    WHERE 
  s.namespace = ? AND s.addressed = ? AND s.position IS NOT NULL
  AND s.created_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ? AND s.created_at >= ? AND (s.created_at > ? OR s.id > ?)
    ORDER BY s.created_at, s.id LIMIT 2
  ) AS p ORDER BY p.created_at, p.id;
-- 1
-- "namespace"
-- "run"
-- 1
-- 3
-- 3
-- 4

-- engine/signals.sql.ts selectIn
SELECT id FROM `durable_signals` WHERE channel IN (?, ?) LIMIT 1;
-- "channels-1"
-- "channels-2"

-- engine/signals.sql.ts selectIn, channels[] = 1
SELECT id FROM `durable_signals` WHERE channel IN (?) LIMIT 1;

-- engine/signals.sql.ts lockUntaken
SELECT id FROM `durable_signals` WHERE channel = ? AND position IS NOT NULL AND taken_by IS NULL
  ORDER BY position LIMIT 1 FOR UPDATE;
-- "channel"

-- engine/signals.sql.ts deleteSignals
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_signals` AS gone FORCE INDEX (`PRIMARY`) ON gone.id = k.found;
-- "[{"found":"1"},{"found":"2"}]"

-- engine/signals.sql.ts selectWaiting
SELECT step_id, run_id, seq FROM `waits` WHERE channel = ? ORDER BY step_id;
-- "channel"

-- engine/signals.sql.ts selectAwaited
SELECT DISTINCT channel FROM `waits` WHERE channel IN (?, ?);
-- "channels-1"
-- "channels-2"

-- engine/signals.sql.ts selectAwaited, channels[] = 1
SELECT DISTINCT channel FROM `waits` WHERE channel IN (?);

-- engine/start-keys.sql.ts lockOld
SELECT id, namespace, workflow, status, epoch, first_seq, erased_at FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/start-keys.sql.ts lockOld, ids[] = 1
SELECT id, namespace, workflow, status, epoch, first_seq, erased_at FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/start-keys.sql.ts selectLast
SELECT run_id, MAX(seq) AS seq, MAX(created_at) AS at FROM `durable_steps` FORCE INDEX (`PRIMARY`) WHERE run_id IN (?, ?)
  GROUP BY run_id LOCK IN SHARE MODE;
-- "1"
-- "2"

-- engine/start-keys.sql.ts selectLast, ids[] = 1
SELECT run_id, MAX(seq) AS seq, MAX(created_at) AS at FROM `durable_steps` FORCE INDEX (`PRIMARY`) WHERE run_id IN (?)
  GROUP BY run_id LOCK IN SHARE MODE;

-- engine/start-keys.sql.ts goOnFrom
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `first_seq` bigint PATH '$.first_seq' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = n.id SET r.epoch = n.epoch, r.first_seq = n.first_seq;
-- "[{"id":"id-1","epoch":1,"first_seq":2},{"id":"id-2","epoch":3,"first_seq":4}]"

-- engine/start-keys.sql.ts insertKeys
INSERT INTO `durable_start_keys` (start_key, run_id, expires_at, latest_at)
  SELECT n.start_key, n.run_id, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.window_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.longest_ms FROM JSON_TABLE(?, '$[*]' COLUMNS (`start_key` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.start_key' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `window_ms` bigint PATH '$.window_ms' NULL ON EMPTY ERROR ON ERROR, `longest_ms` bigint PATH '$.longest_ms' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `start_key` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`start_key`), VALUES(`start_key`));
-- "[{"start_key":"key-1","run_id":"id-1","longest_ms":3},{"start_key":"key-2","run_id":"id-2","longest_ms":6}]"
-- a large number
-- a large number
-- a large number

-- engine/start-keys.sql.ts lockKeys
SELECT start_key, run_id, CASE WHEN expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired,
    latest_at
  FROM `durable_start_keys` FORCE INDEX (`PRIMARY`) WHERE start_key IN (?, ?) ORDER BY start_key FOR UPDATE;
-- "keys-1"
-- "keys-2"

-- engine/start-keys.sql.ts lockKeys, keys[] = 1
SELECT start_key, run_id, CASE WHEN expires_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired,
    latest_at
  FROM `durable_start_keys` FORCE INDEX (`PRIMARY`) WHERE start_key IN (?) ORDER BY start_key FOR UPDATE;

-- engine/start-keys.sql.ts takeKeys
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`start_key` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.start_key' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `window_ms` bigint PATH '$.window_ms' NULL ON EMPTY ERROR ON ERROR, `longest_ms` bigint PATH '$.longest_ms' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_start_keys` AS k FORCE INDEX (`PRIMARY`) ON k.start_key = n.start_key SET k.run_id = n.run_id, k.expires_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.window_ms, k.latest_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.longest_ms;
-- "[{"start_key":"key-1","run_id":"id-1","longest_ms":3},{"start_key":"key-2","run_id":"id-2","longest_ms":6}]"

-- engine/start-keys.sql.ts selectOpen
SELECT id FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?) AND status NOT IN (?, ?, ?, ?)
  LOCK IN SHARE MODE;
-- "1"
-- "2"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/start-keys.sql.ts selectOpen, ids[] = 1
SELECT id FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?) AND status NOT IN (?, ?, ?, ?)
  LOCK IN SHARE MODE;

-- engine/start-keys.sql.ts lockUnbegun
SELECT id FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?, ?) AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/start-keys.sql.ts lockUnbegun, ids[] = 1
SELECT id FROM `durable_runs` FORCE INDEX (`PRIMARY`)
  WHERE id IN (?) AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE;

-- engine/start-keys.sql.ts putOffStarts
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `latest_at` bigint PATH '$.latest_at' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = n.run_id SET r.input = n.input, r.wake_at = LEAST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, COALESCE(n.latest_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms)), r.deadline = LEAST(CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, COALESCE(n.latest_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms)) + n.timeout_ms, r.timeout_ms = n.timeout_ms;
-- "[{"run_id":"run_id-1","latest_at":5,"input":"input-1","delay_ms":1,"timeout_ms":2},{"run_id":"run_id-2","latest_at":10,"input":"input-2","delay_ms":6,"timeout_ms":7}]"

-- engine/starts.sql.ts insertChildren
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn, n.context, n.targets
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR, `targets` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.targets' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1","targets":"[\\"6\\",\\"7\\"]"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2","targets":"[\\"18\\",\\"19\\"]"}]"
-- a large number
-- a large number
-- a large number

-- engine/starts.sql.ts insertChildren, children[].after = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn, n.context
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts.sql.ts insertChildren, children[].context = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn, n.targets
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `targets` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.targets' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts.sql.ts insertChildren, children[].turn = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.context, n.targets
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR, `targets` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.targets' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts.sql.ts insertChildren, the least
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts.sql.ts insertChildren, the least, children[].after = readonly string[]
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.targets
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `targets` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.targets' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts.sql.ts insertChildren, the least, children[].context = string
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.context
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts.sql.ts insertChildren, the least, children[].turn = number
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR)) AS n ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));

-- engine/starts.sql.ts selectBelonging
SELECT id, parent_id, parent_seq FROM `durable_runs` WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/starts.sql.ts selectBelonging, ids[] = 1
SELECT id, parent_id, parent_seq FROM `durable_runs` WHERE id IN (?);

-- engine/starts.sql.ts selectLastTurns
SELECT ? AS nth, 
    (SELECT o.turn FROM `durable_runs` AS o WHERE o.limiter = ? AND o.turn >= ? AND o.turn < ?
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM `durable_runs` AS h
      WHERE h.namespace = ? AND h.workflow = ? AND h.version = ?
        AND h.turn >= ? AND h.turn < ?
      ORDER BY h.turn LIMIT 1) AS head_turn UNION ALL SELECT ? AS nth, 
    (SELECT o.turn FROM `durable_runs` AS o WHERE o.limiter = ? AND o.turn >= ? AND o.turn < ?
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM `durable_runs` AS h
      WHERE h.namespace = ? AND h.workflow = ? AND h.version = ?
        AND h.turn >= ? AND h.turn < ?
      ORDER BY h.turn LIMIT 1) AS head_turn;
-- 1
-- "limiter-1"
-- 3
-- 4
-- "namespace-1"
-- "workflow-1"
-- 2
-- 3
-- 4
-- 5
-- "limiter-2"
-- 7
-- 8
-- "namespace-2"
-- "workflow-2"
-- 6
-- 7
-- 8

-- engine/starts.sql.ts selectLastTurns, keys[] = 1
SELECT ? AS nth, 
    (SELECT o.turn FROM `durable_runs` AS o WHERE o.limiter = ? AND o.turn >= ? AND o.turn < ?
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM `durable_runs` AS h
      WHERE h.namespace = ? AND h.workflow = ? AND h.version = ?
        AND h.turn >= ? AND h.turn < ?
      ORDER BY h.turn LIMIT 1) AS head_turn;

-- engine/starts.sql.ts selectForkable
SELECT seq, kind, name, settled, CASE WHEN kind = 'signal' AND settled IS NULL THEN output END AS output
  FROM `durable_steps` FORCE INDEX (`PRIMARY`) WHERE run_id = ? LOCK IN SHARE MODE;
-- "runId"

-- engine/starts.sql.ts selectMark
SELECT 1 AS found FROM `durable_erasures` WHERE run_id = ? LIMIT 1 LOCK IN SHARE MODE;
-- "runId"

-- engine/starts.sql.ts rebegin
UPDATE `durable_runs`
  SET status = 'pending', input = COALESCE(?, input), version = COALESCE(?, version),
    context = COALESCE(?, context),
    epoch = epoch + 1, first_seq = ?, created_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), continued_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 1, wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed),
    deadline = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + timeout_ms, started_at = NULL, finished_at = NULL, output = NULL, error = NULL, closing = NULL,
    reason = NULL, reason_detail = NULL, resume = NULL, custom_status = NULL, owner = NULL, turn = NULL,
    forked_from = NULL, forked_seq = NULL, settled = 0, crashes = 0, crashed = NULL, unwinds = 0, blockers = 0,
    precondition = CASE WHEN limiter IS NULL THEN NULL ELSE 'limiter' END
  WHERE id = ?;
-- "input"
-- 1
-- "context"
-- 2
-- "id"

-- engine/starts.sql.ts insertFork
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, targets, context, input, status, epoch, settled, crashes, wake_at, deadline, created_at,
    notifies, precondition, forked_from, forked_seq)
  SELECT ?, namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, targets, COALESCE(?, o.context), COALESCE(?, o.input), 'pending', 1, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + o.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed),
    CASE WHEN o.limiter IS NULL THEN 0 ELSE 4 END,
    CASE WHEN o.limiter IS NULL THEN NULL ELSE 'limiter' END, ?, 1
  FROM `durable_runs` AS o WHERE o.id = ? ON DUPLICATE KEY UPDATE `id` = IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`id`), VALUES(`id`));
-- "id"
-- "context"
-- "input"
-- "source"
-- "source"
-- a large number
-- a large number
-- a large number

-- engine/starts.sql.ts selectFork
SELECT forked_from, forked_seq FROM `durable_runs` WHERE id = ? LOCK IN SHARE MODE;
-- "id"

-- engine/starts.sql.ts copySteps
INSERT INTO `durable_steps` (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
  SELECT ?, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM `durable_steps` AS s
  WHERE s.run_id = ? AND s.seq >= 0 AND s.seq < ? AND NOT (s.kind = 'signal' AND s.settled IS NULL);
-- "id"
-- "source"
-- 1

-- engine/starts.sql.ts copyNotes
INSERT INTO `durable_step_attempts` (run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error)
  SELECT ?, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM `durable_step_attempts` AS a
  WHERE a.run_id = ? AND a.seq >= 0 AND a.seq < ?;
INSERT INTO `durable_run_attributes` (run_id, name, namespace, type, text_value, number_value)
  SELECT ?, name, namespace, type, text_value, number_value FROM `durable_run_attributes` AS a WHERE a.run_id = ?;
-- "id"
-- "source"
-- 1
-- "id"
-- "source"

-- engine/story.sql.ts selectStoryMoments
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?, ?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?, ?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?, ?)
    AND g.position IN (?, ?) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;
-- "[{"run_id":"runIds-1","run":0},{"run_id":"runIds-2","run":1}]"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "[{"run":6,"channel":"channel-1","position":7},{"run":8,"channel":"channel-2","position":9}]"
-- "channel-1"
-- "channel-2"
-- 7
-- 9
-- 1
-- 2
-- 3
-- 4
-- "0"

-- engine/story.sql.ts selectStoryMoments, 2.past = undefined
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?, ?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?, ?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?, ?)
    AND g.position IN (?, ?) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/story.sql.ts selectStoryMoments, 2.runIds[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?, ?)
    AND g.position IN (?, ?) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- engine/story.sql.ts selectStoryMoments, taken[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?, ?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?, ?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?)
    AND g.position IN (?) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- engine/story.sql.ts selectStoryMoments, the least
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?)
    AND g.position IN (?) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/story.sql.ts selectStoryMoments, the least, 2.past = Moment
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?)
    AND g.position IN (?) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- engine/story.sql.ts selectStoryMoments, the least, 2.runIds[] = 2
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?, ?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?, ?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?, ?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?)
    AND g.position IN (?) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/story.sql.ts selectStoryMoments, the least, taken[] = 2
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM `durable_steps` AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id IN (?) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM `durable_step_attempts` AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id IN (?) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM `durable_signals` AS g JOIN f ON f.run_id = g.target WHERE g.target IN (?) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR, `channel` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.channel' NULL ON EMPTY ERROR ON ERROR, `position` bigint PATH '$.position' NULL ON EMPTY ERROR ON ERROR)) AS t
  JOIN `durable_signals` AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel IN (?, ?)
    AND g.position IN (?, ?) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/story.sql.ts selectStoryRuns
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM `durable_steps` AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM `durable_step_attempts` AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b WHERE b.id IN (?, ?)) AS r ORDER BY r.id;
-- "runIds-1"
-- "runIds-2"

-- engine/story.sql.ts selectStoryRuns, runIds[] = 1
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM `durable_steps` AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM `durable_step_attempts` AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b WHERE b.id IN (?)) AS r ORDER BY r.id;

-- engine/story.sql.ts selectStoryChildren
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM `durable_steps` AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM `durable_step_attempts` AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM ((
    SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b FORCE INDEX (`durable_runs_parent`)
    WHERE b.parent_id = ? AND b.namespace = ? ORDER BY b.id LIMIT 1) UNION ALL (
    SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b FORCE INDEX (`durable_runs_parent`)
    WHERE b.parent_id = ? AND b.namespace = ? ORDER BY b.id LIMIT 1)) AS b ORDER BY b.id LIMIT 1) AS r ORDER BY r.id;
-- "parentIds-1"
-- "namespace"
-- "parentIds-2"
-- "namespace"

-- engine/story.sql.ts selectStoryChildren, 2.parentIds[] = 1
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM `durable_steps` AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM `durable_step_attempts` AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM ((
    SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM `durable_runs` AS b FORCE INDEX (`durable_runs_parent`)
    WHERE b.parent_id = ? AND b.namespace = ? ORDER BY b.id LIMIT 1)) AS b ORDER BY b.id LIMIT 1) AS r ORDER BY r.id;

-- engine/story.sql.ts selectTakenRefs
SELECT s.run_id, s.ref FROM `durable_steps` AS s
  WHERE s.run_id IN (?, ?) AND s.kind = 'signal' AND s.ref IS NOT NULL
  ORDER BY s.run_id, s.seq LIMIT 10000;
-- "runIds-1"
-- "runIds-2"

-- engine/story.sql.ts selectTakenRefs, runIds[] = 1
SELECT s.run_id, s.ref FROM `durable_steps` AS s
  WHERE s.run_id IN (?) AND s.kind = 'signal' AND s.ref IS NOT NULL
  ORDER BY s.run_id, s.seq LIMIT 10000;

-- engine/story.sql.ts selectStorySteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, s.output AS output FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_steps` AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id IN (?, ?)
    AND s.seq >= 1 AND s.seq <= 2;
-- "[{"of_run":"runId-1","at_seq":1},{"of_run":"runId-2","at_seq":2}]"
-- "runId-1"
-- "runId-2"

-- engine/story.sql.ts selectStorySteps, keys[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, s.output AS output FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_steps` AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id IN (?)
    AND s.seq >= 1 AND s.seq <= 1;

-- engine/story.sql.ts selectStorySteps, payloads = false
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, CASE WHEN (s.kind = 'marker' AND s.ref = 'publish') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END AS output FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_steps` AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id IN (?, ?)
    AND s.seq >= 1 AND s.seq <= 2;

-- engine/story.sql.ts selectStorySteps, the least
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, CASE WHEN (s.kind = 'marker' AND s.ref = 'publish') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END AS output FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_steps` AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id IN (?)
    AND s.seq >= 1 AND s.seq <= 1;

-- engine/story.sql.ts selectStoryAttempts
SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_step_attempts` AS a ON a.run_id = k.of_run AND a.seq = k.at_seq
  WHERE a.run_id IN (?, ?)
    AND a.seq >= 1 AND a.seq <= 2;
-- "[{"of_run":"runId-1","at_seq":1},{"of_run":"runId-2","at_seq":2}]"
-- "runId-1"
-- "runId-2"

-- engine/story.sql.ts selectStoryAttempts, keys[] = 1
SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`of_run` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.of_run' NULL ON EMPTY ERROR ON ERROR, `at_seq` bigint PATH '$.at_seq' NULL ON EMPTY ERROR ON ERROR)) AS k
  JOIN `durable_step_attempts` AS a ON a.run_id = k.of_run AND a.seq = k.at_seq
  WHERE a.run_id IN (?)
    AND a.seq >= 1 AND a.seq <= 1;

-- engine/story.sql.ts selectStorySignals
SELECT g.id, g.name, g.addressed, g.target, g.payload AS payload FROM `durable_signals` AS g
  WHERE g.id IN (?, ?);
-- 1
-- 2

-- engine/story.sql.ts selectStorySignals, ids[] = 1
SELECT g.id, g.name, g.addressed, g.target, g.payload AS payload FROM `durable_signals` AS g
  WHERE g.id IN (?);

-- engine/story.sql.ts selectStorySignals, payloads = false
SELECT g.id, g.name, g.addressed, g.target, NULL AS payload FROM `durable_signals` AS g
  WHERE g.id IN (?, ?);

-- engine/story.sql.ts selectStorySignals, the least
SELECT g.id, g.name, g.addressed, g.target, NULL AS payload FROM `durable_signals` AS g
  WHERE g.id IN (?);

-- engine/tables.sql.ts insertRuns
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn, n.context, n.targets
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR, `targets` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.targets' NULL ON EMPTY ERROR ON ERROR)) AS n;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1","targets":"[\\"6\\",\\"7\\"]"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2","targets":"[\\"18\\",\\"19\\"]"}]"

-- engine/tables.sql.ts insertRuns, runs[].after = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn, n.context
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR)) AS n;

-- engine/tables.sql.ts insertRuns, runs[].context = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn, n.targets
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR, `targets` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.targets' NULL ON EMPTY ERROR ON ERROR)) AS n;

-- engine/tables.sql.ts insertRuns, runs[].turn = undefined
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.context, n.targets
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR, `targets` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.targets' NULL ON EMPTY ERROR ON ERROR)) AS n;

-- engine/tables.sql.ts insertRuns, the least
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR)) AS n;

-- engine/tables.sql.ts insertRuns, the least, runs[].after = readonly string[]
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.targets
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `targets` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.targets' NULL ON EMPTY ERROR ON ERROR)) AS n;

-- engine/tables.sql.ts insertRuns, the least, runs[].context = string
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.context
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR)) AS n;

-- engine/tables.sql.ts insertRuns, the least, runs[].turn = number
INSERT INTO `durable_runs` (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms ELSE CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.timeout_ms END, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), n.turn
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `namespace` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.namespace' NULL ON EMPTY ERROR ON ERROR, `workflow` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.workflow' NULL ON EMPTY ERROR ON ERROR, `version` bigint PATH '$.version' NULL ON EMPTY ERROR ON ERROR, `priority` bigint PATH '$.priority' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `delay_ms` bigint PATH '$.delay_ms' NULL ON EMPTY ERROR ON ERROR, `timeout_ms` bigint PATH '$.timeout_ms' NULL ON EMPTY ERROR ON ERROR, `parent_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_id' NULL ON EMPTY ERROR ON ERROR, `parent_seq` bigint PATH '$.parent_seq' NULL ON EMPTY ERROR ON ERROR, `parent_close` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.parent_close' NULL ON EMPTY ERROR ON ERROR, `notifies` bigint PATH '$.notifies' NULL ON EMPTY ERROR ON ERROR, `precondition` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.precondition' NULL ON EMPTY ERROR ON ERROR, `limiter` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limiter' NULL ON EMPTY ERROR ON ERROR, `limits` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.limits' NULL ON EMPTY ERROR ON ERROR, `schedule_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.schedule_id' NULL ON EMPTY ERROR ON ERROR, `turn` bigint PATH '$.turn' NULL ON EMPTY ERROR ON ERROR)) AS n;

-- engine/tables.sql.ts selectRuns
SELECT `columns` FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/tables.sql.ts selectRuns, ids[] = 1
SELECT `columns` FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?);

-- engine/tables.sql.ts selectContexts
SELECT id, context FROM `durable_runs` WHERE id IN (?, ?) AND context IS NOT NULL;
-- "1"
-- "2"

-- engine/tables.sql.ts selectContexts, ids[] = 1
SELECT id, context FROM `durable_runs` WHERE id IN (?) AND context IS NOT NULL;

-- engine/tables.sql.ts selectRunsLatest
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?, ?) LOCK IN SHARE MODE;
-- "1"
-- "2"

-- engine/tables.sql.ts selectRunsLatest, ids[] = 1
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM `durable_runs` FORCE INDEX (`PRIMARY`) WHERE id IN (?) LOCK IN SHARE MODE;

-- engine/tables.sql.ts selectOwned
SELECT id, epoch FROM `durable_runs` WHERE owner = ?;
-- "nodeId"

-- engine/tables.sql.ts selectClaims
SELECT id, epoch, owner FROM `durable_runs` WHERE id IN (?, ?);
-- "1"
-- "2"

-- engine/tables.sql.ts selectClaims, ids[] = 1
SELECT id, epoch, owner FROM `durable_runs` WHERE id IN (?);

-- engine/tables.sql.ts ownedBy
NULLIF(alias.owner, '') = ?;
-- "owner"

-- engine/tables.sql.ts freeClaims
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `owner` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.owner' NULL ON EMPTY ERROR ON ERROR)) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = 'suspended', r.wake_at = CASE WHEN r.closing IS NULL THEN r.deadline END, r.reason = ?, r.reason_detail = ?, r.crashes = r.crashes + 1, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);
-- "[{"id":"runId-1","epoch":1,"owner":"owner-1"},{"id":"runId-2","epoch":2,"owner":"owner-2"}]"
-- "exhausted"
-- "detail"

-- engine/tables.sql.ts freeClaims, crashed = false
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `owner` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.owner' NULL ON EMPTY ERROR ON ERROR)) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = 'suspended', r.wake_at = CASE WHEN r.closing IS NULL THEN r.deadline END, r.reason = ?, r.reason_detail = ?, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);

-- engine/tables.sql.ts freeClaims, standstill = undefined
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `owner` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.owner' NULL ON EMPTY ERROR ON ERROR)) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.crashes = r.crashes + 1, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);

-- engine/tables.sql.ts freeClaims, the least
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `owner` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.owner' NULL ON EMPTY ERROR ON ERROR)) AS c STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id);

-- engine/tables.sql.ts freeRun
UPDATE `durable_runs` AS r SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id) WHERE r.id = ?;
-- "runId"

-- engine/tables.sql.ts freeRuns
UPDATE `durable_runs` AS r FORCE INDEX (`PRIMARY`) SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.crashes = r.crashes + CASE WHEN position(? IN COALESCE(r.crashed, '')) > 0 THEN 0 ELSE 1 END, r.crashed = CASE WHEN position(? IN COALESCE(r.crashed, '')) > 0 THEN r.crashed
      ELSE CONCAT(COALESCE(r.crashed, ''), CAST(? AS char)) END, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id)
  WHERE r.id IN (?, ?) AND NULLIF(r.owner, '') = ?;
-- "[owner]"
-- "[owner]"
-- "[owner]"
-- "1"
-- "2"
-- "owner"

-- engine/tables.sql.ts freeRuns, ids[] = 1
UPDATE `durable_runs` AS r FORCE INDEX (`PRIMARY`) SET r.owner = NULL, r.epoch = r.epoch + 1, r.status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, r.wake_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), r.crashes = r.crashes + CASE WHEN position(? IN COALESCE(r.crashed, '')) > 0 THEN 0 ELSE 1 END, r.crashed = CASE WHEN position(? IN COALESCE(r.crashed, '')) > 0 THEN r.crashed
      ELSE CONCAT(COALESCE(r.crashed, ''), CAST(? AS char)) END, r.settled = (SELECT COALESCE(MAX(s.settled), 0) FROM `durable_steps` AS s WHERE s.run_id = r.id)
  WHERE r.id IN (?) AND NULLIF(r.owner, '') = ?;

-- engine/tables.sql.ts withdrawEnded
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET crashes = GREATEST(crashes - 1, 0), crashed = NULLIF(REPLACE(crashed, ?, ''), '')
  WHERE id IN (?, ?) AND crashed IS NOT NULL AND position(? IN crashed) > 0;
-- "[owner]"
-- "1"
-- "2"
-- "[owner]"

-- engine/tables.sql.ts withdrawEnded, ids[] = 1
UPDATE `durable_runs` FORCE INDEX (`PRIMARY`) SET crashes = GREATEST(crashes - 1, 0), crashed = NULLIF(REPLACE(crashed, ?, ''), '')
  WHERE id IN (?) AND crashed IS NOT NULL AND position(? IN crashed) > 0;

-- engine/tables.sql.ts lockOrphans
SELECT id FROM `durable_runs` WHERE owner = ? ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "owner"

-- engine/tables.sql.ts upsertSteps
INSERT INTO `durable_steps` AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `failures` bigint PATH '$.failures' NULL ON EMPTY ERROR ON ERROR, `deferrals` bigint PATH '$.deferrals' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR)) AS i `held` WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `failures` = VALUES(`failures`), `deferrals` = VALUES(`deferrals`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`), input = COALESCE(VALUES(`input`), old.input) WHERE old.settled IS NULL RETURNING 1;
-- "[{"run_id":"runId-1","seq":1,"kind":"child","name":"name-1","status":"answered","attempt":2,"failures":3,"deferrals":4,"settled":5,"output":"output-1","error":"error-1","ref":"ref-1","wake_at":6,"created_at":7,"asked_at":8,"started_at":9,"finished_at":10,"worker":"worker-1","input":"input-1"},{"run_id":"runId-2","seq":11,"kind":"child","name":"name-2","status":"answered","attempt":12,"failures":13,"deferrals":14,"settled":15,"output":"output-2","error":"error-2","ref":"ref-2","wake_at":16,"created_at":17,"asked_at":18,"started_at":19,"finished_at":20,"worker":"worker-2","input":"input-2"}]"

-- engine/tables.sql.ts upsertSteps, 3.held = undefined
INSERT INTO `durable_steps` AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `failures` bigint PATH '$.failures' NULL ON EMPTY ERROR ON ERROR, `deferrals` bigint PATH '$.deferrals' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR)) AS i  WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `failures` = VALUES(`failures`), `deferrals` = VALUES(`deferrals`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`), input = COALESCE(VALUES(`input`), old.input) WHERE old.settled IS NULL RETURNING 1;

-- engine/tables.sql.ts upsertSteps, 3.once = false
INSERT INTO `durable_steps` (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `failures` bigint PATH '$.failures' NULL ON EMPTY ERROR ON ERROR, `deferrals` bigint PATH '$.deferrals' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR)) AS i `held` WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `failures` = VALUES(`failures`), `deferrals` = VALUES(`deferrals`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`), input = COALESCE(VALUES(`input`), `durable_steps`.input);

-- engine/tables.sql.ts upsertSteps, steps[].input = undefined
INSERT INTO `durable_steps` AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `failures` bigint PATH '$.failures' NULL ON EMPTY ERROR ON ERROR, `deferrals` bigint PATH '$.deferrals' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR)) AS i `held` WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `failures` = VALUES(`failures`), `deferrals` = VALUES(`deferrals`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`) WHERE old.settled IS NULL RETURNING 1;

-- engine/tables.sql.ts upsertSteps, the least
INSERT INTO `durable_steps` (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `failures` bigint PATH '$.failures' NULL ON EMPTY ERROR ON ERROR, `deferrals` bigint PATH '$.deferrals' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR)) AS i  WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `failures` = VALUES(`failures`), `deferrals` = VALUES(`deferrals`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`);

-- engine/tables.sql.ts upsertSteps, the least, 3.held = Statement
INSERT INTO `durable_steps` (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `failures` bigint PATH '$.failures' NULL ON EMPTY ERROR ON ERROR, `deferrals` bigint PATH '$.deferrals' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR)) AS i `held` WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `failures` = VALUES(`failures`), `deferrals` = VALUES(`deferrals`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`);

-- engine/tables.sql.ts upsertSteps, the least, 3.once = true
INSERT INTO `durable_steps` AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `failures` bigint PATH '$.failures' NULL ON EMPTY ERROR ON ERROR, `deferrals` bigint PATH '$.deferrals' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR)) AS i  WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `failures` = VALUES(`failures`), `deferrals` = VALUES(`deferrals`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`) WHERE old.settled IS NULL RETURNING 1;

-- engine/tables.sql.ts upsertSteps, the least, steps[].input = string
INSERT INTO `durable_steps` (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `kind` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.kind' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `failures` bigint PATH '$.failures' NULL ON EMPTY ERROR ON ERROR, `deferrals` bigint PATH '$.deferrals' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `ref` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `created_at` bigint PATH '$.created_at' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR)) AS i  WHERE true
    ON DUPLICATE KEY UPDATE `status` = VALUES(`status`), `attempt` = VALUES(`attempt`), `failures` = VALUES(`failures`), `deferrals` = VALUES(`deferrals`), `settled` = VALUES(`settled`), `output` = VALUES(`output`), `error` = VALUES(`error`), `ref` = VALUES(`ref`), `wake_at` = VALUES(`wake_at`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`), input = COALESCE(VALUES(`input`), `durable_steps`.input);

-- engine/tables.sql.ts selectHistories
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id IN (?, ?);
-- "runIds-1"
-- "runIds-2"

-- engine/tables.sql.ts selectHistories, runIds[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id IN (?);

-- engine/tables.sql.ts selectWholeHistory
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM `durable_steps` WHERE run_id = ?;
-- "runId"

-- engine/tables.sql.ts selectStep
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id = ? AND seq = ?;
-- "runId"
-- 1

-- engine/tables.sql.ts selectRecorded
SELECT s.run_id, s.seq, s.attempt, s.asked_at, s.settled FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR)) AS p
    JOIN `durable_steps` AS s ON s.run_id = p.run_id AND s.seq = p.seq;
-- "[{"run_id":"runId-1","seq":1},{"run_id":"runId-2","seq":2}]"

-- engine/tables.sql.ts deleteHistories
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_steps` AS gone FORCE INDEX (`PRIMARY`) ON gone.run_id = k.found;
-- "[{"found":"runIds-1"},{"found":"runIds-2"}]"

-- engine/tables.sql.ts selectAnswerable
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps`
  WHERE run_id IN (?, ?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;
-- "runIds-1"
-- "runIds-2"

-- engine/tables.sql.ts selectAnswerable, runIds[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps`
  WHERE run_id IN (?) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;

-- engine/tables.sql.ts upsertAttributes
INSERT INTO `durable_run_attributes` (run_id, name, namespace, type, text_value, number_value)
  SELECT a.run_id, a.name, r.namespace, a.type, a.text_value, CAST(a.number_value AS double)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR, `type` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.type' NULL ON EMPTY ERROR ON ERROR, `text_value` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.text_value' NULL ON EMPTY ERROR ON ERROR, `number_value` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.number_value' NULL ON EMPTY ERROR ON ERROR)) AS a JOIN `durable_runs` AS r ON r.id = a.run_id
  WHERE true ON DUPLICATE KEY UPDATE `type` = VALUES(`type`), `text_value` = VALUES(`text_value`), `number_value` = VALUES(`number_value`);
-- "[{"run_id":"runId-1","name":"name-1","type":"date","text_value":null,"number_value":"1"},{"run_id":"runId-2","name":"name-2","type":"date","text_value":null,"number_value":"2"}]"

-- engine/tables.sql.ts deleteAttributes
DELETE a FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.name' NULL ON EMPTY ERROR ON ERROR)) AS d STRAIGHT_JOIN `durable_run_attributes` AS a FORCE INDEX (`PRIMARY`) ON a.run_id = d.run_id AND a.name = d.name;
-- "[{"run_id":"runId-1","name":"name-1"},{"run_id":"runId-2","name":"name-2"}]"

-- engine/tables.sql.ts upsertAttempts
INSERT INTO `durable_step_attempts` (run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error)
  SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `seq` bigint PATH '$.seq' NULL ON EMPTY ERROR ON ERROR, `attempt` bigint PATH '$.attempt' NULL ON EMPTY ERROR ON ERROR, `outcome` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.outcome' NULL ON EMPTY ERROR ON ERROR, `asked_at` bigint PATH '$.asked_at' NULL ON EMPTY ERROR ON ERROR, `started_at` bigint PATH '$.started_at' NULL ON EMPTY ERROR ON ERROR, `finished_at` bigint PATH '$.finished_at' NULL ON EMPTY ERROR ON ERROR, `worker` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.worker' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR)) AS a WHERE true ON DUPLICATE KEY UPDATE `outcome` = VALUES(`outcome`), `asked_at` = VALUES(`asked_at`), `started_at` = VALUES(`started_at`), `finished_at` = VALUES(`finished_at`), `worker` = VALUES(`worker`), `error` = VALUES(`error`);
-- "[{"seq":1,"attempt":2,"outcome":"deferred","worker":"worker-1","error":"error-1","run_id":"runId-1","asked_at":3,"started_at":4,"finished_at":5},{"seq":6,"attempt":7,"outcome":"deferred","worker":"worker-2","error":"error-2","run_id":"runId-2","asked_at":8,"started_at":9,"finished_at":10}]"

-- engine/tables.sql.ts deleteLine
DELETE FROM `durable_step_logs` WHERE run_id = ? AND logged_at = ? AND message = ?;
-- "runId"
-- 3
-- "message"

-- engine/tables.sql.ts setCustomStatus
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `status` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (`PRIMARY`) ON r.id = n.id SET r.custom_status = n.status;
-- "[{"id":"id-1","status":"status-1"},{"id":"id-2","status":"status-2"}]"

-- engine/unfinished.sql.ts selectEndOfScan
SELECT s.id FROM `durable_runs` AS s WHERE s.id > ? ORDER BY s.id LIMIT 1 OFFSET 0;
-- "afterId"

-- engine/unfinished.sql.ts selectUnfinished
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r
  WHERE r.id > ? AND r.id <= ?
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?) ORDER BY r.id;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/unfinished.sql.ts selectUnfinished, end = undefined
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r
  WHERE r.id > ? 
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?) ORDER BY r.id;

-- engine/unfinished.sql.ts countUnfinished
SELECT r.workflow, r.version, count(*) AS runs FROM `durable_runs` AS r
  WHERE r.id > ? AND r.id <= ?
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?) GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/unfinished.sql.ts countUnfinished, end = undefined
SELECT r.workflow, r.version, count(*) AS runs FROM `durable_runs` AS r
  WHERE r.id > ? 
    AND r.namespace = ? AND r.status NOT IN (?, ?, ?, ?) GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version;

-- engine/unfinished.sql.ts selectNextKinds
SELECT n.workflow, n.version FROM ((SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version > ?
      ORDER BY r.version LIMIT 1) UNION (SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow > ? ORDER BY r.workflow, r.version LIMIT 1) UNION (SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version > ?
      ORDER BY r.version LIMIT 1) UNION (SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow > ? ORDER BY r.workflow, r.version LIMIT 1)) AS n;
-- "namespace"
-- "workflow-1"
-- 1
-- "namespace"
-- "workflow-1"
-- "namespace"
-- "workflow-2"
-- 2
-- "namespace"
-- "workflow-2"

-- engine/unfinished.sql.ts selectNextKinds, after[] = 1
SELECT n.workflow, n.version FROM ((SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version > ?
      ORDER BY r.version LIMIT 1) UNION (SELECT r.workflow, r.version 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow > ? ORDER BY r.workflow, r.version LIMIT 1)) AS n;

-- engine/unfinished.sql.ts selectOverdueOf
SELECT f.workflow, f.version, min(f.since) AS since FROM ((SELECT r.workflow, r.version, r.wake_at AS since 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.wake_at IS NOT NULL ORDER BY r.wake_at LIMIT 1) UNION ALL (SELECT r.workflow, r.version, r.created_at AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.turn IS NOT NULL ORDER BY r.turn LIMIT 1) UNION ALL (SELECT r.workflow, r.version, r.wake_at AS since 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.wake_at IS NOT NULL ORDER BY r.wake_at LIMIT 1) UNION ALL (SELECT r.workflow, r.version, r.created_at AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.turn IS NOT NULL ORDER BY r.turn LIMIT 1)) AS f
  WHERE f.since <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 3 GROUP BY f.workflow, f.version;
-- "namespace"
-- "workflow-1"
-- 1
-- "namespace"
-- "workflow-1"
-- 1
-- "namespace"
-- "workflow-2"
-- 2
-- "namespace"
-- "workflow-2"
-- 2

-- engine/unfinished.sql.ts selectOverdueOf, kinds[] = 1
SELECT f.workflow, f.version, min(f.since) AS since FROM ((SELECT r.workflow, r.version, r.wake_at AS since 
  FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.wake_at IS NOT NULL ORDER BY r.wake_at LIMIT 1) UNION ALL (SELECT r.workflow, r.version, r.created_at AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`) WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.turn IS NOT NULL ORDER BY r.turn LIMIT 1)) AS f
  WHERE f.since <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 2 GROUP BY f.workflow, f.version;
