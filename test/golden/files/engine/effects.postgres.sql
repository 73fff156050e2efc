-- engine/effects/sql-effect-waits.ts selectWaiting
SELECT step_id, run_id, seq FROM "waits" WHERE channel = $1 ORDER BY step_id;
-- "channel"
