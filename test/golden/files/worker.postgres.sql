-- worker/lost-attempts.sql.ts insertLost
INSERT INTO "attempts" (run_id, seq, attempt, finished_at, worker, error, outcome)
  SELECT run_id, seq, attempt, finished_at, worker, error, 'lost' FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "attempt" bigint, "finished_at" bigint, "worker" text, "error" text)) AS l
  WHERE EXISTS (SELECT 1 FROM "runs" AS r WHERE r.id = l.run_id) ON CONFLICT ("run_id", "seq", "attempt") DO UPDATE SET "outcome" = EXCLUDED."outcome", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", "error" = EXCLUDED."error";
-- "[{"seq":1,"attempt":2,"worker":"worker-1","error":"error-1","run_id":"runId-1","finished_at":3},{"seq":4,"attempt":5,"worker":"worker-2","error":"error-2","run_id":"runId-2","finished_at":6}]"

-- worker/lost-attempts.sql.ts selectLastKept
SELECT (SELECT COALESCE(MAX(a.attempt), 0) FROM "attempts" AS a
    WHERE a.run_id = l.run_id AND a.seq = l.seq AND a.attempt < l.attempt AND a.outcome <> 'lost') AS kept
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("n" bigint, "run_id" text, "seq" bigint, "attempt" bigint)) AS l ORDER BY l.n;
-- "[{"n":0,"run_id":"runId-1","seq":1,"attempt":2},{"n":1,"run_id":"runId-2","seq":4,"attempt":5}]"

-- worker/sql-step-log-sink.ts insertStepLines
INSERT INTO "logs" (run_id, seq, attempt, level, message, fields, logged_at)
  SELECT run_id, seq, attempt, level, message, fields, logged_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("n" bigint, "run_id" text, "seq" bigint, "attempt" bigint, "level" text, "message" text, "fields" text, "logged_at" bigint)) AS l WHERE EXISTS (SELECT 1 FROM "runs" AS r WHERE r.id = l.run_id) ORDER BY l.n;
-- "[{"seq":1,"attempt":2,"level":"debug","message":"message-1","fields":"fields-1","n":0,"run_id":"runId-1","logged_at":3},{"seq":4,"attempt":5,"level":"debug","message":"message-2","fields":"fields-2","n":1,"run_id":"runId-2","logged_at":6}]"
