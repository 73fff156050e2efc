-- engine/effects/sql-effect-waits.ts selectWaiting
SELECT step_id, run_id, seq FROM `waits` WHERE channel = ? ORDER BY step_id;
-- "channel"

-- engine/effects/sql-effect-waits.ts selectAwaited
SELECT DISTINCT channel FROM `waits` WHERE channel IN (?, ?);
-- "channels-1"
-- "channels-2"

-- engine/effects/sql-effect-waits.ts selectAwaited, channels[] = 1
SELECT DISTINCT channel FROM `waits` WHERE channel IN (?);
