-- engine/effects/sql-effect-waits.ts selectWaiting
SELECT step_id, run_id, seq FROM `waits` WHERE channel = ? ORDER BY step_id;
-- "channel"
