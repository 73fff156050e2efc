-- worker/sql-step-log-sink.ts insertStepLines
INSERT INTO "logs" (run_id, seq, attempt, level, message, fields, logged_at)
  SELECT run_id, seq, attempt, level, message, fields, logged_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("n" bigint, "run_id" text, "seq" bigint, "attempt" bigint, "level" text, "message" text, "fields" text, "logged_at" bigint)) AS l WHERE EXISTS (SELECT 1 FROM "runs" AS r WHERE r.id = l.run_id) ORDER BY l.n;
-- "[{"seq":1,"attempt":2,"level":"debug","message":"message-1","fields":"fields-1","n":0,"run_id":"runId-1","logged_at":3},{"seq":4,"attempt":5,"level":"debug","message":"message-2","fields":"fields-2","n":1,"run_id":"runId-2","logged_at":6}]"
