-- engine/commits/claim.sql.ts claimRuns
WITH taken AS (
  WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN ($5, $6, $7) AND r.id > $8
      ORDER BY r.id LIMIT $9 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $10 AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $11)
  UPDATE "durable_runs" SET 
  owner = $12, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due))
    RETURNING id, workflow, version, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, epoch, COALESCE(continued_at, created_at) AS since) SELECT * FROM taken ORDER BY id;
-- "[{"name":"name-1","version":1},{"name":"name-2","version":2}]"
-- 1
-- 1
-- "namespace"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- 3
-- "nodeId"
-- 3
-- "nodeId"

-- engine/commits/claim.sql.ts claimRuns, request.which = "due"
WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.wake_at <= (SELECT CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND r.wake_at >= (SELECT CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 4 AND r.crashes < 3
      ORDER BY r.wake_at LIMIT $5 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $6 AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $7), in_turn AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($8 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $11 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.turn IS NOT NULL AND r.status = 'pending'
      ORDER BY r.turn LIMIT $12 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $13 AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT (CAST($14 AS bigint) - (SELECT count(*) FROM due)))
  UPDATE "durable_runs" SET 
  owner = $15, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due UNION ALL SELECT tid FROM in_turn))
    RETURNING id, workflow, version, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, epoch, COALESCE(continued_at, created_at) AS since;

-- engine/commits/claim.sql.ts claimRuns, request.which = "suspect"
WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.wake_at <= (SELECT CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND r.crashes >= 3
      ORDER BY r.wake_at LIMIT $5 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $6 AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $7)
  UPDATE "durable_runs" SET 
  owner = $8, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due))
    RETURNING id, workflow, version, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, epoch, COALESCE(continued_at, created_at) AS since;

-- engine/commits/claim.sql.ts claimRuns, the least, request.which = "due"
WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.wake_at <= (SELECT CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND r.crashes < 3
      ORDER BY r.wake_at LIMIT $5 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $6 AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $7), in_turn AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($8 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($9 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($10 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $11 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.turn IS NOT NULL AND r.status = 'pending'
      ORDER BY r.turn LIMIT $12 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $13 AND n.expires_at > CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT (CAST($14 AS bigint) - (SELECT count(*) FROM due)))
  UPDATE "durable_runs" SET 
  owner = $15, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due UNION ALL SELECT tid FROM in_turn))
    RETURNING id, workflow, version, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, epoch, COALESCE(continued_at, created_at) AS since;

-- engine/commits/claim.sql.ts stampClaimed
UPDATE "durable_runs" SET 
  owner = $1, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END WHERE id "among";
-- "nodeId"

-- engine/commits/commit.sql.ts commitAll
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at" WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;
-- "[{"id":"runId-1","epoch":1,"known_seq":23,"known":24,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-1\\",\\"name\\":\\"name-1\\",\\"code\\":\\"code-1\\",\\"retryable\\":true,\\"cause\\":{\\"message\\":\\"message-1\\",\\"name\\":\\"name-1\\",\\"code\\":\\"code-1\\",\\"retryable\\":true,\\"cause\\":{\\"message\\":\\"message-1\\",\\"name\\":\\"name-1\\",\\"code\\":\\"code-1\\",\\"retryable\\":true,\\"cause\\":{\\"message\\":\\"message-1\\",\\"name\\":\\"name-1\\",\\"code\\":\\"code-1\\",\\"retryable\\":true,\\"cause\\":{\\"message\\":\\"message-1\\",\\"name\\":\\"name-1\\",\\"code\\":\\"code-1\\",\\"retryable\\":true,\\"cause\\":{}}}}}}"},{"id":"runId-2","epoch":99,"known_seq":121,"known":122,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-2\\",\\"name\\":\\"name-2\\",\\"code\\":\\"code-2\\",\\"retryable\\":true,\\"cause\\":{\\"message\\":\\"message-2\\",\\"name\\":\\"name-2\\",\\"code\\":\\"code-2\\",\\"retryable\\":true,\\"cause\\":{\\"message\\":\\"message-2\\",\\"name\\":\\"name-2\\",\\"code\\":\\"code-2\\",\\"retryable\\":true,\\"cause\\":{\\"message\\":\\"message-2\\",\\"name\\":\\"name-2\\",\\"code\\":\\"code-2\\",\\"retryable\\":true,\\"cause\\":{\\"message\\":\\"message-2\\",\\"name\\":\\"name-2\\",\\"code\\":\\"code-2\\",\\"retryable\\":true,\\"cause\\":{}}}}}}"}]"
-- 1
-- 1
-- "[{"id":"runId-1","known_seq":25,"known":26},{"id":"runId-2","known_seq":123,"known":124}]"
-- "owner-1"
-- "[{"run_id":"runId-3","seq":2,"kind":"child","name":"name-3","status":"answered","attempt":3,"settled":4,"output":"output-3","error":"error-3","ref":"ref-3","wake_at":5,"created_at":6,"started_at":7,"finished_at":8},{"run_id":"runId-4","seq":9,"kind":"child","name":"name-4","status":"answered","attempt":10,"settled":11,"output":"output-4","error":"error-4","ref":"ref-4","wake_at":12,"created_at":13,"started_at":14,"finished_at":15},{"run_id":"runId-5","seq":100,"kind":"child","name":"name-5","status":"answered","attempt":101,"settled":102,"output":"output-5","error":"error-5","ref":"ref-5","wake_at":103,"created_at":104,"started_at":105,"finished_at":106},{"run_id":"runId-6","seq":107,"kind":"child","name":"name-6","status":"answered","attempt":108,"settled":109,"output":"output-6","error":"error-6","ref":"ref-6","wake_at":110,"created_at":111,"started_at":112,"finished_at":113}]"

-- engine/commits/commit.sql.ts commitAll, 3.notification = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at" WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh FROM held;

-- engine/commits/commit.sql.ts commitAll, 3.notifying = false
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands AND NOT EXISTS (SELECT FROM held AS h WHERE h.final = 1 AND h.notifies <> 0 AND h.stands) WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at" WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) AND NOT EXISTS (SELECT FROM held AS h WHERE h.final = 1 AND h.notifies <> 0 AND h.stands))
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, writes[].known = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $4 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($5 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at" WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, writes[].once = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at"),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, writes[].owner = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($5 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at" WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, the least
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at")
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits/commit.sql.ts commitAll, the least, 3.notification = Statement
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at")
  SELECT held.id, held.epoch, held.notifies, held.stands, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, the least, writes[].clearCrashes = true
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at"),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits/commit.sql.ts commitAll, the least, writes[].once = true
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at" WHERE old.settled IS NULL RETURNING 1)
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh FROM held;

-- engine/commits/commit.sql.ts commitAll, the least, writes[].owner = string
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $4 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($5 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at")
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits/commit.sql.ts commitAll, the least, writes[].transition = { status: "cancelled"; error?: WireError; }
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "output" text, "error" text, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.status, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, settled, output, error, ref, wake_at, created_at, started_at, finished_at)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.started_at, i.finished_at FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "started_at" bigint, "finished_at" bigint)) AS i JOIN held ON held.id = i.run_id AND held.stands AND NOT EXISTS (SELECT FROM held AS h WHERE h.status IS NOT NULL AND h.notifies <> 0 AND h.stands) WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at"),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = NULL, wake_at = NULL, reason = NULL, reason_detail = NULL, output = w.output, error = w.error, finished_at = CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), status = w.status, closing = CASE WHEN w.status = 'compensation_failed' THEN r.closing END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL) AND NOT EXISTS (SELECT FROM held AS h WHERE h.status IS NOT NULL AND h.notifies <> 0 AND h.stands))
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits/commit.sql.ts lockRuns
SELECT id, epoch, owner, notifies FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/commits/commit.sql.ts lockUnowned
SELECT id, status, reason, settled FROM "durable_runs"
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND namespace = $5 AND owner IS NULL ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "namespace"

-- engine/commits/commit.sql.ts wakeRuns
UPDATE "durable_runs" AS r SET settled = w.settled, wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)), CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ELSE r.wake_at END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "settled" bigint)) AS w WHERE r.id = w.id RETURNING ("notification") AS told;
-- "[{"id":"id-1","settled":1},{"id":"id-2","settled":2}]"

-- engine/commits/commit.sql.ts wakeRuns, notification = undefined
UPDATE "durable_runs" AS r SET settled = w.settled, wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)), CAST((extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ELSE r.wake_at END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "settled" bigint)) AS w WHERE r.id = w.id;

-- engine/commits/known-steps.sql.ts standsIn
((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known))));
-- "[{"id":"runId-1","known_seq":25,"known":26},{"id":"runId-2","known_seq":123,"known":124}]"

-- engine/commits/known-steps.sql.ts standsIn, writes[].known = undefined
(w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known)));
