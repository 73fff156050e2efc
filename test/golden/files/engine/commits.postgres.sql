-- engine/commits/claim.sql.ts claimRuns
WITH taken AS (
  WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN ($5, $6, $7) AND r.id > $8 AND 
  (SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $9 AND h.kind = 'workflow' AND h.name = w.name
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0
      ORDER BY r.id LIMIT $10 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $11 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $12)
  UPDATE "durable_runs" SET 
  owner = $13, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due))
    RETURNING id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since) SELECT * FROM taken ORDER BY id;
-- "[{"name":"name-1","version":1},{"name":"name-2","version":2}]"
-- 1
-- 1
-- "namespace"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "namespace"
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
        AND r.wake_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND r.wake_at >= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 4 AND r.crashes < 3 AND 
  (SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $5 AND h.kind = 'workflow' AND h.name = w.name
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0
      ORDER BY r.wake_at LIMIT $6 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $7 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $8), in_turn AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($9 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($10 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($11 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $12 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $13 AND h.kind = 'workflow' AND h.name = w.name
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0
      ORDER BY r.turn LIMIT $14 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $15 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT (CAST($16 AS bigint) - (SELECT count(*) FROM due)))
  UPDATE "durable_runs" SET 
  owner = $17, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due UNION ALL SELECT tid FROM in_turn))
    RETURNING id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since;

-- engine/commits/claim.sql.ts claimRuns, request.which = "suspect"
WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.wake_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $5 AND h.kind = 'workflow' AND h.name = w.name
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0
      ORDER BY r.wake_at LIMIT $6 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $7 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $8)
  UPDATE "durable_runs" SET 
  owner = $9, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due))
    RETURNING id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since;

-- engine/commits/claim.sql.ts claimRuns, the least, request.which = "due"
WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.wake_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND r.crashes < 3 AND 
  (SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $5 AND h.kind = 'workflow' AND h.name = w.name
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0
      ORDER BY r.wake_at LIMIT $6 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $7 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $8), in_turn AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($9 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($10 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($11 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $12 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $13 AND h.kind = 'workflow' AND h.name = w.name
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0
      ORDER BY r.turn LIMIT $14 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $15 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT (CAST($16 AS bigint) - (SELECT count(*) FROM due)))
  UPDATE "durable_runs" SET 
  owner = $17, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due UNION ALL SELECT tid FROM in_turn))
    RETURNING id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since;

-- engine/commits/claim.sql.ts stampClaimed
UPDATE "durable_runs" SET 
  owner = $1, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) END WHERE id "among";
-- "nodeId"

-- engine/commits/commit.sql.ts commitAll
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts",
  "parts"
  SELECT "dispatchedAt" AS dispatched_at, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;
-- "[{"id":"runId-1","epoch":1,"known_seq":29,"known":30,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-1\\"}","resume":null},{"id":"runId-2","epoch":107,"known_seq":135,"known":136,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-2\\"}","resume":null}]"
-- 1
-- 1
-- "[{"id":"runId-1","known_seq":31,"known":32},{"id":"runId-2","known_seq":137,"known":138}]"
-- "owner-1"
-- "[{"run_id":"runId-3","seq":2,"kind":"child","name":"name-3","status":"answered","attempt":3,"failures":4,"deferrals":5,"settled":6,"output":"output-3","error":"error-3","ref":"ref-3","wake_at":7,"created_at":8,"asked_at":9,"started_at":10,"finished_at":11,"worker":"worker-3","input":"input-3"},{"run_id":"runId-4","seq":12,"kind":"child","name":"name-4","status":"answered","attempt":13,"failures":14,"deferrals":15,"settled":16,"output":"output-4","error":"error-4","ref":"ref-4","wake_at":17,"created_at":18,"asked_at":19,"started_at":20,"finished_at":21,"worker":"worker-4","input":"input-4"},{"run_id":"runId-5","seq":108,"kind":"child","name":"name-5","status":"answered","attempt":109,"failures":110,"deferrals":111,"settled":112,"output":"output-5","error":"error-5","ref":"ref-5","wake_at":113,"created_at":114,"asked_at":115,"started_at":116,"finished_at":117,"worker":"worker-5","input":"input-5"},{"run_id":"runId-6","seq":118,"kind":"child","name":"name-6","status":"answered","attempt":119,"failures":120,"deferrals":121,"settled":122,"output":"output-6","error":"error-6","ref":"ref-6","wake_at":123,"created_at":124,"asked_at":125,"started_at":126,"finished_at":127,"worker":"worker-6","input":"input-6"}]"

-- engine/commits/commit.sql.ts commitAll, 3.notification = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts",
  "parts"
  SELECT "dispatchedAt" AS dispatched_at, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh FROM held;

-- engine/commits/commit.sql.ts commitAll, 3.notifying = false
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands AND NOT EXISTS (SELECT FROM held AS h WHERE h.final = 1 AND h.notifies <> 0 AND h.stands) WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) AND NOT EXISTS (SELECT FROM held AS h WHERE h.final = 1 AND h.notifies <> 0 AND h.stands)),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands AND NOT EXISTS (SELECT FROM held AS h WHERE h.final = 1 AND h.notifies <> 0 AND h.stands)),
  "parts",
  "parts"
  SELECT "dispatchedAt" AS dispatched_at, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, 3.riding = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, 3.riding.dispatchedAt = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts",
  "parts"
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, 3.riding.parts[] = 1
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts"
  SELECT "dispatchedAt" AS dispatched_at, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, writes[].known = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $4 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($5 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts",
  "parts"
  SELECT "dispatchedAt" AS dispatched_at, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, writes[].once = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", "durable_steps".input)),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts",
  "parts"
  SELECT "dispatchedAt" AS dispatched_at, held.id, held.epoch, held.notifies, held.stands, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, writes[].owner = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($5 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts",
  "parts"
  SELECT "dispatchedAt" AS dispatched_at, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, writes[].steps[].input = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker" WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts",
  "parts"
  SELECT "dispatchedAt" AS dispatched_at, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, the least
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker")
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
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker")
  SELECT held.id, held.epoch, held.notifies, held.stands, ("notification") AS told FROM held;

-- engine/commits/commit.sql.ts commitAll, the least, 3.riding = Riding
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker"),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts"
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits/commit.sql.ts commitAll, the least, writes[].clearCrashes = true
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker"),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
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
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker" WHERE old.settled IS NULL RETURNING 1)
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
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($5 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker")
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits/commit.sql.ts commitAll, the least, writes[].steps[].input = string
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", "durable_steps".input))
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
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands AND NOT EXISTS (SELECT FROM held AS h WHERE h.status IS NOT NULL AND h.notifies <> 0 AND h.stands) WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker"),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = NULL, wake_at = NULL, reason = NULL, reason_detail = NULL, output = w.output, error = w.error, finished_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), status = w.status, closing = CASE WHEN w.status = 'compensation_failed' THEN r.closing END FROM w JOIN held ON held.id = w.id AND held.stands
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
UPDATE "durable_runs" AS r SET settled = w.settled, wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ELSE r.wake_at END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "settled" bigint)) AS w WHERE r.id = w.id RETURNING ("notification") AS told;
-- "[{"id":"id-1","settled":1},{"id":"id-2","settled":2}]"

-- engine/commits/commit.sql.ts wakeRuns, notification = undefined
UPDATE "durable_runs" AS r SET settled = w.settled, wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ELSE r.wake_at END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "settled" bigint)) AS w WHERE r.id = w.id;

-- engine/commits/known-steps.sql.ts standsIn
((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known))));
-- "[{"id":"runId-1","known_seq":31,"known":32},{"id":"runId-2","known_seq":137,"known":138}]"

-- engine/commits/known-steps.sql.ts standsIn, writes[].known = undefined
(w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known)));
