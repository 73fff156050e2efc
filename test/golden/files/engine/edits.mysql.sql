-- engine/edits/edit.sql.ts lockRuns
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM `durable_runs` WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/edits/edit.sql.ts lockRuns, ids[] = 1
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM `durable_runs` WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/edits/edit.sql.ts selectEditable
SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r WHERE r.id = ? FOR UPDATE;
-- "id"

-- engine/edits/edit.sql.ts selectEditable, locked = false
SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM `durable_runs` AS r WHERE r.id = ?;

-- engine/edits/edit.sql.ts selectSteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id = ? ORDER BY seq LOCK IN SHARE MODE;
-- "runId"

-- engine/edits/edit.sql.ts selectSteps, newest = false
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM `durable_steps` WHERE run_id = ? ORDER BY seq;
