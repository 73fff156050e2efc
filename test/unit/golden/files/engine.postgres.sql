-- engine/commits.sql.ts standsIn
((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known))));
-- "[{"id":"runId-1","known_seq":36,"known":37},{"id":"runId-2","known_seq":147,"known":148}]"

-- engine/commits.sql.ts standsIn, writes[].known = undefined
(w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known)));

-- engine/commits.sql.ts commitAll
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;
-- "[{"id":"runId-1","epoch":1,"known_seq":34,"known":35,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-1\\"}","resume":null,"ended":2},{"id":"runId-2","epoch":112,"known_seq":145,"known":146,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-2\\"}","resume":null,"ended":113}]"
-- 1
-- 1
-- "[{"id":"runId-1","known_seq":36,"known":37},{"id":"runId-2","known_seq":147,"known":148}]"
-- "owner-1"
-- "[{"run_id":"runId-3","seq":3,"kind":"child","name":"name-3","status":"answered","attempt":4,"failures":5,"deferrals":6,"settled":7,"output":"output-3","error":"error-3","ref":"ref-3","wake_at":8,"created_at":9,"asked_at":10,"started_at":11,"finished_at":12,"worker":"worker-3","input":"input-3"},{"run_id":"runId-4","seq":13,"kind":"child","name":"name-4","status":"answered","attempt":14,"failures":15,"deferrals":16,"settled":17,"output":"output-4","error":"error-4","ref":"ref-4","wake_at":18,"created_at":19,"asked_at":20,"started_at":21,"finished_at":22,"worker":"worker-4","input":"input-4"},{"run_id":"runId-5","seq":114,"kind":"child","name":"name-5","status":"answered","attempt":115,"failures":116,"deferrals":117,"settled":118,"output":"output-5","error":"error-5","ref":"ref-5","wake_at":119,"created_at":120,"asked_at":121,"started_at":122,"finished_at":123,"worker":"worker-5","input":"input-5"},{"run_id":"runId-6","seq":124,"kind":"child","name":"name-6","status":"answered","attempt":125,"failures":126,"deferrals":127,"settled":128,"output":"output-6","error":"error-6","ref":"ref-6","wake_at":129,"created_at":130,"asked_at":131,"started_at":132,"finished_at":133,"worker":"worker-6","input":"input-6"}]"

-- engine/commits.sql.ts commitAll, 3.as = "values"
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS text), CAST($4 AS bigint), CAST($5 AS text), CAST($6 AS text), CAST($7 AS text), CAST($8 AS text), CAST($9 AS text), CAST($10 AS text), CAST($11 AS text), CAST($12 AS text), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint), CAST($16 AS bigint), CAST($17 AS bigint), CAST($18 AS bigint), CAST($19 AS bigint), CAST($20 AS bigint)), (CAST($21 AS text), CAST($22 AS bigint), CAST($23 AS text), CAST($24 AS bigint), CAST($25 AS text), CAST($26 AS text), CAST($27 AS text), CAST($28 AS text), CAST($29 AS text), CAST($30 AS text), CAST($31 AS text), CAST($32 AS text), CAST($33 AS bigint), CAST($34 AS bigint), CAST($35 AS bigint), CAST($36 AS bigint), CAST($37 AS bigint), CAST($38 AS bigint), CAST($39 AS bigint), CAST($40 AS bigint))) AS listed("id", "epoch", "status", "final", "closing", "reason", "reason_detail", "output", "error", "input", "context", "resume", "wake_at", "first_seq", "settled", "cleared", "unwinds", "ended", "known_seq", "known")) AS listed CROSS JOIN generate_series(1, CAST($41 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($42 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($43 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $44 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM (VALUES (CAST($45 AS text), CAST($46 AS bigint), CAST($47 AS text), CAST($48 AS text), CAST($49 AS text), CAST($50 AS bigint), CAST($51 AS bigint), CAST($52 AS bigint), CAST($53 AS bigint), CAST($54 AS text), CAST($55 AS text), CAST($56 AS text), CAST($57 AS bigint), CAST($58 AS bigint), CAST($59 AS bigint), CAST($60 AS bigint), CAST($61 AS bigint), CAST($62 AS text), CAST($63 AS text)), (CAST($64 AS text), CAST($65 AS bigint), CAST($66 AS text), CAST($67 AS text), CAST($68 AS text), CAST($69 AS bigint), CAST($70 AS bigint), CAST($71 AS bigint), CAST($72 AS bigint), CAST($73 AS text), CAST($74 AS text), CAST($75 AS text), CAST($76 AS bigint), CAST($77 AS bigint), CAST($78 AS bigint), CAST($79 AS bigint), CAST($80 AS bigint), CAST($81 AS text), CAST($82 AS text)), (CAST($83 AS text), CAST($84 AS bigint), CAST($85 AS text), CAST($86 AS text), CAST($87 AS text), CAST($88 AS bigint), CAST($89 AS bigint), CAST($90 AS bigint), CAST($91 AS bigint), CAST($92 AS text), CAST($93 AS text), CAST($94 AS text), CAST($95 AS bigint), CAST($96 AS bigint), CAST($97 AS bigint), CAST($98 AS bigint), CAST($99 AS bigint), CAST($100 AS text), CAST($101 AS text)), (CAST($102 AS text), CAST($103 AS bigint), CAST($104 AS text), CAST($105 AS text), CAST($106 AS text), CAST($107 AS bigint), CAST($108 AS bigint), CAST($109 AS bigint), CAST($110 AS bigint), CAST($111 AS text), CAST($112 AS text), CAST($113 AS text), CAST($114 AS bigint), CAST($115 AS bigint), CAST($116 AS bigint), CAST($117 AS bigint), CAST($118 AS bigint), CAST($119 AS text), CAST($120 AS text))) AS listed("run_id", "seq", "kind", "name", "status", "attempt", "failures", "deferrals", "settled", "output", "error", "ref", "wake_at", "created_at", "asked_at", "started_at", "finished_at", "worker", "input")) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, 3.notification = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh FROM held;

-- engine/commits.sql.ts commitAll, 3.notifying = false
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands AND NOT EXISTS (SELECT FROM held AS h WHERE h.final = 1 AND h.notifies <> 0 AND h.stands) AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) AND NOT EXISTS (SELECT FROM held AS h WHERE h.final = 1 AND h.notifies <> 0 AND h.stands) AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands AND NOT EXISTS (SELECT FROM held AS h WHERE h.final = 1 AND h.notifies <> 0 AND h.stands) AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, 3.riding = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
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
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, 3.riding.locks[] = 1
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, 3.riding.parts[] = 1
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, 3.riding.told = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, 3.riding.unheld = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) ),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts",
  "parts"
  SELECT "told" AS dispatched, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, writes[].known = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $4 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($5 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, writes[].once = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", "durable_steps".input)),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, writes[].owner = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($5 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, writes[].steps[].input = undefined
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, w.final, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("id" text, "known_seq" bigint, "known" bigint)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND NULLIF(r.owner, '') = $5 FOR NO KEY UPDATE
    ) AS o),
  "locks",
  "locks",
  stepped AS (INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($6 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  AND "unheld" IS NULL WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker" WHERE old.settled IS NULL RETURNING 1),
  changed AS (
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1)  AND "unheld" IS NULL),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands  AND "unheld" IS NULL),
  "parts",
  "parts"
  SELECT "told" AS dispatched, "unheld" AS unheld, held.id, held.epoch, held.notifies, held.stands, EXISTS (SELECT 1 FROM stepped) AS fresh, ("notification") AS told FROM held;

-- engine/commits.sql.ts commitAll, the least
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

-- engine/commits.sql.ts commitAll, the least, 3.as = "values"
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS bigint), CAST($4 AS bigint))) AS listed("id", "epoch", "known_seq", "known")) AS listed CROSS JOIN generate_series(1, CAST($5 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($6 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM (VALUES (CAST($7 AS text), CAST($8 AS bigint), CAST($9 AS text), CAST($10 AS text), CAST($11 AS text), CAST($12 AS bigint), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint), CAST($16 AS text), CAST($17 AS text), CAST($18 AS text), CAST($19 AS bigint), CAST($20 AS bigint), CAST($21 AS bigint), CAST($22 AS bigint), CAST($23 AS bigint), CAST($24 AS text))) AS listed("run_id", "seq", "kind", "name", "status", "attempt", "failures", "deferrals", "settled", "output", "error", "ref", "wake_at", "created_at", "asked_at", "started_at", "finished_at", "worker")) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker")
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits.sql.ts commitAll, the least, 3.notification = Statement
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

-- engine/commits.sql.ts commitAll, the least, 3.riding = Ride
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
  held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM "durable_steps" AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM "durable_runs" AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o),
  "locks",
  stepped AS (INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i JOIN held ON held.id = i.run_id AND held.stands  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker"),
  passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ),
  "parts"
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits.sql.ts commitAll, the least, writes[].clearCrashes = true
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "final" bigint, "closing" text, "reason" text, "reason_detail" text, "output" text, "error" text, "input" text, "context" text, "resume" text, "wake_at" bigint, "first_seq" bigint, "settled" bigint, "cleared" bigint, "unwinds" bigint, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
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
    UPDATE "durable_runs" AS r SET owner = CASE WHEN w.status IS NULL THEN r.owner END, wake_at = CASE WHEN w.wake_at = 0 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE w.wake_at END, settled = COALESCE(w.settled, r.settled), crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, crashed = CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END, unwinds = GREATEST(r.unwinds, w.unwinds), reason = w.reason, reason_detail = w.reason_detail, output = w.output, error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), input = COALESCE(w.input, r.input), context = COALESCE(w.context, r.context), resume = COALESCE(w.resume, r.resume), first_seq = COALESCE(w.first_seq, r.first_seq), continued_at = CASE WHEN w.status = 'pending' THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1 ELSE r.continued_at END, finished_at = CASE WHEN w.final = 1 THEN GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended) END, status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1 OR w.unwinds = 1) )
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits.sql.ts commitAll, the least, writes[].once = true
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

-- engine/commits.sql.ts commitAll, the least, writes[].owner = string
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

-- engine/commits.sql.ts commitAll, the least, writes[].steps[].input = string
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

-- engine/commits.sql.ts commitAll, the least, writes[].transition = { status: "cancelled"; error?: WireError; }
WITH w AS MATERIALIZED (SELECT listed.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "status" text, "output" text, "error" text, "ended" bigint, "known_seq" bigint, "known" bigint)) AS listed CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again),
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
    UPDATE "durable_runs" AS r SET owner = NULL, wake_at = NULL, reason = NULL, reason_detail = NULL, output = w.output, error = w.error, finished_at = GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), w.ended), status = w.status, closing = CASE WHEN w.status = 'compensation_failed' THEN r.closing END FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL) AND NOT EXISTS (SELECT FROM held AS h WHERE h.status IS NOT NULL AND h.notifies <> 0 AND h.stands))
  SELECT held.id, held.epoch, held.notifies, held.stands FROM held;

-- engine/commits.sql.ts lockRuns
SELECT id, epoch, owner, notifies FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/commits.sql.ts lockUnowned
SELECT id, status, reason, settled FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND namespace = $5 AND owner IS NULL ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "namespace"

-- engine/commits.sql.ts wakeRuns
UPDATE "durable_runs" AS r SET settled = w.settled, wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ELSE r.wake_at END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "settled" bigint)) AS w WHERE r.id = w.id RETURNING ("notification") AS told;
-- "[{"id":"id-1","settled":1},{"id":"id-2","settled":2}]"

-- engine/commits.sql.ts wakeRuns, notification = undefined
UPDATE "durable_runs" AS r SET settled = w.settled, wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ELSE r.wake_at END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "settled" bigint)) AS w WHERE r.id = w.id;

-- engine/control.sql.ts deleteBelongings
DELETE FROM "durable_run_dependencies" AS e USING "durable_runs" AS r WHERE r.id = e.target_id AND r.status = 'completed' AND e.target_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_run_dependencies" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_start_keys" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_run_attributes" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_limiter_entries" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_step_attempts" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_step_logs" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_steps" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_signals" WHERE target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND addressed = 'run';
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/control.sql.ts deleteLives
DELETE FROM "durable_limiter_entries" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_step_attempts" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_step_logs" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_steps" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
DELETE FROM "durable_signals" WHERE target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND addressed = 'run';
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/control.sql.ts lockResumable
SELECT id, parent_id, status, closing, output, resume, erased_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/control.sql.ts selectUncompleted
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" 
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (status <> 'completed' OR seq < 0);
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/control.sql.ts forgetSteps
DELETE FROM "durable_steps" AS s USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint)) AS d WHERE s.run_id = d.run_id AND s.seq = d.seq;
-- "[{"run_id":"runId-1","seq":1},{"run_id":"runId-2","seq":2}]"

-- engine/control.sql.ts forgetMarkers
DELETE FROM "durable_steps" WHERE run_id = $1 AND seq >= $2 AND kind = 'marker';
-- "runId"
-- 1

-- engine/control.sql.ts keepResume
UPDATE "durable_runs" SET resume = $1 WHERE id = $2;
-- "{"failed":[1,2],"delivered":3,"after":4,"passed":{"seq":5,"name":"name","next":6},"at":7,"forgiven":{}}"
-- "runId"

-- engine/control.sql.ts resumeRuns
UPDATE "durable_runs" AS r SET status = CASE WHEN r.limiter IS NULL THEN 'suspended' ELSE 'pending' END, precondition = CASE WHEN r.limiter IS NULL THEN NULL ELSE 'limiter' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), deadline = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + r.timeout_ms, crashes = 0, crashed = NULL, closing = NULL, error = NULL, finished_at = NULL, resume = n.resume, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "resume" text)) AS n WHERE r.id = n.id;
-- "[{"id":"id-1","resume":"{\\"failed\\":[1,2],\\"delivered\\":3,\\"after\\":4,\\"passed\\":{\\"seq\\":5,\\"name\\":\\"name-1\\",\\"next\\":6},\\"at\\":7,\\"forgiven\\":{}}"},{"id":"id-2","resume":"{\\"failed\\":[8,9],\\"delivered\\":10,\\"after\\":11,\\"passed\\":{\\"seq\\":12,\\"name\\":\\"name-2\\",\\"next\\":13},\\"at\\":14,\\"forgiven\\":{}}"}]"

-- engine/control.sql.ts lockPurgeable
SELECT r.id FROM "durable_runs" AS r 
  WHERE r.namespace = $1 AND r.status = $2 AND r.finished_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $3
    AND NOT COALESCE((SELECT p.finished_at IS NULL FROM "durable_runs" AS p WHERE p.id = r.parent_id), false)
    AND (SELECT COUNT(*) FROM "durable_run_dependencies" AS e WHERE e.target_id = r.id) = 0
  ORDER BY r.finished_at, r.id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "namespace"
-- "cancelled"
-- 2

-- engine/control.sql.ts selectChildren
SELECT id, parent_id, status FROM "durable_runs"  WHERE parent_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"parentIds-1","parentIds-2"}"
-- 1
-- 1

-- engine/control.sql.ts lockByKey
SELECT id, parent_id, finished_at FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE SKIP LOCKED;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/control.sql.ts lockByKey, skip = false
SELECT id, parent_id, finished_at FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;

-- engine/control.sql.ts orphanRuns
UPDATE "durable_runs"  SET parent_id = NULL, parent_seq = NULL, parent_close = NULL, notifies = notifies - notifies % 2
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/control.sql.ts selectOpenSteps
SELECT run_id, seq FROM "durable_steps" 
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/control.sql.ts deleteRuns
DELETE FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/control.sql.ts deleteWaitsOfRuns
DELETE FROM "durable_signal_waits" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/control.sql.ts selectRunChannels
SELECT DISTINCT channel FROM "durable_signals" WHERE target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND addressed = 'run';
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/control.sql.ts deleteChannels
DELETE FROM "durable_signal_channels" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/control.sql.ts selectExpiredKeys
SELECT start_key FROM "durable_start_keys"
  WHERE expires_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) ORDER BY expires_at LIMIT 1;

-- engine/control.sql.ts deleteExpiredKeys
DELETE FROM "durable_start_keys" WHERE start_key = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- engine/control.sql.ts lockRuns
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/control.sql.ts selectEditable
SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r WHERE r.id = $1 FOR UPDATE;
-- "id"

-- engine/control.sql.ts selectEditable, locked = false
SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r WHERE r.id = $1;

-- engine/control.sql.ts selectSteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps"  WHERE run_id = $1 ORDER BY seq;
-- "runId"

-- engine/endings.sql.ts selectEndedChildren
SELECT r.id, r.parent_id, r.parent_seq, r.status, r.output, r.error
  FROM "durable_runs" AS r JOIN "durable_runs" AS p ON p.id = r.parent_id
  WHERE r.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND p.status NOT IN ($5, $6, $7, $8);
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings.sql.ts selectDependenciesTo
SELECT target_id, run_id FROM "durable_run_dependencies" WHERE target_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"targetIds-1","targetIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts lockWaiters
SELECT id, status, reason, owner, blockers FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id
  FOR NO KEY UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings.sql.ts deleteDependencies
DELETE FROM "durable_run_dependencies" AS e USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("target_id" text, "run_id" text)) AS g WHERE e.target_id = g.target_id AND e.run_id = g.run_id;
-- "[{"target_id":"target_id-1","run_id":"run_id-1"},{"target_id":"target_id-2","run_id":"run_id-2"}]"

-- engine/endings.sql.ts deleteDependenciesOf
DELETE FROM "durable_run_dependencies" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts wakeWaiters
UPDATE "durable_runs" AS r SET wake_at = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) ELSE r.wake_at END, reason = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN NULL ELSE r.reason END, precondition = CASE WHEN NOT (w.error IS NOT NULL OR r.blockers <= w.met) THEN r.precondition WHEN w.error IS NULL AND r.limiter IS NOT NULL THEN 'limiter' END, closing = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END, error = COALESCE(w.error, r.error), blockers = CASE WHEN (w.error IS NOT NULL OR r.blockers <= w.met) THEN 0 ELSE r.blockers - w.met END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "met" bigint, "error" text)) AS w WHERE r.id = w.id;
-- "[{"id":"id-1","met":1,"error":"error-1"},{"id":"id-2","met":2,"error":"error-2"}]"

-- engine/endings.sql.ts selectStatuses
SELECT id, status FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings.sql.ts selectLimitersOf
SELECT DISTINCT limiter FROM "durable_limiter_entries" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts deletePermitsOf
DELETE FROM "durable_limiter_entries" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts lockRun
SELECT id, namespace, workflow, status, reason, closing, notifies, unwinds, error, erased_at FROM "durable_runs" WHERE id = $1 FOR UPDATE;
-- "runId"

-- engine/endings.sql.ts selectOpen
SELECT seq, kind, CASE WHEN kind = 'signal' AND status = 'answered' THEN output END AS given FROM "durable_steps"  WHERE run_id = $1 AND kind IN ('remote', 'signal') AND settled IS NULL;
-- "runId"

-- engine/endings.sql.ts selectOpenChildren
SELECT id, parent_close FROM "durable_runs" 
  WHERE parent_id = $1 AND parent_close <> 'abandon' AND status NOT IN ($2, $3, $4, $5)
  ORDER BY id;
-- "parentId"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings.sql.ts endCancelled
UPDATE "durable_runs"
  SET status = 'cancelled', owner = NULL, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL,
    reason_detail = NULL, closing = NULL, error = $1, finished_at = GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), COALESCE(started_at, created_at))
  WHERE id = $2;
-- "error"
-- "runId"

-- engine/endings.sql.ts beginClosing
UPDATE "durable_runs"
  SET status = 'compensating', closing = $1, owner = NULL, epoch = epoch + 1, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint),
    reason = NULL, reason_detail = NULL, crashes = 0, crashed = NULL,
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = $2)
  WHERE id = $3;
-- "closing"
-- "runId"
-- "runId"

-- engine/endings.sql.ts selectOrders
SELECT id, settled FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts lockOpenRemote
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" 
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts countSettled
UPDATE "durable_runs" 
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = "durable_runs".id)
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts forgetGiven
UPDATE "durable_steps"  SET status = 'pending', output = NULL WHERE run_id = $1 AND seq IN ($2, $3);
-- "runId"
-- 1
-- 2

-- engine/endings.sql.ts forgetGiven, seqs[] = 1
UPDATE "durable_steps"  SET status = 'pending', output = NULL WHERE run_id = $1 AND seq IN ($2);

-- engine/endings.sql.ts unblock
UPDATE "durable_runs"  SET wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = 0, crashed = NULL
  WHERE id = $1 AND reason IN ($2, $3, $4, $5, $6);
-- "runId"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "history_lost"
-- "exhausted"

-- engine/endings.sql.ts compensateAgain
UPDATE "durable_runs"
  SET status = 'compensating', wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = 0, crashed = NULL, finished_at = NULL, error = $1,
    closing = COALESCE(closing, 'failed'),
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = $2)
  WHERE id = $3;
-- "error"
-- "runId"
-- "runId"

-- engine/endings.sql.ts forgetFailedUndoing
DELETE FROM "durable_steps" WHERE run_id = $1 AND seq < 0 AND status = 'failed';
-- "runId"

-- engine/endings.sql.ts insertDependencies
INSERT INTO "durable_run_dependencies" (target_id, run_id)
  SELECT e.target_id, e.run_id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("target_id" text, "run_id" text)) AS e "created";
-- "[{"target_id":"target_id-1","run_id":"run_id-1"},{"target_id":"target_id-2","run_id":"run_id-2"}]"

-- engine/endings.sql.ts selectTargets
SELECT DISTINCT target_id FROM "durable_run_dependencies" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts lockOpen
SELECT id, notifies FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status NOT IN ($5, $6, $7, $8) ORDER BY id FOR NO KEY UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/endings.sql.ts notifyRuns
UPDATE "durable_runs"  SET notifies = notifies | 2 WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings.sql.ts lockConditional
SELECT id, epoch, owner, limiter, CASE WHEN deadline <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) THEN 1 ELSE 0 END AS late
  FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR NO KEY UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/endings.sql.ts selectTargetStatuses
SELECT e.run_id, e.target_id, r.status FROM "durable_run_dependencies" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.target_id
  WHERE e.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/endings.sql.ts decideConditional
UPDATE "durable_runs" AS r SET owner = CASE WHEN w.blockers > 0 THEN NULL ELSE r.owner END, status = CASE WHEN w.error IS NOT NULL THEN 'compensating' WHEN w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL THEN 'running' ELSE 'pending' END, reason = CASE WHEN w.blockers > 0 THEN 'waiting_for_runs' END, wake_at = CASE WHEN w.blockers > 0 THEN r.deadline END, started_at = CASE WHEN w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL THEN COALESCE(r.started_at, GREATEST(r.created_at, $1)) ELSE r.started_at END, precondition = CASE WHEN w.blockers > 0 THEN r.precondition WHEN w.error IS NOT NULL OR r.limiter IS NULL THEN NULL ELSE 'limiter' END, closing = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END, error = COALESCE(w.error, r.error), blockers = w.blockers FROM (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("id" text, "blockers" bigint, "error" text)) AS w WHERE r.id = w.id;
-- 3
-- "[{"id":"id-1","blockers":1,"error":"error-1"},{"id":"id-2","blockers":2,"error":"error-2"}]"

-- engine/erasure.sql.ts selectHaving
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.number_value = $4 AND a.run_id > $5 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS b WHERE b.run_id = a.run_id AND b.name = $6 AND b.type = $7 AND b.number_value = $8)
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
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.number_value = $4 AND a.run_id > $5 
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure.sql.ts selectHaving, 2.attributes[][1] = number
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.number_value = $4 AND a.run_id > $5 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS b WHERE b.run_id = a.run_id AND b.name = $6 AND b.type = $7 AND b.number_value = $8)
  ORDER BY a.run_id LIMIT 4;

-- engine/erasure.sql.ts selectHaving, 2.attributes[][1] = string
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.text_value = $4 AND a.run_id > $5 AND EXISTS (SELECT 1 FROM "durable_run_attributes" AS b WHERE b.run_id = a.run_id AND b.name = $6 AND b.type = $7 AND b.text_value = $8)
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure.sql.ts selectHaving, the least, 2.attributes[][1] = number
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.number_value = $4 AND a.run_id > $5 
  ORDER BY a.run_id LIMIT 3;

-- engine/erasure.sql.ts selectHaving, the least, 2.attributes[][1] = string
SELECT a.run_id FROM "durable_run_attributes" AS a
  WHERE a.namespace = $1 AND a.name = $2 AND a.type = $3 AND a.text_value = $4 AND a.run_id > $5 
  ORDER BY a.run_id LIMIT 2;

-- engine/erasure.sql.ts insertMarks
INSERT INTO "durable_erasures" (run_id, seq, namespace, erasure_id, discards, asked_at)
  SELECT n.run_id, n.seq, $1, $2, CAST($3 AS integer), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($4 AS json)) AS listed("run_id" text, "seq" bigint)) AS n LEFT JOIN "durable_runs" AS r ON r.id = n.run_id
  WHERE r.id IS NULL OR r.namespace = $5
  ON CONFLICT ("run_id", "seq") DO UPDATE SET erasure_id = EXCLUDED."erasure_id", discards = EXCLUDED."discards";
-- "namespace"
-- "id"
-- 1
-- "[{"run_id":"runIds-1","seq":-2000000000},{"run_id":"runIds-2","seq":-2000000000}]"
-- "namespace"

-- engine/erasure.sql.ts selectUnmarkedChildren
SELECT r.id AS run_id, -2000000000 AS seq, r.parent_id AS of_run FROM "durable_runs" AS r
  WHERE r.parent_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
    AND NOT EXISTS (SELECT 1 FROM "durable_erasures" AS e WHERE e.run_id = r.id AND e.seq = -2000000000)
  LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts selectUnmarkedParents
SELECT r.parent_id AS run_id, r.parent_seq AS seq, r.id AS of_run FROM "durable_runs" AS r
  WHERE r.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND r.parent_id IS NOT NULL AND r.parent_seq IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM "durable_erasures" AS e
      WHERE e.run_id = r.parent_id AND (e.seq = r.parent_seq OR e.seq = -2000000000));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts insertFollowed
INSERT INTO "durable_erasures" (run_id, seq, namespace, erasure_id, discards, asked_at)
  SELECT n.run_id, n.seq, e.namespace, e.erasure_id, e.discards, e.asked_at
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "of_run" text)) AS n JOIN "durable_erasures" AS e ON e.run_id = n.of_run AND e.seq = -2000000000
  WHERE true ON CONFLICT ("run_id", "seq") DO NOTHING;
-- "[{"run_id":"run_id-1","seq":1,"of_run":"of_run-1"},{"run_id":"run_id-2","seq":2,"of_run":"of_run-2"}]"

-- engine/erasure.sql.ts selectMarks
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM "durable_erasures" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.run_id
  WHERE e.erasure_id = $1
    AND e.run_id >= $2 AND (e.run_id > $3 OR e.seq > 1)
  ORDER BY e.run_id, e.seq LIMIT 2;
-- "of"
-- "runId"
-- "runId"

-- engine/erasure.sql.ts selectMarks, after.seq = null
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM "durable_erasures" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.run_id
  WHERE e.erasure_id = $1
    AND e.run_id >= $2 AND (e.run_id > $3 OR e.seq > -2000000000)
  ORDER BY e.run_id, e.seq LIMIT 1;

-- engine/erasure.sql.ts selectMarks, of = undefined
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM "durable_erasures" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.run_id
  WHERE e.namespace = $1 AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 60000))
    AND e.run_id >= $2 AND (e.run_id > $3 OR e.seq > 1)
  ORDER BY e.run_id, e.seq LIMIT 2;

-- engine/erasure.sql.ts selectMarks, the least
SELECT e.run_id, e.seq, e.erasure_id, e.discards, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS found, r.finished_at, r.schedule_id
  FROM "durable_erasures" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.run_id
  WHERE e.namespace = $1 AND (r.finished_at >= e.asked_at OR ((r.id IS NULL OR r.finished_at IS NOT NULL) AND e.asked_at < (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - 60000))
    AND e.run_id >= $2 AND (e.run_id > $3 OR e.seq > -2000000000)
  ORDER BY e.run_id, e.seq LIMIT 1;

-- engine/erasure.sql.ts lockEnded
SELECT id FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND finished_at IS NOT NULL ORDER BY id FOR UPDATE;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts lockErased
SELECT id FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND finished_at IS NOT NULL AND erased_at IS NOT NULL ORDER BY id FOR UPDATE;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts blankRuns
UPDATE "durable_runs"  SET reason_detail = NULL, input = NULL, output = NULL, error = NULL, limits = NULL, custom_status = NULL, resume = NULL, context = NULL,
    erased_at = COALESCE(erased_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
    AND (erased_at IS NULL OR reason_detail IS NOT NULL OR input IS NOT NULL OR output IS NOT NULL OR error IS NOT NULL OR limits IS NOT NULL OR custom_status IS NOT NULL OR resume IS NOT NULL OR context IS NOT NULL);
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts noteErased
UPDATE "durable_runs"  SET erased_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND erased_at IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts deleteAttributesOf
DELETE FROM "durable_run_attributes" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts selectSteps
SELECT s.run_id, s.seq, CASE WHEN s.kind = 'signal' THEN s.ref END AS taken FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL) AND NOT (s.kind = 'marker' AND COALESCE(s.ref, '') = 'publish')
  ORDER BY s.run_id, s.seq LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts blankSteps
UPDATE "durable_steps" AS s SET input = NULL, output = NULL, error = NULL FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint)) AS g WHERE s.run_id = g.run_id AND s.seq = g.seq AND (s.output IS NOT NULL OR s.error IS NOT NULL OR s.input IS NOT NULL);
-- "[{"run_id":"run_id-1","seq":1},{"run_id":"run_id-2","seq":3}]"

-- engine/erasure.sql.ts blankAttemptsAt
UPDATE "durable_step_attempts" AS a SET error = NULL FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint)) AS g WHERE a.run_id = g.run_id AND a.seq = g.seq AND a.error IS NOT NULL;
-- "[{"run_id":"run_id-1","seq":1},{"run_id":"run_id-2","seq":3}]"

-- engine/erasure.sql.ts selectAttempts
SELECT DISTINCT a.run_id, a.seq FROM "durable_step_attempts" AS a
  WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND a.error IS NOT NULL LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts selectLines
SELECT id FROM "durable_step_logs" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts deleteLines
DELETE FROM "durable_step_logs" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- engine/erasure.sql.ts selectSent
SELECT id FROM "durable_signals" WHERE target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND addressed = 'run' LIMIT 1;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts selectTaken
SELECT g.id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text, "position" bigint, "run_id" text)) AS n
  JOIN "durable_signals" AS g ON g.channel = n.channel AND g.position = n.position AND g.taken_by = n.run_id;
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1"},{"channel":"channel-2","position":2,"run_id":"run_id-2"}]"

-- engine/erasure.sql.ts selectPublished
SELECT s.run_id, s.seq, s.output FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.kind = 'marker' AND s.ref = $5 AND s.output IS NOT NULL
    AND (s.run_id > $6 OR (s.run_id = $7 AND s.seq > 1))
  ORDER BY s.run_id, s.seq LIMIT 2;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- "publish"
-- "runId"
-- "runId"

-- engine/erasure.sql.ts selectPublished, after.seq = null
SELECT s.run_id, s.seq, s.output FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.kind = 'marker' AND s.ref = $5 AND s.output IS NOT NULL
    AND (s.run_id > $6 OR (s.run_id = $7 AND s.seq > -2000000000))
  ORDER BY s.run_id, s.seq LIMIT 1;

-- engine/erasure.sql.ts selectUnerased
SELECT id FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND (finished_at IS NULL OR erased_at IS NULL);
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/erasure.sql.ts deleteMarks
DELETE FROM "durable_erasures" AS e USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "erasure_id" text)) AS g WHERE e.run_id = g.run_id AND e.seq = g.seq AND e.erasure_id = g.erasure_id;
-- "[{"run_id":"runId-1","seq":1,"erasure_id":"erasureId-1"},{"run_id":"runId-2","seq":2,"erasure_id":"erasureId-2"}]"

-- engine/fleet.sql.ts countSourceByStatus
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
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
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = "<="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value <= $27 AND a.type = $28 AND a.number_value <= $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value <= $32 AND a.type = $33 AND a.number_value <= $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = "="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value = $27 AND a.type = $28 AND a.number_value = $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value = $32 AND a.type = $33 AND a.number_value = $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = ">"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value > $27 AND a.type = $28 AND a.number_value > $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value > $32 AND a.type = $33 AND a.number_value > $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].how = ">="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value >= $27 AND a.type = $28 AND a.number_value >= $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value >= $32 AND a.type = $33 AND a.number_value >= $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].value = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 13) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.attributes[].compare[].value = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.text_value < $27 AND a.type = $28 AND a.text_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.text_value < $32 AND a.type = $33 AND a.text_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.blocked = false
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.workflow = $14 AND r.version = $15 AND r.parent_id = $16 AND r.schedule_id = $17 AND r.id >= $18 AND r.id < $19 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $20 AND a.type = $21 AND a.number_value < $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.createdBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.status IN ($9, $10) AND r.reason IN ($11, $12) AND r.reason IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.createdFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.namespace = $6 AND r.created_at < $7 AND r.status IN ($8, $9) AND r.reason IN ($10, $11) AND r.reason IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.endedBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at >= $5 AND r.namespace = $6 AND r.created_at >= $7 AND r.created_at < $8 AND r.status IN ($9, $10) AND r.reason IN ($11, $12) AND r.reason IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.endedFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at < $4 AND r.finished_at >= $5 AND r.namespace = $6 AND r.created_at >= $7 AND r.created_at < $8 AND r.status IN ($9, $10) AND r.reason IN ($11, $12) AND r.reason IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.idPrefix = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.order = "newest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6 AND r.namespace = $7 AND r.finished_at >= $8 AND r.finished_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.order = "oldest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at >= $1 AND (r.created_at > $2 OR r.id > $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6 AND r.namespace = $7 AND r.finished_at >= $8 AND r.finished_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.parentId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.past = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at IS NOT NULL AND r.finished_at >= $1 AND r.finished_at < $2 AND r.finished_at >= $3 AND r.namespace = $4 AND r.created_at >= $5 AND r.created_at < $6 AND r.status IN ($7, $8) AND r.reason IN ($9, $10) AND r.reason IN ($11, $12, $13, $14, $15) AND r.workflow = $16 AND r.version = $17 AND r.parent_id = $18 AND r.schedule_id = $19 AND r.id >= $20 AND r.id < $21 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $27 AND a.type = $28 AND a.number_value < $29 AND a.type = $30 AND a.number_value < $31 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.reason = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.scheduleId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.status = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.reason IN ($10, $11) AND r.reason IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.version = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "limiter"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "retry"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "run"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "signal"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "task"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.waitsFor[] = "timer"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, query.workflow = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 9) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.attributes = readonly AttributeFilter[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.blocked = true
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.reason IN ($2, $3, $4, $5, $6) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.createdBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at < $1 AND r.namespace = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.createdFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at >= $1 AND r.namespace = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.endedBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at < $1 AND r.namespace = $2 AND r.finished_at < $3 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.endedFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.finished_at >= $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.idPrefix = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.id >= $2 AND r.id < $3 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.order = "ended"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.finished_at IS NOT NULL AND r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.parentId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.parent_id = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.past = ListPosition
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.namespace = $4 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.reason = readonly RunReason[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.reason IN ($2) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.scheduleId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.schedule_id = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.status = readonly RunStatus[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.status IN ($2) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.version = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.version = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 4) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countSourceByStatus, the least, query.workflow = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN 1 = 1 AND r.namespace = $1 AND r.workflow = $2 THEN 1 ELSE 0 END AS fits
    FROM ("ids" LIMIT 3) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
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
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $19 AND (r.finished_at < $20 OR r.id < $21) AND r.finished_at IS NOT NULL AND r.finished_at >= $22 AND r.finished_at < $23 AND r.finished_at >= $24 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $24 AND (r.finished_at < $25 OR r.id < $26) AND r.finished_at IS NOT NULL AND r.finished_at >= $27 AND r.finished_at < $28 AND r.finished_at >= $29 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[] = 1
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $25 AND (r.finished_at < $26 OR r.id < $27) AND r.finished_at IS NOT NULL AND r.finished_at >= $28 AND r.finished_at < $29 AND r.finished_at >= $30 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = "<="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value <= $21 AND a.type = $22 AND a.number_value <= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value <= $26 AND a.type = $27 AND a.number_value <= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = "="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value = $21 AND a.type = $22 AND a.number_value = $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value = $26 AND a.type = $27 AND a.number_value = $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = ">"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value > $21 AND a.type = $22 AND a.number_value > $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value > $26 AND a.type = $27 AND a.number_value > $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].how = ">="
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value >= $21 AND a.type = $22 AND a.number_value >= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value >= $26 AND a.type = $27 AND a.number_value >= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.attributes[].compare[].value = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.text_value < $21 AND a.type = $22 AND a.text_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.text_value < $26 AND a.type = $27 AND a.text_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.blocked = false
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.workflow = $8 AND r.version = $9 AND r.parent_id = $10 AND r.schedule_id = $11 AND r.id >= $12 AND r.id < $13 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $24 AND (r.finished_at < $25 OR r.id < $26) AND r.finished_at IS NOT NULL AND r.finished_at >= $27 AND r.finished_at < $28 AND r.finished_at >= $29 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.createdBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.status IN ($3, $4) AND r.reason IN ($5, $6) AND r.reason IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.createdFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at < $2 AND r.status IN ($3, $4) AND r.reason IN ($5, $6) AND r.reason IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.endedBefore = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.endedFrom = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.idPrefix = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $27 AND (r.finished_at < $28 OR r.id < $29) AND r.finished_at IS NOT NULL AND r.finished_at >= $30 AND r.finished_at < $31 AND r.finished_at >= $32 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.order = "newest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at <= $29 AND (r.created_at < $30 OR r.id < $31) AND r.created_at >= $32 AND r.created_at < $33 AND r.created_at < $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.order = "oldest"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at >= $29 AND (r.created_at > $30 OR r.id > $31) AND r.created_at >= $32 AND r.created_at < $33 AND r.created_at < $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.parentId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.past = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at IS NOT NULL AND r.finished_at >= $29 AND r.finished_at < $30 AND r.finished_at >= $31 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.reason = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $27 AND (r.finished_at < $28 OR r.id < $29) AND r.finished_at IS NOT NULL AND r.finished_at >= $30 AND r.finished_at < $31 AND r.finished_at >= $32 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.scheduleId = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.status = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.reason IN ($4, $5) AND r.reason IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $27 AND (r.finished_at < $28 OR r.id < $29) AND r.finished_at IS NOT NULL AND r.finished_at >= $30 AND r.finished_at < $31 AND r.finished_at >= $32 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.version = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "limiter"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "retry"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "run"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "signal"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "task"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.waitsFor[] = "timer"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, query.workflow = undefined
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.attributes = readonly AttributeFilter[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.blocked = true
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.reason IN ($2, $3, $4, $5, $6) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.createdBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at < $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.createdFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at >= $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.endedBefore = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at < $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at < $3 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.endedFrom = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.idPrefix = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.id >= $2 AND r.id < $3 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.order = "ended"
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.finished_at IS NOT NULL ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.parentId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.parent_id = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.past = ListPosition
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE r.created_at <= $2 AND (r.created_at < $3 OR r.id < $4) ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.reason = readonly RunReason[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.reason IN ($2) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.scheduleId = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.schedule_id = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.status = readonly RunStatus[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.status IN ($2) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.version = number
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.version = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countNewestByStatus, the least, query.workflow = string
SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN r.namespace = $1 AND r.workflow = $2 THEN 1 ELSE 0 END AS fits
    FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 10001
  ) AS f GROUP BY f.status, f.fits;

-- engine/fleet.sql.ts countIndexed
SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c;
-- "namespace"
-- "namespace"

-- engine/fleet.sql.ts countIndexed, statuses[] = "compensating"
SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "compensation_failed"
SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "completed"
SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "failed"
SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "pending"
SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "running"
SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s WHERE s.namespace = $1 AND s.owner IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s WHERE s.namespace = $2 AND s.owner IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, statuses[] = "suspended"
SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c UNION ALL SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $2
        AND s.status = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least
SELECT 'suspended' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'suspended' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "cancelled"
SELECT 'cancelled' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'cancelled' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "compensating"
SELECT 'compensating' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'compensating' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "compensation_failed"
SELECT 'compensation_failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'compensation_failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "completed"
SELECT 'completed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'completed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "failed"
SELECT 'failed' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'failed' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "pending"
SELECT 'pending' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s  WHERE s.namespace = $1
        AND s.status = 'pending' AND s.finished_at IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countIndexed, the least, statuses[] = "running"
SELECT 'running' AS status, count(*) AS runs, 1 AS fits FROM (SELECT s.id FROM "durable_runs" AS s WHERE s.namespace = $1 AND s.owner IS NOT NULL LIMIT 2) AS c;

-- engine/fleet.sql.ts countBlocked
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM "durable_runs" AS r 
    WHERE r.namespace = $1 AND r.reason = $2 AND (r.workflow, r.version) > ($3, CAST($4 AS integer))
    ORDER BY r.workflow, r.version LIMIT 3
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;
-- "namespace"
-- "exhausted"
-- "workflow"
-- 1

-- engine/fleet.sql.ts countBlocked, 3.after = undefined
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM "durable_runs" AS r 
    WHERE r.namespace = $1 AND r.reason = $2 
    ORDER BY r.workflow, r.version LIMIT 2
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/fleet.sql.ts countBlocked, 3.reason = undefined
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM "durable_runs" AS r 
    WHERE r.namespace = $1 AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN ($2, $3, $4, $5, $6) AND (r.workflow, r.version) > ($7, CAST($8 AS integer))
    ORDER BY r.workflow, r.version LIMIT 3
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/fleet.sql.ts countBlocked, the least
SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM "durable_runs" AS r 
    WHERE r.namespace = $1 AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN ($2, $3, $4, $5, $6) 
    ORDER BY r.workflow, r.version LIMIT 2
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version;

-- engine/fleet.sql.ts selectLimitersInUse
WITH RECURSIVE used AS (
        SELECT f.limiter, 1 AS n FROM 
        (SELECT e.limiter FROM "durable_limiter_entries" AS e WHERE e.limiter > $1 ORDER BY e.limiter LIMIT 1) AS f
        UNION ALL SELECT 
        (SELECT e.limiter FROM "durable_limiter_entries" AS e WHERE e.limiter > u.limiter ORDER BY e.limiter LIMIT 1), u.n + 1 FROM used AS u WHERE u.limiter IS NOT NULL AND u.n < 2
      ) SELECT limiter FROM used WHERE limiter IS NOT NULL;
-- "1"

-- engine/fleet.sql.ts selectLimiterUse
(
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $1 AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $2 AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM "durable_limiter_entries" AS e WHERE e.limiter = $3 AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) AS since,
      (SELECT e.limits FROM "durable_limiter_entries" AS e WHERE e.limiter = $4 ORDER BY e.granted, e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) AS limits
    FROM "durable_limiters" AS l WHERE l.limiter = $5 AND l.namespace = $6) UNION ALL (
    SELECT l.limiter, l.open_at, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $7 AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $8 AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM "durable_limiter_entries" AS e WHERE e.limiter = $9 AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) AS since,
      (SELECT e.limits FROM "durable_limiter_entries" AS e WHERE e.limiter = $10 ORDER BY e.granted, e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) AS limits
    FROM "durable_limiters" AS l WHERE l.limiter = $11 AND l.namespace = $12);
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
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $1 AND e.granted = 1 LIMIT 2) AS c) AS holding, 
      (SELECT count(*) FROM (SELECT e.holder FROM "durable_limiter_entries" AS e WHERE e.limiter = $2 AND e.granted = 0 LIMIT 2) AS c) AS waiting,
      (SELECT e.queued_at FROM "durable_limiter_entries" AS e WHERE e.limiter = $3 AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) AS since,
      (SELECT e.limits FROM "durable_limiter_entries" AS e WHERE e.limiter = $4 ORDER BY e.granted, e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) AS limits
    FROM "durable_limiters" AS l WHERE l.limiter = $5 AND l.namespace = $6);

-- engine/fleet.sql.ts selectLimiterUsers
SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM ((
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $1 AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $2 AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $3 AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $4 AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1)) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder COLLATE "C";
-- "limiters-1"
-- "limiters-1"
-- "limiters-2"
-- "limiters-2"

-- engine/fleet.sql.ts selectLimiterUsers, limiters[] = 1
SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM ((
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $1 AND e.granted = 1
    ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) UNION ALL (
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = $2 AND e.granted = 0
    ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1)) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder COLLATE "C";

-- engine/fleet.sql.ts selectUntaken
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $1 AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $2 AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = $3 AND n.addressed = 'key' AND n.target = $4 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;
-- "channel"
-- "channel"
-- "name"
-- "key"

-- engine/fleet.sql.ts selectUntaken, source.channel = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.target = $1 AND s.addressed = 'run' AND s.namespace = $2  LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = $3 AND n.addressed = 'key' AND n.target = $4 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, source.key = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $1 AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $2 AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = $3 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, source.name = undefined
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $1 AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $2 AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.addressed = 'key' AND n.target = $3 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $1 AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $2 AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least, source.channel = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $1 AND s.position IS NOT NULL ORDER BY s.position DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.channel = $2 AND s.position IS NULL ORDER BY s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least, source.key = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $1 AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $2 AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.addressed = 'key' AND n.target = $3 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least, source.name = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $1 AND s.addressed = 'run' ORDER BY s.created_at DESC, s.id DESC LIMIT 2) UNION ALL (
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.namespace = $2 AND s.addressed = 'key' ORDER BY s.created_at DESC, s.id DESC LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL AND n.name = $3 GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts selectUntaken, the least, source.run = string
WITH looked AS ((
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM "durable_signals" AS s 
      WHERE s.target = $1 AND s.addressed = 'run' AND s.namespace = $2  LIMIT 2))
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed;

-- engine/fleet.sql.ts countListening
SELECT w.channel, count(*) AS waits FROM "durable_signal_waits" AS w WHERE w.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) GROUP BY w.channel;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/fleet.sql.ts selectSignalWaits
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (
    SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM (
      SELECT s.run_id, s.seq FROM "durable_steps" AS s
      WHERE s.run_id = $1 AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT 1000
    ) AS o JOIN "durable_signal_waits" AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
    WHERE w.channel > $2 OR (w.channel = $3 AND w.step_id > $4) ORDER BY w.channel, w.step_id LIMIT 1) AS w
  LEFT JOIN "durable_steps" AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN "durable_runs" AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;
-- "run"
-- "channel"
-- "channel"
-- "stepId"

-- engine/fleet.sql.ts selectSignalWaits, source.run = undefined
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM "durable_signal_waits" AS w  WHERE w.channel = $1 AND w.step_id > $2 ORDER BY w.step_id LIMIT 1) AS w
  LEFT JOIN "durable_steps" AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN "durable_runs" AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;

-- engine/fleet.sql.ts selectSignalWaits, the least
SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (
    SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM (
      (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM "durable_signal_waits" AS w  WHERE w.channel = $1 AND w.step_id > $2 ORDER BY w.step_id LIMIT 1) UNION ALL
      (SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline FROM "durable_signal_waits" AS w  WHERE w.channel > $3 ORDER BY w.channel, w.step_id LIMIT 1)
    ) AS w ORDER BY w.channel, w.step_id LIMIT 1) AS w
  LEFT JOIN "durable_steps" AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN "durable_runs" AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id;

-- engine/insight.sql.ts selectAttempts
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM "durable_step_attempts"
  WHERE run_id = $1 AND seq = ANY (CAST($2 AS bigint[]))
  ORDER BY run_id, seq, attempt LIMIT 20000;
-- "runId"
-- "{1,2}"

-- engine/insight.sql.ts selectAttempts, seqs = undefined
SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM "durable_step_attempts"
  WHERE run_id = $1 
  ORDER BY run_id, seq, attempt LIMIT 20000;

-- engine/insight.sql.ts selectLines
SELECT seq, attempt, level, message, fields, logged_at FROM "durable_step_logs"
  WHERE run_id = $1 AND seq = $2 ORDER BY run_id, id LIMIT 20000;
-- "runId"
-- 1

-- engine/insight.sql.ts selectLines, seq = undefined
SELECT seq, attempt, level, message, fields, logged_at FROM "durable_step_logs"
  WHERE run_id = $1  ORDER BY run_id, id LIMIT 20000;

-- engine/insight.sql.ts selectAttributes
SELECT run_id, name, type, text_value, number_value FROM "durable_run_attributes"
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY run_id, name;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/insight.sql.ts selectChildren
SELECT "columns", parent_close FROM "durable_runs"
  WHERE parent_id = $1 ORDER BY created_at, id LIMIT 1;
-- "runId"

-- engine/insight.sql.ts selectOpenRemotes
SELECT seq FROM "durable_steps"
  WHERE run_id = $1 AND kind = 'remote' AND settled IS NULL ORDER BY seq LIMIT 1000;
-- "runId"

-- engine/insight.sql.ts selectTasks
SELECT step_id, seq, name, grp, attempt, claimed_by, claimed_at, created_at FROM "durable_transport_tasks"
  WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/insight.sql.ts selectOpenWaits
SELECT w.seq, w.channel, w.deadline FROM (
    SELECT s.run_id, s.seq FROM "durable_steps" AS s
    WHERE s.run_id = $1 AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT 1000
  ) AS o JOIN "durable_signal_waits" AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
  ORDER BY w.seq, w.channel LIMIT 1000;
-- "runId"

-- engine/insight.sql.ts selectAwaitedRuns
SELECT e.target_id AS id, r.status FROM "durable_run_dependencies" AS e LEFT JOIN "durable_runs" AS r ON r.id = e.target_id
  WHERE e.run_id = $1 ORDER BY e.target_id LIMIT 1000;
-- "runId"

-- engine/insight.sql.ts selectLimiters
SELECT e.holder, e.limiter, e.granted, e.turn, e.queued_at, e.limits, l.open_at
  FROM "durable_limiter_entries" AS e LEFT JOIN "durable_limiters" AS l ON l.limiter = e.limiter
  WHERE e.run_id = $1 ORDER BY e.queued_at, e.holder LIMIT 1000;
-- "runId"

-- engine/insight.sql.ts countLimiter
SELECT (SELECT count(*) FROM (
    SELECT 1 AS found FROM "durable_limiter_entries" AS e WHERE e.limiter = $1 AND e.granted = 0 AND e.turn <= $2 AND (e.turn < $3 OR e.queued_at < $4 OR (e.queued_at = $5 AND e.holder COLLATE "C" < $6)) LIMIT 10000) AS c) AS ahead, (SELECT count(*) FROM (
    SELECT 1 AS found FROM "durable_limiter_entries" AS e WHERE e.limiter = $7 AND e.granted = 1 LIMIT 10000) AS c) AS holding;
-- "limiter"
-- 2
-- 2
-- 3
-- 3
-- "holder"
-- "limiter"

-- engine/insight.sql.ts selectClaimed
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r WHERE r.id = $1;
-- "runId"

-- engine/insight.sql.ts selectFirstSeq
SELECT first_seq FROM "durable_runs" WHERE id = $1;
-- "runId"

-- engine/insight.sql.ts selectFacts
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = $1 AND seq > $2 ORDER BY run_id, seq LIMIT 2;
-- "runId"
-- 1

-- engine/insight.sql.ts selectPart
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM "durable_steps" WHERE run_id = $1 AND seq > $2 ORDER BY run_id, seq LIMIT 2;
-- "runId"
-- 1

-- engine/insight.sql.ts selectSettledAfter
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps"
  WHERE run_id = $1 AND settled > $2 ORDER BY settled LIMIT 2;
-- "runId"
-- 1

-- engine/insight.sql.ts selectOpen
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = $1 AND settled IS NULL AND kind <> 'marker'
  ORDER BY COALESCE(asked_at, created_at) DESC, seq DESC LIMIT 1;
-- "runId"

-- engine/insight.sql.ts selectLastSettled
SELECT COALESCE(MAX(settled), 0) AS settled FROM "durable_steps" WHERE run_id = $1;
-- "runId"

-- engine/insight.sql.ts countLines
SELECT l.seq, count(*) AS line_count
  FROM (SELECT seq FROM "durable_step_logs" WHERE run_id = $1 ORDER BY run_id, id LIMIT 3) AS l
  WHERE l.seq >= $2 AND l.seq <= $3 GROUP BY l.seq;
-- "runId"
-- 1
-- 2

-- engine/limits.sql.ts lockConditional
SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) THEN 1 ELSE 0 END AS overdue
  FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND owner IS NOT NULL ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits.sql.ts insertLimiters
INSERT INTO "durable_limiters" (limiter, namespace, name, limiter_key)
  SELECT n.limiter, n.namespace, n.name, n.limiter_key FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("limiter" text, "namespace" text, "name" text, "limiter_key" text)) AS n ON CONFLICT ("limiter") DO NOTHING;
-- "[{"limiter":"limiter-1","namespace":"namespace-1","name":"name-1","limiter_key":"key-1"},{"limiter":"limiter-2","namespace":"namespace-2","name":"name-2","limiter_key":"key-2"}]"

-- engine/limits.sql.ts lockLimiterRows
SELECT limiter, grants, open_at FROM "durable_limiters"  WHERE limiter = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY limiter FOR UPDATE;
-- 2
-- "{"limiters-1","limiters-2"}"
-- 1
-- 1

-- engine/limits.sql.ts selectLimiters
SELECT limiter, grants, open_at FROM "durable_limiters" WHERE limiter = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"limiters-1","limiters-2"}"
-- 1
-- 1

-- engine/limits.sql.ts countGranted
SELECT limiter, count(*) AS granted FROM "durable_limiter_entries"
  WHERE limiter = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND granted = 1 GROUP BY limiter;
-- 2
-- "{"limiters-1","limiters-2"}"
-- 1
-- 1

-- engine/limits.sql.ts selectWaiting
SELECT o.* FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("limiter" text)) AS l CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again CROSS JOIN LATERAL (SELECT e.limiter, e.holder, e.run_id, e.limits, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS at FROM "durable_limiter_entries" AS e
    WHERE e.limiter = l.limiter AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder COLLATE "C" LIMIT 1) AS o;
-- "[{"limiter":"limiters-1"},{"limiter":"limiters-2"}]"
-- 1
-- 1

-- engine/limits.sql.ts insertRunEntries
INSERT INTO "durable_limiter_entries" (holder, limiter, run_id, granted, turn, queued_at, limits)
  SELECT n.holder, n.limiter, n.holder, 0, n.turn, n.queued_at, n.limits
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("holder" text, "limiter" text, "limits" text, "turn" bigint, "queued_at" bigint)) AS n ON CONFLICT ("holder") DO NOTHING;
-- "[{"holder":"id-1","limiter":"limiter-1","limits":"limitRequest-1","turn":1,"queued_at":2},{"holder":"id-2","limiter":"limiter-2","limits":"limitRequest-2","turn":3,"queued_at":4}]"

-- engine/limits.sql.ts upsertStepEntries
INSERT INTO "durable_limiter_entries" (holder, limiter, run_id, granted, turn, queued_at, limits, task)
  SELECT n.holder, n.limiter, n.run_id, 0, n.turn, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.limits, n.task
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("holder" text, "limiter" text, "run_id" text, "turn" bigint, "limits" text, "task" text)) AS n ON CONFLICT ("holder") DO UPDATE SET granted = 0, "limiter" = EXCLUDED."limiter", "limits" = EXCLUDED."limits", "task" = EXCLUDED."task";
-- "[{"holder":"stepId-1","limiter":"limiter-1","run_id":"runId-1","turn":-7,"limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":4,\\"rate\\":{\\"max\\":5,\\"durationMs\\":6}}}","task":"{\\"stepId\\":\\"stepId-1\\",\\"runId\\":\\"runId-1\\",\\"seq\\":1,\\"name\\":\\"name-1\\",\\"group\\":\\"group-1\\",\\"input\\":\\"input-1\\",\\"attempt\\":2,\\"priority\\":3}"},{"holder":"stepId-2","limiter":"limiter-2","run_id":"runId-2","turn":-14,"limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":11,\\"rate\\":{\\"max\\":12,\\"durationMs\\":13}}}","task":"{\\"stepId\\":\\"stepId-2\\",\\"runId\\":\\"runId-2\\",\\"seq\\":8,\\"name\\":\\"name-2\\",\\"group\\":\\"group-2\\",\\"input\\":\\"input-2\\",\\"attempt\\":9,\\"priority\\":10}"}]"

-- engine/limits.sql.ts deleteEntries
DELETE FROM "durable_limiter_entries" WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/limits.sql.ts selectEntries
SELECT holder, limiter, granted, run_id FROM "durable_limiter_entries" WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/limits.sql.ts lockEntries
SELECT holder, run_id, task FROM "durable_limiter_entries" 
  WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED;
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/limits.sql.ts lockWaitingRuns
SELECT id, owner FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND precondition = 'limiter' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits.sql.ts markGranted
UPDATE "durable_limiter_entries"  SET granted = 1, task = NULL WHERE holder = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"holders-1","holders-2"}"
-- 1
-- 1

-- engine/limits.sql.ts passRuns
UPDATE "durable_runs"  SET precondition = NULL, reason = NULL, wake_at = CASE WHEN owner IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits.sql.ts startRuns
UPDATE "durable_runs" 
  SET precondition = NULL, reason = NULL, started_at = COALESCE(started_at, GREATEST(created_at, $1)),
    status = CASE WHEN closing IS NULL THEN 'running' ELSE status END
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- 3
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits.sql.ts parkRuns
UPDATE "durable_runs"  SET owner = NULL, status = 'pending', reason = $1, wake_at = deadline
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- "reason"
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/limits.sql.ts updateLimiters
UPDATE "durable_limiters" AS l SET grants = n.grants, open_at = n.open_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("limiter" text, "grants" text, "open_at" bigint)) AS n WHERE l.limiter = n.limiter;
-- "[{"limiter":"limiter-1","grants":"grants-1","open_at":1},{"limiter":"limiter-2","grants":"grants-2","open_at":2}]"

-- engine/limits.sql.ts deleteLimiters
DELETE FROM "durable_limiters" WHERE limiter = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"limiters-1","limiters-2"}"
-- 1
-- 1

-- engine/limits.sql.ts selectPeopled
WITH RECURSIVE peopled(limiter) AS (
    (SELECT limiter FROM "durable_limiter_entries" WHERE limiter > $1 ORDER BY limiter LIMIT 1)
    UNION ALL
    SELECT (SELECT e.limiter FROM "durable_limiter_entries" AS e WHERE e.limiter > p.limiter ORDER BY e.limiter LIMIT 1)
    FROM peopled AS p WHERE p.limiter IS NOT NULL
  )
  SELECT limiter FROM peopled WHERE limiter IS NOT NULL LIMIT 2;
-- "1"

-- engine/limits.sql.ts notifyLimiters
UPDATE "durable_runs"  SET notifies = notifies + 4
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND notifies < 4;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/listing.sql.ts fits
a.name = $1 AND a.type = $2 AND a.number_value < $3 AND a.type = $4 AND a.number_value < $5;
-- "name"
-- "date"
-- 1
-- "date"
-- 2

-- engine/listing.sql.ts fits, 1.compare[] = 1
a.name = $1 AND a.type = $2 AND a.number_value < $3;

-- engine/listing.sql.ts fits, 1.compare[].how = "<="
a.name = $1 AND a.type = $2 AND a.number_value <= $3 AND a.type = $4 AND a.number_value <= $5;

-- engine/listing.sql.ts fits, 1.compare[].how = "="
a.name = $1 AND a.type = $2 AND a.number_value = $3 AND a.type = $4 AND a.number_value = $5;

-- engine/listing.sql.ts fits, 1.compare[].how = ">"
a.name = $1 AND a.type = $2 AND a.number_value > $3 AND a.type = $4 AND a.number_value > $5;

-- engine/listing.sql.ts fits, 1.compare[].how = ">="
a.name = $1 AND a.type = $2 AND a.number_value >= $3 AND a.type = $4 AND a.number_value >= $5;

-- engine/listing.sql.ts fits, 1.compare[].value = string
a.name = $1 AND a.type = $2 AND a.text_value < $3 AND a.type = $4 AND a.text_value < $5;

-- engine/listing.sql.ts fits, the least
a.name = $1 AND a.type = $2 AND a.number_value >= $3;

-- engine/listing.sql.ts fits, the least, 1.compare[].how = "<="
a.name = $1 AND a.type = $2 AND a.number_value <= $3;

-- engine/listing.sql.ts fits, the least, 1.compare[].how = "="
a.name = $1 AND a.type = $2 AND a.number_value = $3;

-- engine/listing.sql.ts fits, the least, 1.compare[].how = ">"
a.name = $1 AND a.type = $2 AND a.number_value > $3;

-- engine/listing.sql.ts fits, the least, 1.compare[].value = string
a.name = $1 AND a.type = $2 AND a.text_value >= $3;

-- engine/listing.sql.ts countSource
SELECT count(*) AS found FROM ("ids" LIMIT 10001) AS c;

-- engine/listing.sql.ts runsOf
("ids" LIMIT 1) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r;

-- engine/listing.sql.ts pageOfSource
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
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
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[] = 1
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[] = 1
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "<="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value <= $27 AND a.type = $28 AND a.number_value <= $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value <= $32 AND a.type = $33 AND a.number_value <= $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].how = "="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value = $27 AND a.type = $28 AND a.number_value = $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value = $32 AND a.type = $33 AND a.number_value = $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value > $27 AND a.type = $28 AND a.number_value > $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value > $32 AND a.type = $33 AND a.number_value > $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].how = ">="
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value >= $27 AND a.type = $28 AND a.number_value >= $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value >= $32 AND a.type = $33 AND a.number_value >= $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].value = number
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 11;

-- engine/listing.sql.ts pageOfSource, query.attributes[].compare[].value = string
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.text_value < $27 AND a.type = $28 AND a.text_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.text_value < $32 AND a.type = $33 AND a.text_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.blocked = false
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.workflow = $14 AND r.version = $15 AND r.parent_id = $16 AND r.schedule_id = $17 AND r.id >= $18 AND r.id < $19 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $20 AND a.type = $21 AND a.number_value < $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.createdBefore = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.status IN ($9, $10) AND r.reason IN ($11, $12) AND r.reason IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.createdFrom = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.namespace = $6 AND r.created_at < $7 AND r.status IN ($8, $9) AND r.reason IN ($10, $11) AND r.reason IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.endedBefore = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at >= $5 AND r.namespace = $6 AND r.created_at >= $7 AND r.created_at < $8 AND r.status IN ($9, $10) AND r.reason IN ($11, $12) AND r.reason IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.endedFrom = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at < $4 AND r.finished_at >= $5 AND r.namespace = $6 AND r.created_at >= $7 AND r.created_at < $8 AND r.status IN ($9, $10) AND r.reason IN ($11, $12) AND r.reason IN ($13, $14, $15, $16, $17) AND r.workflow = $18 AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.idPrefix = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.order = "newest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6 AND r.namespace = $7 AND r.finished_at >= $8 AND r.finished_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.order = "oldest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at >= $1 AND (r.created_at > $2 OR r.id > $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6 AND r.namespace = $7 AND r.finished_at >= $8 AND r.finished_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.created_at ASC, r.id ASC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.parentId = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.past = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at IS NOT NULL AND r.finished_at >= $1 AND r.finished_at < $2 AND r.finished_at >= $3 AND r.namespace = $4 AND r.created_at >= $5 AND r.created_at < $6 AND r.status IN ($7, $8) AND r.reason IN ($9, $10) AND r.reason IN ($11, $12, $13, $14, $15) AND r.workflow = $16 AND r.version = $17 AND r.parent_id = $18 AND r.schedule_id = $19 AND r.id >= $20 AND r.id < $21 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $27 AND a.type = $28 AND a.number_value < $29 AND a.type = $30 AND a.number_value < $31 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.reason = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.scheduleId = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.status = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.reason IN ($10, $11) AND r.reason IN ($12, $13, $14, $15, $16) AND r.workflow = $17 AND r.version = $18 AND r.parent_id = $19 AND r.schedule_id = $20 AND r.id >= $21 AND r.id < $22 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $28 AND a.type = $29 AND a.number_value < $30 AND a.type = $31 AND a.number_value < $32 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.version = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 6;

-- engine/listing.sql.ts pageOfSource, query.waitsFor = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "limiter"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "retry"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "run"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs')
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "signal"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "task"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.waitsFor[] = "timer"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.workflow = $19 AND r.version = $20 AND r.parent_id = $21 AND r.schedule_id = $22 AND r.id >= $23 AND r.id < $24 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $25 AND a.type = $26 AND a.number_value < $27 AND a.type = $28 AND a.number_value < $29 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $30 AND a.type = $31 AND a.number_value < $32 AND a.type = $33 AND a.number_value < $34 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, query.workflow = undefined
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6 AND r.namespace = $7 AND r.created_at >= $8 AND r.created_at < $9 AND r.status IN ($10, $11) AND r.reason IN ($12, $13) AND r.reason IN ($14, $15, $16, $17, $18) AND r.version = $19 AND r.parent_id = $20 AND r.schedule_id = $21 AND r.id >= $22 AND r.id < $23 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $29 AND a.type = $30 AND a.number_value < $31 AND a.type = $32 AND a.number_value < $33 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1)
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 7;

-- engine/listing.sql.ts pageOfSource, the least
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.attributes = readonly AttributeFilter[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.blocked = true
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.reason IN ($2, $3, $4, $5, $6)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.createdBefore = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at < $1 AND r.namespace = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.createdFrom = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at >= $1 AND r.namespace = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.endedBefore = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at < $1 AND r.namespace = $2 AND r.finished_at < $3
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.endedFrom = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.finished_at >= $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.idPrefix = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.id >= $2 AND r.id < $3
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.order = "ended"
SELECT r.id, r.finished_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.finished_at IS NOT NULL AND r.namespace = $1
  ORDER BY r.finished_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.order = "oldest"
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1
  ORDER BY r.created_at ASC, r.id ASC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.parentId = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.parent_id = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.past = ListPosition
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.namespace = $4
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.reason = readonly RunReason[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.reason IN ($2)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.scheduleId = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.schedule_id = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.status = readonly RunStatus[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.status IN ($2)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.version = number
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.version = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 3;

-- engine/listing.sql.ts pageOfSource, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1)
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfSource, the least, query.workflow = string
SELECT r.id, r.created_at AS listed_at, 1 AS fits FROM ("ids" LIMIT 10000) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r
  WHERE 1 = 1 AND r.namespace = $1 AND r.workflow = $2
  ORDER BY r.created_at DESC, r.id DESC LIMIT 2;

-- engine/listing.sql.ts pageOfOrder
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
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
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $19 AND r.status = 'cancelled' AND r.finished_at <= $20 AND (r.finished_at < $21 OR r.id < $22) AND r.finished_at IS NOT NULL AND r.finished_at >= $23 AND r.finished_at < $24 AND r.finished_at >= $25
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[] = 1
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $24 AND r.status = 'cancelled' AND r.finished_at <= $25 AND (r.finished_at < $26 OR r.id < $27) AND r.finished_at IS NOT NULL AND r.finished_at >= $28 AND r.finished_at < $29 AND r.finished_at >= $30
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[] = 1
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $25 AND r.status = 'cancelled' AND r.finished_at <= $26 AND (r.finished_at < $27 OR r.id < $28) AND r.finished_at IS NOT NULL AND r.finished_at >= $29 AND r.finished_at < $30 AND r.finished_at >= $31
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "<="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value <= $21 AND a.type = $22 AND a.number_value <= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value <= $26 AND a.type = $27 AND a.number_value <= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = "="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value = $21 AND a.type = $22 AND a.number_value = $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value = $26 AND a.type = $27 AND a.number_value = $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value > $21 AND a.type = $22 AND a.number_value > $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value > $26 AND a.type = $27 AND a.number_value > $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].how = ">="
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value >= $21 AND a.type = $22 AND a.number_value >= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value >= $26 AND a.type = $27 AND a.number_value >= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = number
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 12)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 12) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 11
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.attributes[].compare[].value = string
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.text_value < $21 AND a.type = $22 AND a.text_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.text_value < $26 AND a.type = $27 AND a.text_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.blocked = false
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.workflow = $8 AND r.version = $9 AND r.parent_id = $10 AND r.schedule_id = $11 AND r.id >= $12 AND r.id < $13 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $24 AND r.status = 'cancelled' AND r.finished_at <= $25 AND (r.finished_at < $26 OR r.id < $27) AND r.finished_at IS NOT NULL AND r.finished_at >= $28 AND r.finished_at < $29 AND r.finished_at >= $30
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.createdBefore = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.status IN ($3, $4) AND r.reason IN ($5, $6) AND r.reason IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.createdFrom = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at < $2 AND r.status IN ($3, $4) AND r.reason IN ($5, $6) AND r.reason IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.endedBefore = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.endedFrom = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.idPrefix = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $27 AND r.status = 'cancelled' AND r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.order = "newest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at <= $29 AND (r.created_at < $30 OR r.id < $31) AND r.created_at >= $32 AND r.created_at < $33 AND r.created_at < $34 ORDER BY r.created_at DESC, r.id DESC LIMIT 8)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at >= $29 AND (r.created_at > $30 OR r.id > $31) AND r.created_at >= $32 AND r.created_at < $33 AND r.created_at < $34 ORDER BY r.created_at ASC, r.id ASC LIMIT 8)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at ASC, id ASC LIMIT 7
    ) AS f
    UNION ALL SELECT max(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at ASC, u.id ASC;

-- engine/listing.sql.ts pageOfOrder, query.parentId = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.past = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at IS NOT NULL AND r.finished_at >= $30 AND r.finished_at < $31 AND r.finished_at >= $32
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.reason = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $27 AND r.status = 'cancelled' AND r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.scheduleId = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.reason IN ($4, $5) AND r.reason IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $27 AND r.status = 'completed' AND r.finished_at <= $28 AND (r.finished_at < $29 OR r.id < $30) AND r.finished_at IS NOT NULL AND r.finished_at >= $31 AND r.finished_at < $32 AND r.finished_at >= $33
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $34 AND r.status = 'failed' AND r.finished_at <= $35 AND (r.finished_at < $36 OR r.id < $37) AND r.finished_at IS NOT NULL AND r.finished_at >= $38 AND r.finished_at < $39 AND r.finished_at >= $40
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $41 AND r.status = 'cancelled' AND r.finished_at <= $42 AND (r.finished_at < $43 OR r.id < $44) AND r.finished_at IS NOT NULL AND r.finished_at >= $45 AND r.finished_at < $46 AND r.finished_at >= $47
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $48 AND r.status = 'compensation_failed' AND r.finished_at <= $49 AND (r.finished_at < $50 OR r.id < $51) AND r.finished_at IS NOT NULL AND r.finished_at >= $52 AND r.finished_at < $53 AND r.finished_at >= $54
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status[] = "compensating"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM () AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status[] = "compensation_failed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'compensation_failed' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status[] = "completed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'completed' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.status[] = "failed"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'failed' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.version = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 7)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 7) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 6
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "limiter"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "retry"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "run"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs') THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "signal"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "task"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.waitsFor[] = "timer"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $29 AND r.status = 'cancelled' AND r.finished_at <= $30 AND (r.finished_at < $31 OR r.id < $32) AND r.finished_at IS NOT NULL AND r.finished_at >= $33 AND r.finished_at < $34 AND r.finished_at >= $35
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, query.workflow = undefined
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $28 AND r.status = 'cancelled' AND r.finished_at <= $29 AND (r.finished_at < $30 OR r.id < $31) AND r.finished_at IS NOT NULL AND r.finished_at >= $32 AND r.finished_at < $33 AND r.finished_at >= $34
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 8)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 8) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 7
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.attributes = readonly AttributeFilter[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.blocked = true
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.reason IN ($2, $3, $4, $5, $6) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.createdBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at < $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.createdFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at >= $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.endedBefore = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at < $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at < $3 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.endedFrom = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at >= $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.idPrefix = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.id >= $2 AND r.id < $3 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.order = "ended"
WITH scanned AS (SELECT r.id, r.finished_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM (SELECT e.id FROM ((
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $2 AND r.status = 'completed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $3 AND r.status = 'failed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $4 AND r.status = 'cancelled' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2) UNION ALL (
      SELECT r.id, r.finished_at FROM "durable_runs" AS r 
      WHERE r.namespace = $5 AND r.status = 'compensation_failed' AND r.finished_at IS NOT NULL
      ORDER BY r.finished_at DESC, r.id DESC LIMIT 2)) AS e ORDER BY e.finished_at DESC, e.id DESC LIMIT 2) AS c CROSS JOIN LATERAL (SELECT o.* FROM "durable_runs" AS o WHERE o.id = c.id OFFSET 0) AS r)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.order = "oldest"
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at ASC, r.id ASC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at ASC, id ASC LIMIT 2
    ) AS f
    UNION ALL SELECT max(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at ASC, u.id ASC;

-- engine/listing.sql.ts pageOfOrder, the least, query.parentId = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.parent_id = $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.past = ListPosition
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE r.created_at <= $2 AND (r.created_at < $3 OR r.id < $4) ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.reason = readonly RunReason[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.reason IN ($2) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.scheduleId = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.schedule_id = $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.status = readonly RunStatus[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.status IN ($2) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.version = number
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.version = $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 3)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 3
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1) THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts pageOfOrder, the least, query.workflow = string
WITH scanned AS (
    SELECT r.id, r.created_at AS listed_at, CASE WHEN r.namespace = $1 AND r.workflow = $2 THEN 1 ELSE 0 END AS fits FROM "durable_runs" AS r 
    WHERE 1 = 1 ORDER BY r.created_at DESC, r.id DESC LIMIT 2)
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY listed_at DESC, id DESC LIMIT 2
    ) AS f
    UNION ALL SELECT min(CONCAT(LPAD(CAST(listed_at AS text), 20, '0'), id)), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY u.listed_at DESC, u.id DESC;

-- engine/listing.sql.ts selectSteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND (s.run_id <> $4 OR s.seq > 1) AND s.name = $5 AND s.status IN ($6, $7) AND s.worker = $8 AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 11 ORDER BY o.n, s.seq LIMIT 2;
-- "[{"listed_id":"runIds-1","n":0},{"listed_id":"runIds-2","n":1}]"
-- "child"
-- "child"
-- "id"
-- "name"
-- "answered"
-- "answered"
-- "worker"

-- engine/listing.sql.ts selectSteps, query.begun = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND s.name = $4 AND s.status IN ($5, $6) AND s.worker = $7 AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 2 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 10 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, query.kind = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND (s.run_id <> $2 OR s.seq > 1) AND s.name = $3 AND s.status IN ($4, $5) AND s.worker = $6 AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 11 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.name = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND (s.run_id <> $4 OR s.seq > 1) AND s.status IN ($5, $6) AND s.worker = $7 AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 11 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.olderThanMs = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND (s.run_id <> $4 OR s.seq > 1) AND s.name = $5 AND s.status IN ($6, $7) AND s.worker = $8 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 10 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.runs.attributes[].compare[].value = number
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND (s.run_id <> $4 OR s.seq > 1) AND s.name = $5 AND s.status IN ($6, $7) AND s.worker = $8 AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 15 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.runs.createdBefore = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND (s.run_id <> $4 OR s.seq > 1) AND s.name = $5 AND s.status IN ($6, $7) AND s.worker = $8 AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 10 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.status = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND (s.run_id <> $4 OR s.seq > 1) AND s.name = $5 AND s.worker = $6 AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 11 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.worker = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND (s.run_id <> $4 OR s.seq > 1) AND s.name = $5 AND s.status IN ($6, $7) AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 11 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, query.youngerThanMs = undefined
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2, $3) AND s.seq <> -2147483648 AND (s.run_id <> $4 OR s.seq > 1) AND s.name = $5 AND s.status IN ($6, $7) AND s.worker = $8 AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, the least
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.begun = { id: string; seq: number; }
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND (s.run_id <> $2 OR s.seq > 1) ORDER BY o.n, s.seq LIMIT 2;

-- engine/listing.sql.ts selectSteps, the least, query.kind = readonly ("signal" | "transaction" | "step" | "remote" | "sleep" | "child" | "marker")[]
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind IN ($2) AND s.seq <> -2147483648 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.name = string
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND s.name = $2 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.olderThanMs = number
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND COALESCE(s.asked_at, s.created_at) <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 2 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.status = readonly ("pending" | "completed" | "failed" | "exhausted" | "answered")[]
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND s.status IN ($2) ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.worker = string
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND s.worker = $2 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts selectSteps, the least, query.youngerThanMs = number
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("listed_id" text, "n" bigint)) AS o
  JOIN "durable_steps" AS s  ON s.run_id = o.listed_id
  WHERE s.kind <> 'marker' AND COALESCE(s.asked_at, s.created_at) > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 3 ORDER BY o.n, s.seq LIMIT 1;

-- engine/listing.sql.ts rangeOf
r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5 AND r.finished_at >= $6;
-- 7
-- 7
-- "id"
-- 4
-- 5
-- -59998

-- engine/listing.sql.ts rangeOf, query.createdFrom = undefined
r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at < $5;

-- engine/listing.sql.ts rangeOf, query.endedBefore = undefined
r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at >= $4 AND r.finished_at >= $5;

-- engine/listing.sql.ts rangeOf, query.endedFrom = undefined
r.finished_at <= $1 AND (r.finished_at < $2 OR r.id < $3) AND r.finished_at IS NOT NULL AND r.finished_at < $4 AND r.finished_at >= $5;

-- engine/listing.sql.ts rangeOf, query.order = "newest"
r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6;

-- engine/listing.sql.ts rangeOf, query.order = "oldest"
r.created_at >= $1 AND (r.created_at > $2 OR r.id > $3) AND r.created_at >= $4 AND r.created_at < $5 AND r.created_at < $6;

-- engine/listing.sql.ts rangeOf, query.past = undefined
r.finished_at IS NOT NULL AND r.finished_at >= $1 AND r.finished_at < $2 AND r.finished_at >= $3;

-- engine/listing.sql.ts rangeOf, the least
1 = 1;

-- engine/listing.sql.ts rangeOf, the least, query.createdBefore = number
r.created_at < $1;

-- engine/listing.sql.ts rangeOf, the least, query.createdFrom = number
r.created_at >= $1;

-- engine/listing.sql.ts rangeOf, the least, query.order = "ended"
r.finished_at IS NOT NULL;

-- engine/listing.sql.ts rangeOf, the least, query.past = ListPosition
r.created_at <= $1 AND (r.created_at < $2 OR r.id < $3);

-- engine/listing.sql.ts endedIn
alias.finished_at >= $1;
alias.finished_at < $1;
-- 4
-- 5

-- engine/listing.sql.ts endedIn, 1.endedBefore = undefined
alias.finished_at >= $1;

-- engine/listing.sql.ts endedIn, 1.endedFrom = undefined
alias.finished_at < $1;

-- engine/listing.sql.ts beginsWith
alias.id >= $1 AND alias.id < $2;
-- "prefix"
-- "prefiy"

-- engine/listing.sql.ts filterOf
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
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
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[] = 1
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[] = 1
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].how = "<="
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value <= $21 AND a.type = $22 AND a.number_value <= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value <= $26 AND a.type = $27 AND a.number_value <= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].how = "="
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value = $21 AND a.type = $22 AND a.number_value = $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value = $26 AND a.type = $27 AND a.number_value = $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].how = ">"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value > $21 AND a.type = $22 AND a.number_value > $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value > $26 AND a.type = $27 AND a.number_value > $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].how = ">="
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value >= $21 AND a.type = $22 AND a.number_value >= $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value >= $26 AND a.type = $27 AND a.number_value >= $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.attributes[].compare[].value = string
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.text_value < $21 AND a.type = $22 AND a.text_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.text_value < $26 AND a.type = $27 AND a.text_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.blocked = false
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.workflow = $8 AND r.version = $9 AND r.parent_id = $10 AND r.schedule_id = $11 AND r.id >= $12 AND r.id < $13 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $14 AND a.type = $15 AND a.number_value < $16 AND a.type = $17 AND a.number_value < $18 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.createdBefore = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.status IN ($3, $4) AND r.reason IN ($5, $6) AND r.reason IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.createdFrom = undefined
r.namespace = $1 AND r.created_at < $2 AND r.status IN ($3, $4) AND r.reason IN ($5, $6) AND r.reason IN ($7, $8, $9, $10, $11) AND r.workflow = $12 AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.idPrefix = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.order = "newest"
r.namespace = $1 AND r.finished_at >= $2 AND r.finished_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.parentId = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.reason = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.scheduleId = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.status = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.reason IN ($4, $5) AND r.reason IN ($6, $7, $8, $9, $10) AND r.workflow = $11 AND r.version = $12 AND r.parent_id = $13 AND r.schedule_id = $14 AND r.id >= $15 AND r.id < $16 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $17 AND a.type = $18 AND a.number_value < $19 AND a.type = $20 AND a.number_value < $21 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $22 AND a.type = $23 AND a.number_value < $24 AND a.type = $25 AND a.number_value < $26 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.version = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1;

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "limiter"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_limiter_entries" AS e  WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "retry"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL) OR (s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL)) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "run"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND (r.reason = 'waiting_for_runs');

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "signal"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'signal') OR (s.kind = 'signal')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "task"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'remote' AND s.wake_at IS NULL) OR (s.kind = 'remote' AND s.wake_at IS NULL)) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.waitsFor[] = "timer"
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.workflow = $13 AND r.version = $14 AND r.parent_id = $15 AND r.schedule_id = $16 AND r.id >= $17 AND r.id < $18 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $19 AND a.type = $20 AND a.number_value < $21 AND a.type = $22 AND a.number_value < $23 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $24 AND a.type = $25 AND a.number_value < $26 AND a.type = $27 AND a.number_value < $28 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep') OR (s.kind = 'sleep')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, query.workflow = undefined
r.namespace = $1 AND r.created_at >= $2 AND r.created_at < $3 AND r.status IN ($4, $5) AND r.reason IN ($6, $7) AND r.reason IN ($8, $9, $10, $11, $12) AND r.version = $13 AND r.parent_id = $14 AND r.schedule_id = $15 AND r.id >= $16 AND r.id < $17 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $18 AND a.type = $19 AND a.number_value < $20 AND a.type = $21 AND a.number_value < $22 LIMIT 1) = 1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $23 AND a.type = $24 AND a.number_value < $25 AND a.type = $26 AND a.number_value < $27 LIMIT 1) = 1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'child') OR (s.kind = 'child')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, the least
r.namespace = $1;

-- engine/listing.sql.ts filterOf, the least, query.attributes = readonly AttributeFilter[]
r.namespace = $1 AND (SELECT 1 FROM "durable_run_attributes" AS a WHERE a.run_id = r.id AND a.name = $2 AND a.type = $3 AND a.number_value >= $4 LIMIT 1) = 1;

-- engine/listing.sql.ts filterOf, the least, query.blocked = true
r.namespace = $1 AND r.reason IN ($2, $3, $4, $5, $6);

-- engine/listing.sql.ts filterOf, the least, query.endedBefore = number
r.namespace = $1 AND r.finished_at < $2;

-- engine/listing.sql.ts filterOf, the least, query.endedFrom = number
r.namespace = $1 AND r.finished_at >= $2;

-- engine/listing.sql.ts filterOf, the least, query.idPrefix = string
r.namespace = $1 AND r.id >= $2 AND r.id < $3;

-- engine/listing.sql.ts filterOf, the least, query.parentId = string
r.namespace = $1 AND r.parent_id = $2;

-- engine/listing.sql.ts filterOf, the least, query.reason = readonly RunReason[]
r.namespace = $1 AND r.reason IN ($2);

-- engine/listing.sql.ts filterOf, the least, query.scheduleId = string
r.namespace = $1 AND r.schedule_id = $2;

-- engine/listing.sql.ts filterOf, the least, query.status = readonly RunStatus[]
r.namespace = $1 AND r.status IN ($2);

-- engine/listing.sql.ts filterOf, the least, query.version = number
r.namespace = $1 AND r.version = $2;

-- engine/listing.sql.ts filterOf, the least, query.waitsFor = readonly ("run" | "signal" | "limiter" | "retry" | "child" | "task" | "timer")[]
r.namespace = $1 AND r.finished_at IS NULL AND ((SELECT 1 FROM "durable_steps" AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND ((s.kind = 'sleep')) LIMIT 1) = 1);

-- engine/listing.sql.ts filterOf, the least, query.workflow = string
r.namespace = $1 AND r.workflow = $2;

-- engine/nodes.sql.ts signIn
INSERT INTO "durable_nodes"
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $9, NULL, CAST(extract(epoch FROM pg_postmaster_start_time()) AS varchar), $10)
  ON CONFLICT ("id") DO UPDATE SET "serves" = EXCLUDED."serves", "expires_at" = EXCLUDED."expires_at", "seen_at" = EXCLUDED."seen_at", "left_at" = EXCLUDED."left_at", "server" = EXCLUDED."server", "busy" = EXCLUDED."busy";
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
SELECT n.id, n.server, n.expires_at, CONCAT(@@hostname, ':', @@port) AS here FROM "durable_nodes" AS n
  WHERE n.server <> CONCAT(@@hostname, ':', @@port) AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);

-- engine/nodes.sql.ts signInReturningBeat
INSERT INTO "durable_nodes"
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $9, NULL, CAST(extract(epoch FROM pg_postmaster_start_time()) AS varchar), $10)
  ON CONFLICT ("id") DO UPDATE SET "serves" = EXCLUDED."serves", "expires_at" = EXCLUDED."expires_at", "seen_at" = EXCLUDED."seen_at", "left_at" = EXCLUDED."left_at", "server" = EXCLUDED."server", "busy" = EXCLUDED."busy" RETURNING CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining;
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
SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining FROM "durable_nodes" WHERE id = $1;
-- "nodeId"

-- engine/nodes.sql.ts selectNow
SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now;

-- engine/nodes.sql.ts selectDeadOwners
SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);

-- engine/nodes.sql.ts lookAround
SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS t
  UNION ALL SELECT 'draining', n.id, 0, NULL, NULL FROM "durable_nodes" AS n WHERE n.id = $1 AND n.draining_since IS NOT NULL
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM "durable_runs" AS r WHERE r.owner = $2
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AS d WHERE d.owner <> $3
  UNION ALL SELECT 'lapsed', n.id, 0, NULL, NULL FROM "durable_nodes" AS n WHERE n.id <> $4 AND n.roles LIKE '%worker%'
    AND n.left_at IS NULL AND n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 60000
  UNION ALL SELECT 'next', '', MIN(n.expires_at), NULL, NULL FROM "durable_nodes" AS n
    WHERE n.id <> $5 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AND n.expires_at - CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) < (n.expires_at - n.seen_at) / 2
    HAVING COUNT(*) > 0
  UNION ALL SELECT 'ended', '', COUNT(*), NULL, NULL FROM "durable_nodes" AS n
  WHERE n.namespace = $6 AND n.roles LIKE '%engine%' AND n.id <> $7 AND n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  UNION ALL SELECT 'last', '', COALESCE(MAX(n.expires_at), 0), NULL, NULL FROM "durable_nodes" AS n
  WHERE n.namespace = $8 AND n.roles LIKE '%engine%' AND n.id <> $9 AND n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  UNION ALL SELECT 'elsewhere', n.id, n.expires_at, n.server, o.server FROM "durable_nodes" AS o JOIN "durable_nodes" AS n
    ON n.id <> o.id AND n.server <> o.server AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) WHERE o.id = $10;
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

-- engine/nodes.sql.ts signInLookingAround
WITH beat AS (
  INSERT INTO "durable_nodes"
    (id, namespace, host, pid, roles, serves, version, build, started_at, seen_at, expires_at, left_at, server, busy)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + $9, NULL, CAST(extract(epoch FROM pg_postmaster_start_time()) AS varchar), $10)
  ON CONFLICT ("id") DO UPDATE SET "serves" = EXCLUDED."serves", "expires_at" = EXCLUDED."expires_at", "seen_at" = EXCLUDED."seen_at", "left_at" = EXCLUDED."left_at", "server" = EXCLUDED."server", "busy" = EXCLUDED."busy" RETURNING CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now, CASE WHEN draining_since IS NULL THEN 0 ELSE 1 END AS draining) 
  SELECT 'now' AS kind, '' AS id, t.now AS n, NULL AS server, NULL AS here FROM beat AS t
  UNION ALL SELECT 'draining', n.id, 0, NULL, NULL FROM "durable_nodes" AS n WHERE n.id = $11 AND n.draining_since IS NOT NULL
  UNION ALL SELECT 'owned', r.id, r.epoch, NULL, NULL FROM "durable_runs" AS r WHERE r.owner = $12
  UNION ALL SELECT 'dead', d.owner, 0, NULL, NULL FROM (
  SELECT o.owner FROM (WITH RECURSIVE step(owner) AS (
      (SELECT min(owner) FROM "durable_runs" WHERE owner IS NOT NULL)
      UNION ALL SELECT (SELECT min(r.owner) FROM "durable_runs" AS r WHERE r.owner > step.owner) FROM step WHERE step.owner IS NOT NULL
    ) SELECT owner FROM step WHERE owner IS NOT NULL) AS o LEFT JOIN "durable_nodes" AS n ON n.id = o.owner
  WHERE n.id IS NULL OR n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AS d WHERE d.owner <> $13
  UNION ALL SELECT 'lapsed', n.id, 0, NULL, NULL FROM "durable_nodes" AS n WHERE n.id <> $14 AND n.roles LIKE '%worker%'
    AND n.left_at IS NULL AND n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 60000
  UNION ALL SELECT 'next', '', MIN(n.expires_at), NULL, NULL FROM "durable_nodes" AS n
    WHERE n.id <> $15 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AND n.expires_at - CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) < (n.expires_at - n.seen_at) / 2
    HAVING COUNT(*) > 0
  UNION ALL SELECT 'ended', '', COUNT(*), NULL, NULL FROM "durable_nodes" AS n
  WHERE n.namespace = $16 AND n.roles LIKE '%engine%' AND n.id <> $17 AND n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  UNION ALL SELECT 'last', '', COALESCE(MAX(n.expires_at), 0), NULL, NULL FROM "durable_nodes" AS n
  WHERE n.namespace = $18 AND n.roles LIKE '%engine%' AND n.id <> $19 AND n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
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
-- "id"
-- "id"
-- "id"
-- "id"
-- "id"
-- "namespace"
-- "id"
-- "namespace"
-- "id"

-- engine/nodes.sql.ts signOff
UPDATE "durable_nodes" SET expires_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), left_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) WHERE id = $1;
-- "nodeId"

-- engine/nodes.sql.ts selectAlive
SELECT n.id FROM "durable_nodes" AS n
  WHERE n.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
-- 2
-- "{"nodeIds-1","nodeIds-2"}"
-- 1
-- 1

-- engine/nodes.sql.ts selectSilent
SELECT n.id, n.serves, n.busy, n.expires_at, current_user AS me FROM "durable_nodes" AS n
  WHERE n.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND n.left_at IS NULL AND n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
    AND n.server = CAST(extract(epoch FROM pg_postmaster_start_time()) AS varchar);
-- 2
-- "{"nodeIds-1","nodeIds-2"}"
-- 1
-- 1

-- engine/nodes.sql.ts lockAlive
SELECT draining_since, draining_by FROM "durable_nodes"
  WHERE id = $1 AND expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FOR UPDATE;
-- "nodeId"

-- engine/nodes.sql.ts setDraining
UPDATE "durable_nodes" SET draining_by = $1,
    draining_since = COALESCE(draining_since, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
  WHERE id = $2;
-- "by"
-- "nodeId"

-- engine/nodes.sql.ts setDraining, by = null
UPDATE "durable_nodes" SET draining_by = $1,
    draining_since = NULL
  WHERE id = $2;

-- engine/nodes.sql.ts selectNodes
SELECT t.now, n.id, n.namespace, n.host, n.pid, n.roles, n.serves, n.version, n.build, n.busy,
    n.started_at, n.seen_at, n.expires_at, n.left_at, n.draining_since, n.draining_by
  FROM (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now) AS t LEFT JOIN "durable_nodes" AS n ON 1 = 1
  ORDER BY n.expires_at DESC, n.id LIMIT 2000;

-- engine/nodes.sql.ts selectForgotten
SELECT f.id FROM (
    SELECT n.id, n.expires_at, row_number() OVER (ORDER BY n.expires_at DESC, n.id) AS n_th
    FROM "durable_nodes" AS n WHERE n.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  ) AS f WHERE f.n_th > 500 OR f.expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - $1 ORDER BY f.id;
-- 86400000

-- engine/nodes.sql.ts strikeOff
DELETE FROM "durable_nodes" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint);
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/nodes.sql.ts selectPage
SELECT id, status FROM "durable_runs" WHERE id > $1 ORDER BY id LIMIT 1;
-- "afterId"

-- engine/nodes.sql.ts selectAsked
SELECT s.run_id, s.seq FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM "durable_limiter_entries" AS e WHERE e.run_id = s.run_id AND e.granted = 0));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/nodes.sql.ts wakeParked
UPDATE "durable_runs"  SET wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/nodes.sql.ts insertSample
INSERT INTO "durable_samples" (minute, node, namespace, body)
  SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - MOD(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), 60000), $1, $2, $3 ON CONFLICT ("minute", "node") DO NOTHING;
-- "node"
-- "namespace"
-- "body"

-- engine/nodes.sql.ts selectSamples
SELECT minute, node, body FROM "durable_samples"
  WHERE minute >= $1 AND minute < $2 AND namespace = $3
  ORDER BY minute, node LIMIT 3;
-- 1
-- 2
-- "namespace"

-- engine/nodes.sql.ts selectSamples, 2.keep = "last"
SELECT minute, node, body FROM "durable_samples"
  WHERE minute >= $1 AND minute < $2 AND namespace = $3
  ORDER BY minute DESC, node DESC LIMIT 3;

-- engine/nodes.sql.ts selectSamples, 2.namespace = undefined
SELECT minute, node, body FROM "durable_samples"
  WHERE minute >= $1 AND minute < $2 
  ORDER BY minute, node LIMIT 3;

-- engine/nodes.sql.ts selectSamples, the least, 2.keep = "last"
SELECT minute, node, body FROM "durable_samples"
  WHERE minute >= $1 AND minute < $2 
  ORDER BY minute DESC, node DESC LIMIT 3;

-- engine/nodes.sql.ts selectOldSamples
SELECT minute, node FROM "durable_samples" WHERE minute <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $1
  ORDER BY minute, node LIMIT 2;
-- 1

-- engine/nodes.sql.ts deleteSamples
DELETE FROM "durable_samples" AS s USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("minute" bigint, "node" text)) AS o WHERE s.minute = o.minute AND s.node = o.node;
-- "[{"minute":1,"node":"node-1"},{"minute":2,"node":"node-2"}]"

-- engine/runs.sql.ts claimRuns
WITH taken AS (
  WITH due AS MATERIALIZED (
    SELECT o.tid FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("name" text, "version" bigint)) AS w
    CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN ($5, $6, $7) AND r.id > $8 AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM json_to_recordset(CAST($9 AS json)) AS listed("id" text, "epoch" bigint)) AS o WHERE o.id = r.id AND o.epoch = r.epoch) AND 
  (SELECT count(*) FROM "durable_holds" AS h
    WHERE h.namespace = $10 AND h.kind = 'workflow' AND h.name = w.name
      AND (until_at IS NULL OR until_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) = 0
      ORDER BY r.id LIMIT $11 FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE EXISTS (SELECT 1 FROM "durable_nodes" AS n WHERE n.id = $12 AND n.expires_at > CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))
    LIMIT $13)
  UPDATE "durable_runs" SET 
  owner = $14, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due))
    RETURNING id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), COALESCE(started_at, created_at)) AS claimed_at) SELECT * FROM taken ORDER BY id;
-- "[{"name":"name-1","version":1},{"name":"name-2","version":2}]"
-- 1
-- 1
-- "namespace"
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "[{"id":"runId-1","epoch":5},{"id":"runId-2","epoch":6}]"
-- "namespace"
-- 3
-- "nodeId"
-- 3
-- "nodeId"

-- engine/runs.sql.ts claimRuns, request.which = "due"
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
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due UNION ALL SELECT tid FROM in_turn))
    RETURNING id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), COALESCE(started_at, created_at)) AS claimed_at;

-- engine/runs.sql.ts claimRuns, request.which = "suspect"
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
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due))
    RETURNING id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), COALESCE(started_at, created_at)) AS claimed_at;

-- engine/runs.sql.ts claimRuns, request.without = undefined
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
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due))
    RETURNING id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), COALESCE(started_at, created_at)) AS claimed_at) SELECT * FROM taken ORDER BY id;

-- engine/runs.sql.ts claimRuns, the least, request.which = "due"
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
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint))) END
    WHERE ctid = ANY (ARRAY(SELECT tid FROM due UNION ALL SELECT tid FROM in_turn))
    RETURNING id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch, COALESCE(continued_at, created_at) AS since, GREATEST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), COALESCE(started_at, created_at)) AS claimed_at;

-- engine/runs.sql.ts stampClaimed
UPDATE "durable_runs" FORCE INDEX (PRIMARY) SET 
  owner = $1, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, $2)) END WHERE id IN ($3, $4);
-- "nodeId"
-- 1
-- "2"
-- "3"

-- engine/runs.sql.ts stampClaimed, ids[] = 1
UPDATE "durable_runs" FORCE INDEX (PRIMARY) SET 
  owner = $1, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, $2)) END WHERE id IN ($3);

-- engine/schedules.sql.ts insertSchedules
INSERT INTO "durable_schedules" (id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at) SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "created_at" bigint, "workflow" text, "declared" bigint, "spec" text, "input" text, "paused" bigint, "next_at" bigint, "fired_at" bigint, "last_run_id" text, "buffered_at" bigint)) AS n WHERE 1 = 1 ON CONFLICT ("namespace", "id") DO NOTHING;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","declared":1,"spec":"spec-1","input":"input-1","paused":1,"next_at":1,"fired_at":2,"last_run_id":"lastRunId-1","buffered_at":3,"created_at":4},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","declared":1,"spec":"spec-2","input":"input-2","paused":1,"next_at":5,"fired_at":6,"last_run_id":"lastRunId-2","buffered_at":7,"created_at":8}]"

-- engine/schedules.sql.ts updateSchedules
UPDATE "durable_schedules" AS s SET workflow = n.workflow, declared = n.declared, spec = n.spec, input = n.input, paused = n.paused, next_at = n.next_at, fired_at = n.fired_at, last_run_id = n.last_run_id, buffered_at = n.buffered_at FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "created_at" bigint, "workflow" text, "declared" bigint, "spec" text, "input" text, "paused" bigint, "next_at" bigint, "fired_at" bigint, "last_run_id" text, "buffered_at" bigint)) AS n WHERE s.namespace = n.namespace AND s.id = n.id;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","declared":1,"spec":"spec-1","input":"input-1","paused":1,"next_at":1,"fired_at":2,"last_run_id":"lastRunId-1","buffered_at":3,"created_at":4},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","declared":1,"spec":"spec-2","input":"input-2","paused":1,"next_at":5,"fired_at":6,"last_run_id":"lastRunId-2","buffered_at":7,"created_at":8}]"

-- engine/schedules.sql.ts listSchedules
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND declared = 1 AND id > $10
  ORDER BY id LIMIT 3;
-- "namespace"
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- 2
-- "{"workflows-1","workflows-2"}"
-- 1
-- 1
-- "afterId"

-- engine/schedules.sql.ts listSchedules, query.afterId = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND declared = 1
  ORDER BY id LIMIT 3;

-- engine/schedules.sql.ts listSchedules, query.declared = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND id > $10
  ORDER BY id LIMIT 3;

-- engine/schedules.sql.ts listSchedules, query.ids = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND declared = 1 AND id > $6
  ORDER BY id LIMIT 1;

-- engine/schedules.sql.ts listSchedules, query.ids[] = 1
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND declared = 1 AND id > $10
  ORDER BY id LIMIT 2;

-- engine/schedules.sql.ts listSchedules, query.limit = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND declared = 1 AND id > $10
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, query.workflows = undefined
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND declared = 1 AND id > $6
  ORDER BY id LIMIT 3;

-- engine/schedules.sql.ts listSchedules, the least
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, the least, query.afterId = string
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND id > $2
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, the least, query.declared = true
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND declared = 1
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, the least, query.ids = readonly string[]
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  ORDER BY id;

-- engine/schedules.sql.ts listSchedules, the least, query.limit = number
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1
  ORDER BY id LIMIT 1;

-- engine/schedules.sql.ts listSchedules, the least, query.workflows = readonly string[]
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE namespace = $1 AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
  ORDER BY id;

-- engine/schedules.sql.ts deleteSchedules
DELETE FROM "durable_schedules" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND namespace = $5;
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "namespace"

-- engine/schedules.sql.ts lockSchedules
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now FROM "durable_schedules"  WHERE namespace = $1 AND next_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND NOT (id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)))
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "namespace"
-- 2
-- "{"workflows-1","workflows-2"}"
-- 1
-- 1
-- 2
-- "{"except-1","except-2"}"
-- 1
-- 1

-- engine/schedules.sql.ts lockSchedules, which = { namespace: string; } & { ids: readonly string[]; }
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) AS now FROM "durable_schedules"  WHERE namespace = $1 AND id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;

-- engine/schedules.sql.ts lookAtSchedules
(SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE s.namespace = $1 AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND NOT (id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k))) AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, (SELECT r.status FROM "durable_runs" AS r WHERE r.id = s.last_run_id) AS last_status FROM "durable_schedules" AS s WHERE s.namespace = $10 AND workflow = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($11 AS integer)]) ELSE a END FROM (SELECT CAST($12 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($13 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($14 AS integer)) AS again) AS k)) AND NOT (id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($15 AS integer)]) ELSE a END FROM (SELECT CAST($16 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($17 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($18 AS integer)) AS again) AS k))) AND s.buffered_at IS NOT NULL);
-- "namespace"
-- 2
-- "{"workflows-1","workflows-2"}"
-- 1
-- 1
-- 2
-- "{"except-1","except-2"}"
-- 1
-- 1
-- "namespace"
-- 2
-- "{"workflows-1","workflows-2"}"
-- 1
-- 1
-- 2
-- "{"except-1","except-2"}"
-- 1
-- 1

-- engine/schedules.sql.ts selectLate
SELECT id, namespace, created_at, workflow, declared, spec, input, paused, next_at, fired_at, last_run_id, buffered_at FROM "durable_schedules"
  WHERE namespace = $1 AND next_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $2 AND next_at IS NOT NULL AND paused = 0
  ORDER BY next_at, id LIMIT 2;
-- "namespace"
-- 1

-- engine/signal-waits.sql.ts upsertWaits
INSERT INTO "durable_signal_waits" (channel, step_id, run_id, seq, after_position, since, deadline)
  SELECT channel, step_id, run_id, seq, after_position, since, deadline FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text, "step_id" text, "run_id" text, "seq" bigint, "after_position" bigint, "since" bigint, "deadline" bigint)) AS n WHERE true
  ON CONFLICT ("channel", "step_id") DO UPDATE SET "after_position" = EXCLUDED."after_position", "deadline" = EXCLUDED."deadline";
-- "[{"channel":"channel-1","step_id":"step_id-1","run_id":"run_id-1","seq":1,"after_position":2,"since":3,"deadline":4},{"channel":"channel-2","step_id":"step_id-2","run_id":"run_id-2","seq":5,"after_position":6,"since":7,"deadline":8}]"

-- engine/signal-waits.sql.ts markReceived
UPDATE "durable_signals" AS s SET kept_at = CASE WHEN n.kept = 1 THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) END, taken_by = CASE WHEN n.kept = 1 THEN n.run_id END FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text, "position" bigint, "run_id" text, "kept" bigint)) AS n
    WHERE s.id = ANY (ARRAY(SELECT f.id FROM (SELECT * FROM json_to_recordset(CAST($2 AS json)) AS listed("channel" text, "position" bigint, "run_id" text, "kept" bigint)) AS n CROSS JOIN LATERAL (
      SELECT i.id FROM "durable_signals" AS i WHERE i.channel = n.channel AND i.position = n.position LIMIT 1
    ) AS f)) AND s.channel = n.channel AND s.position = n.position
    AND (n.kept = 1 OR (s.taken_by = n.run_id AND s.kept_at IS NULL));
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1","kept":2},{"channel":"channel-2","position":3,"run_id":"run_id-2","kept":4}]"
-- "[{"channel":"channel-1","position":1,"run_id":"run_id-1","kept":2},{"channel":"channel-2","position":3,"run_id":"run_id-2","kept":4}]"

-- engine/signal-waits.sql.ts deleteWaits
DELETE FROM "durable_signal_waits" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/signal-waits.sql.ts selectUnfiled
SELECT u.channel, (SELECT COUNT(*) FROM "durable_signal_channels" AS c WHERE c.channel = u.channel) AS known, 1 AS unfiled FROM (
    SELECT DISTINCT s.channel FROM "durable_signals" AS s WHERE s.position IS NULL ORDER BY s.channel LIMIT 1
  ) AS u;

-- engine/signal-waits.sql.ts selectHolding
SELECT h.channel, MAX(h.known) AS known, MAX(1 - h.known) AS unfiled FROM (
    SELECT s.channel, 0 AS known FROM "durable_signals" AS s
    WHERE s.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.position IS NULL
    UNION ALL SELECT c.channel, 1 AS known FROM "durable_signal_channels" AS c WHERE c.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again) AS k))
  ) AS h GROUP BY h.channel;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signal-waits.sql.ts insertChannels
INSERT INTO "durable_signal_channels" (channel, last_position)
  SELECT n.channel, 0 FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text)) AS n WHERE true ON CONFLICT ("channel") DO NOTHING;
-- "[{"channel":"channels-1"},{"channel":"channels-2"}]"

-- engine/signal-waits.sql.ts lockChannels
SELECT channel, last_position FROM "durable_signal_channels"  WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  ORDER BY channel FOR UPDATE SKIP LOCKED;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signal-waits.sql.ts lockChannels, skip = false
SELECT channel, last_position FROM "durable_signal_channels"  WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  ORDER BY channel FOR UPDATE;

-- engine/signal-waits.sql.ts fileSignals
WITH numbered AS MATERIALIZED (
    SELECT s.id, s.channel, row_number() OVER (PARTITION BY s.channel ORDER BY s.id) AS ordinal
    FROM "durable_signals" AS s WHERE s.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.position IS NULL
  ), filed AS (
    UPDATE "durable_signals" AS s SET position = c.last_position + n.ordinal
    FROM numbered AS n JOIN "durable_signal_channels" AS c ON c.channel = n.channel WHERE s.id = n.id
  )
  UPDATE "durable_signal_channels" AS c SET last_position = c.last_position + n.count
  FROM (SELECT channel, count(*) AS count FROM numbered GROUP BY channel) AS n WHERE c.channel = n.channel;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signal-waits.sql.ts matchWaits
SELECT w.channel, w.step_id, w.run_id, w.seq, w.since, w.after_position, f.id AS signal_id, f.position, f.created_at, f.addressed
  FROM "durable_signal_waits" AS w JOIN "durable_runs" AS r
    ON r.id = w.run_id AND r.closing IS NULL AND r.status NOT IN ($1, $2, $3, $4) CROSS JOIN LATERAL (SELECT s.id, s.position, s.created_at, s.addressed FROM "durable_signals" AS s
      WHERE s.channel = w.channel AND s.position > w.after_position AND (w.deadline IS NULL OR s.created_at <= w.deadline)
      AND (s.created_at >= w.since OR s.taken_by IS NULL OR s.taken_by = w.run_id)
      AND (s.kept_at IS NULL OR s.taken_by <> w.run_id) ORDER BY s.position LIMIT 1) AS f WHERE w.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($5 AS integer)]) ELSE a END FROM (SELECT CAST($6 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($7 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($8 AS integer)) AS again) AS k));
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signal-waits.sql.ts lockWaits
SELECT step_id, channel, after_position FROM "durable_signal_waits"  WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  ORDER BY step_id, channel FOR UPDATE;
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/signal-waits.sql.ts selectWaits
SELECT step_id, channel, after_position FROM "durable_signal_waits" WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/signal-waits.sql.ts closeWaits
UPDATE "durable_signal_waits"  SET after_position = $1 WHERE step_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k));
-- a large number
-- 2
-- "{"stepIds-1","stepIds-2"}"
-- 1
-- 1

-- engine/signal-waits.sql.ts reserveSignals
UPDATE "durable_signals" AS s SET taken_by = n.run_id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" bigint, "run_id" text)) AS n WHERE s.id = ANY (CAST($2 AS bigint[])) AND s.id = n.id AND s.kept_at IS NULL;
-- "[{"id":1,"run_id":"run_id-1"},{"id":2,"run_id":"run_id-2"}]"
-- "{1,2}"

-- engine/signal-waits.sql.ts selectPayloads
SELECT id, payload FROM "durable_signals" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- engine/signals.sql.ts insertSignals
INSERT INTO "durable_signals" (namespace, channel, name, target, addressed, dedup_id, payload, created_at)
  SELECT namespace, channel, name, target, addressed, dedup_id, payload, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ord" bigint, "namespace" text, "channel" text, "name" text, "target" text, "addressed" text, "dedup_id" text, "payload" text)) AS n ORDER BY n.ord;
-- "[{"channel":"channel-1","payload":"payload-1","namespace":"namespace-1","addressed":"key","name":"name-1","target":"target-1","ord":0,"dedup_id":"dedupId-1"},{"channel":"channel-2","payload":"payload-2","namespace":"namespace-2","addressed":"key","name":"name-2","target":"target-2","ord":1,"dedup_id":"dedupId-2"}]"

-- engine/signals.sql.ts sendSignals
WITH sent AS (
  INSERT INTO "durable_signals" (namespace, channel, name, target, addressed, dedup_id, payload, created_at)
  SELECT namespace, channel, name, target, addressed, dedup_id, payload, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ord" bigint, "namespace" text, "channel" text, "name" text, "target" text, "addressed" text, "dedup_id" text, "payload" text)) AS n ORDER BY n.ord ON CONFLICT (channel, dedup_id) DO NOTHING RETURNING channel, dedup_id)
  SELECT sent.channel, sent.dedup_id, ("told") AS told FROM sent;
-- "[{"channel":"channel-1","payload":"payload-1","namespace":"namespace-1","addressed":"key","name":"name-1","target":"target-1","ord":0,"dedup_id":"dedupId-1"},{"channel":"channel-2","payload":"payload-2","namespace":"namespace-2","addressed":"key","name":"name-2","target":"target-2","ord":1,"dedup_id":"dedupId-2"}]"

-- engine/signals.sql.ts sendSignals, told = undefined
WITH sent AS (
  INSERT INTO "durable_signals" (namespace, channel, name, target, addressed, dedup_id, payload, created_at)
  SELECT namespace, channel, name, target, addressed, dedup_id, payload, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("ord" bigint, "namespace" text, "channel" text, "name" text, "target" text, "addressed" text, "dedup_id" text, "payload" text)) AS n ORDER BY n.ord ON CONFLICT (channel, dedup_id) DO NOTHING RETURNING channel, dedup_id)
  SELECT sent.channel, sent.dedup_id FROM sent;

-- engine/signals.sql.ts selectKnown
SELECT s.channel, s.dedup_id FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("channel" text, "dedup_id" text)) AS n
  JOIN "durable_signals" AS s ON s.channel = n.channel AND s.dedup_id = n.dedup_id;
-- "[{"channel":"channel-1","dedup_id":"dedupId-1"},{"channel":"channel-2","dedup_id":"dedupId-2"}]"

-- engine/signals.sql.ts selectAddress
SELECT name, target, addressed FROM "durable_signals" WHERE channel = $1 LIMIT 1;
-- "channel"

-- engine/signals.sql.ts selectRunsIn
SELECT id, namespace FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/signals.sql.ts selectOldOfKeys
SELECT s.id FROM "durable_signals" AS s WHERE 
  s.namespace = $1 AND s.addressed = $2 AND s.position IS NOT NULL
  AND s.created_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $3
  ORDER BY s.created_at, s.id LIMIT 2;
-- "namespace"
-- "key"
-- 1

-- engine/signals.sql.ts selectOldOfRuns
SELECT p.id, p.created_at, CASE WHEN p.taken_by IS NOT NULL OR COALESCE((
      SELECT r.status IN ('completed', 'cancelled') AND r.finished_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - $1
      FROM "durable_runs" AS r WHERE r.id = p.target), true) THEN 1 ELSE 0 END AS gone
  FROM (
    SELECT s.id, s.created_at, s.target, s.taken_by FROM "durable_signals" AS s
    WHERE 
  s.namespace = $2 AND s.addressed = $3 AND s.position IS NOT NULL
  AND s.created_at <= (SELECT CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)) - $4 AND s.created_at >= $5 AND (s.created_at > $6 OR s.id > $7)
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
SELECT id FROM "durable_signals" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) LIMIT 1;
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/signals.sql.ts lockUntaken
SELECT id FROM "durable_signals" WHERE channel = $1 AND position IS NOT NULL AND taken_by IS NULL
  ORDER BY position LIMIT 1 FOR UPDATE;
-- "channel"

-- engine/signals.sql.ts deleteSignals
DELETE FROM "durable_signals" WHERE id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- engine/signals.sql.ts selectWaiting
SELECT step_id, run_id, seq FROM "waits" WHERE channel = $1 ORDER BY step_id;
-- "channel"

-- engine/signals.sql.ts selectAwaited
SELECT DISTINCT channel FROM "waits" WHERE channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"channels-1","channels-2"}"
-- 1
-- 1

-- engine/start-keys.sql.ts lockOld
SELECT id, namespace, workflow, status, epoch, first_seq, erased_at FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/start-keys.sql.ts selectLast
SELECT run_id, MAX(seq) AS seq, MAX(created_at) AS at FROM "durable_steps"  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))
  GROUP BY run_id;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/start-keys.sql.ts goOnFrom
UPDATE "durable_runs" AS r SET epoch = n.epoch, first_seq = n.first_seq FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "first_seq" bigint)) AS n WHERE r.id = n.id;
-- "[{"id":"id-1","epoch":1,"first_seq":2},{"id":"id-2","epoch":3,"first_seq":4}]"

-- engine/start-keys.sql.ts insertKeys
INSERT INTO "durable_start_keys" (start_key, run_id, expires_at, latest_at)
  SELECT n.start_key, n.run_id, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.window_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.longest_ms FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("start_key" text, "run_id" text, "window_ms" bigint, "longest_ms" bigint)) AS n ON CONFLICT ("start_key") DO NOTHING;
-- "[{"start_key":"key-1","run_id":"id-1","longest_ms":3},{"start_key":"key-2","run_id":"id-2","longest_ms":6}]"

-- engine/start-keys.sql.ts lockKeys
SELECT start_key, run_id, CASE WHEN expires_at <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired,
    latest_at
  FROM "durable_start_keys"  WHERE start_key = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) ORDER BY start_key FOR UPDATE;
-- 2
-- "{"keys-1","keys-2"}"
-- 1
-- 1

-- engine/start-keys.sql.ts takeKeys
UPDATE "durable_start_keys" AS k SET run_id = n.run_id, expires_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.window_ms, latest_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.longest_ms FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("start_key" text, "run_id" text, "window_ms" bigint, "longest_ms" bigint)) AS n WHERE k.start_key = n.start_key;
-- "[{"start_key":"key-1","run_id":"id-1","longest_ms":3},{"start_key":"key-2","run_id":"id-2","longest_ms":6}]"

-- engine/start-keys.sql.ts selectOpen
SELECT id FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status NOT IN ($5, $6, $7, $8);
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/start-keys.sql.ts lockUnbegun
SELECT id FROM "durable_runs" 
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/start-keys.sql.ts putOffStarts
UPDATE "durable_runs" AS r SET input = n.input, wake_at = LEAST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, COALESCE(n.latest_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms)), deadline = LEAST(CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, COALESCE(n.latest_at, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms)) + n.timeout_ms, timeout_ms = n.timeout_ms FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "latest_at" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint)) AS n WHERE r.id = n.run_id;
-- "[{"run_id":"run_id-1","latest_at":5,"input":"input-1","delay_ms":1,"timeout_ms":2},{"run_id":"run_id-2","latest_at":10,"input":"input-2","delay_ms":6,"timeout_ms":7}]"

-- engine/starts.sql.ts insertChildren
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1","targets":"[\\"6\\",\\"7\\"]"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2","targets":"[\\"18\\",\\"19\\"]"}]"

-- engine/starts.sql.ts insertChildren, children[].after = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts.sql.ts insertChildren, children[].context = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts.sql.ts insertChildren, children[].turn = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts.sql.ts insertChildren, the least
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts.sql.ts insertChildren, the least, children[].after = readonly string[]
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts.sql.ts insertChildren, the least, children[].context = string
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts.sql.ts insertChildren, the least, children[].turn = number
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint)) AS n ON CONFLICT ("id") DO NOTHING;

-- engine/starts.sql.ts selectBelonging
SELECT id, parent_id, parent_seq FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/starts.sql.ts selectLastTurns
SELECT t.nth, 
    (SELECT o.turn FROM "durable_runs" AS o WHERE o.limiter = t."limiter" AND o.turn >= t."first" AND o.turn < t."end"
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM "durable_runs" AS h
      WHERE h.namespace = t."namespace" AND h.workflow = t."workflow" AND h.version = t."version"
        AND h.turn >= t."first" AND h.turn < t."end"
      ORDER BY h.turn LIMIT 1) AS head_turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("nth" bigint, "namespace" text, "workflow" text, "version" bigint, "limiter" text, "first" bigint, "end" bigint)) AS t CROSS JOIN generate_series(1, CAST($2 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($3 AS integer)) AS again;
-- "[{"nth":1,"namespace":"namespace-1","workflow":"workflow-1","version":2,"limiter":"limiter-1","first":3,"end":4},{"nth":5,"namespace":"namespace-2","workflow":"workflow-2","version":6,"limiter":"limiter-2","first":7,"end":8}]"
-- 1
-- 1

-- engine/starts.sql.ts selectForkable
SELECT seq, kind, name, settled, CASE WHEN kind = 'signal' AND settled IS NULL THEN output END AS output
  FROM "durable_steps"  WHERE run_id = $1;
-- "runId"

-- engine/starts.sql.ts selectMark
SELECT 1 AS found FROM "durable_erasures" WHERE run_id = $1 LIMIT 1;
-- "runId"

-- engine/starts.sql.ts rebegin
UPDATE "durable_runs"
  SET status = 'pending', input = COALESCE($1, input), version = COALESCE($2, version),
    context = COALESCE($3, context),
    epoch = epoch + 1, first_seq = $4, created_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), continued_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + 1, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint),
    deadline = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + timeout_ms, started_at = NULL, finished_at = NULL, output = NULL, error = NULL, closing = NULL,
    reason = NULL, reason_detail = NULL, resume = NULL, custom_status = NULL, owner = NULL, turn = NULL,
    forked_from = NULL, forked_seq = NULL, settled = 0, crashes = 0, crashed = NULL, unwinds = 0, blockers = 0,
    precondition = CASE WHEN limiter IS NULL THEN NULL ELSE 'limiter' END
  WHERE id = $5;
-- "input"
-- 1
-- "context"
-- 2
-- "id"

-- engine/starts.sql.ts insertFork
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, targets, context, input, status, epoch, settled, crashes, wake_at, deadline, created_at,
    notifies, precondition, forked_from, forked_seq)
  SELECT $1, namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, targets, COALESCE($2, o.context), COALESCE($3, o.input), 'pending', 1, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + o.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint),
    CASE WHEN o.limiter IS NULL THEN 0 ELSE 4 END,
    CASE WHEN o.limiter IS NULL THEN NULL ELSE 'limiter' END, $4, 1
  FROM "durable_runs" AS o WHERE o.id = $5 ON CONFLICT ("id") DO NOTHING;
-- "id"
-- "context"
-- "input"
-- "source"
-- "source"

-- engine/starts.sql.ts selectFork
SELECT forked_from, forked_seq FROM "durable_runs" WHERE id = $1;
-- "id"

-- engine/starts.sql.ts copySteps
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
  SELECT $1, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM "durable_steps" AS s
  WHERE s.run_id = $2 AND s.seq >= 0 AND s.seq < $3 AND NOT (s.kind = 'signal' AND s.settled IS NULL);
-- "id"
-- "source"
-- 1

-- engine/starts.sql.ts copyNotes
INSERT INTO "durable_step_attempts" (run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error)
  SELECT $1, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM "durable_step_attempts" AS a
  WHERE a.run_id = $2 AND a.seq >= 0 AND a.seq < $3;
INSERT INTO "durable_run_attributes" (run_id, name, namespace, type, text_value, number_value)
  SELECT $1, name, namespace, type, text_value, number_value FROM "durable_run_attributes" AS a WHERE a.run_id = $2;
-- "id"
-- "source"
-- 1
-- "id"
-- "source"

-- engine/story.sql.ts selectStoryMoments
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM "durable_steps" AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM "durable_steps" AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM "durable_step_attempts" AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($12 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($13 AS integer)) AS again) AS k)) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM "durable_signals" AS g JOIN f ON f.run_id = g.target WHERE g.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($14 AS integer)]) ELSE a END FROM (SELECT CAST($15 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($16 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($17 AS integer)) AS again) AS k)) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM (SELECT * FROM json_to_recordset(CAST($18 AS json)) AS listed("run" bigint, "channel" text, "position" bigint)) AS t
  JOIN "durable_signals" AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($19 AS integer)]) ELSE a END FROM (SELECT CAST($20 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($21 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($22 AS integer)) AS again) AS k))
    AND g.position = ANY (CAST($23 AS bigint[])) AND g.addressed <> 'run') AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST($24 AS bigint), CAST($25 AS bigint), CAST($26 AS bigint), CAST($27 AS bigint), CAST($28 AS bigint))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;
-- "[{"run_id":"runIds-1","run":0},{"run_id":"runIds-2","run":1}]"
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1
-- "[{"run":6,"channel":"channel-1","position":7},{"run":8,"channel":"channel-2","position":9}]"
-- 2
-- "{"channel-1","channel-2"}"
-- 1
-- 1
-- "{7,9}"
-- 1
-- 2
-- 3
-- 4
-- "0"

-- engine/story.sql.ts selectStoryMoments, 2.past = undefined
WITH f AS (SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "run" bigint)) AS listed)
  SELECT m.* FROM (SELECT s.created_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 4 AS what, 0 AS item
    FROM "durable_steps" AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND s.seq > -900000000  UNION ALL SELECT s.finished_at AS moment, f.run, CASE WHEN s.seq >= 0 THEN s.seq ELSE 2000000000 + s.seq END AS stage, 6 AS what, 0 AS item
    FROM "durable_steps" AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($6 AS integer)]) ELSE a END FROM (SELECT CAST($7 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($8 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($9 AS integer)) AS again) AS k)) AND s.seq > -900000000 AND s.finished_at IS NOT NULL AND s.kind <> 'marker' UNION ALL SELECT COALESCE(a.finished_at, a.started_at, a.asked_at) AS moment, f.run, CASE WHEN a.seq >= 0 THEN a.seq ELSE 2000000000 + a.seq END AS stage, 5 AS what, a.attempt AS item
    FROM "durable_step_attempts" AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($10 AS integer)]) ELSE a END FROM (SELECT CAST($11 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($12 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($13 AS integer)) AS again) AS k)) AND COALESCE(a.finished_at, a.started_at, a.asked_at) IS NOT NULL UNION ALL SELECT g.created_at AS moment, f.run, -1 AS stage, 7 AS what, g.id AS item
    FROM "durable_signals" AS g JOIN f ON f.run_id = g.target WHERE g.target = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($14 AS integer)]) ELSE a END FROM (SELECT CAST($15 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($16 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($17 AS integer)) AS again) AS k)) AND g.addressed = 'run' UNION ALL 
  SELECT g.created_at AS moment, t.run, -1 AS stage, 7 AS what, g.id AS item
  FROM (SELECT * FROM json_to_recordset(CAST($18 AS json)) AS listed("run" bigint, "channel" text, "position" bigint)) AS t
  JOIN "durable_signals" AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($19 AS integer)]) ELSE a END FROM (SELECT CAST($20 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($21 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($22 AS integer)) AS again) AS k))
    AND g.position = ANY (CAST($23 AS bigint[])) AND g.addressed <> 'run') AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- engine/story.sql.ts selectStoryRuns
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM "durable_steps" AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM "durable_step_attempts" AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM "durable_runs" AS b WHERE b.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k))) AS r ORDER BY r.id;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/story.sql.ts selectStoryChildren
SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM "durable_steps" AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM "durable_step_attempts" AS a WHERE a.run_id = r.id), 0)) END AS blocked_at
  FROM (SELECT b.id, b.namespace, b.schedule_id, b.created_at, b.started_at, b.finished_at, b.erased_at, b.status, b.reason FROM "durable_runs" AS b WHERE b.parent_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND b.namespace = $5 ORDER BY b.id LIMIT 1) AS r ORDER BY r.id;
-- 2
-- "{"parentIds-1","parentIds-2"}"
-- 1
-- 1
-- "namespace"

-- engine/story.sql.ts selectTakenRefs
SELECT s.run_id, s.ref FROM "durable_steps" AS s
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND s.kind = 'signal' AND s.ref IS NOT NULL
  ORDER BY s.run_id, s.seq LIMIT 10000;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/story.sql.ts selectStorySteps
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, s.output AS output FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_steps" AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND s.seq >= 1 AND s.seq <= 2;
-- "[{"of_run":"runId-1","at_seq":1},{"of_run":"runId-2","at_seq":2}]"
-- 2
-- "{"runId-1","runId-2"}"
-- 1
-- 1

-- engine/story.sql.ts selectStorySteps, keys[] = 1
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, s.output AS output FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_steps" AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND s.seq >= 1 AND s.seq <= 1;

-- engine/story.sql.ts selectStorySteps, payloads = false
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, CASE WHEN (s.kind = 'marker' AND s.ref = 'publish') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END AS output FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_steps" AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND s.seq >= 1 AND s.seq <= 2;

-- engine/story.sql.ts selectStorySteps, the least
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, CASE WHEN (s.kind = 'marker' AND s.ref = 'publish') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END AS output FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_steps" AS s ON s.run_id = k.of_run AND s.seq = k.at_seq
  WHERE s.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND s.seq >= 1 AND s.seq <= 1;

-- engine/story.sql.ts selectStoryAttempts
SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_step_attempts" AS a ON a.run_id = k.of_run AND a.seq = k.at_seq
  WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND a.seq >= 1 AND a.seq <= 2;
-- "[{"of_run":"runId-1","at_seq":1},{"of_run":"runId-2","at_seq":2}]"
-- 2
-- "{"runId-1","runId-2"}"
-- 1
-- 1

-- engine/story.sql.ts selectStoryAttempts, keys[] = 1
SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("of_run" text, "at_seq" bigint)) AS k
  JOIN "durable_step_attempts" AS a ON a.run_id = k.of_run AND a.seq = k.at_seq
  WHERE a.run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k))
    AND a.seq >= 1 AND a.seq <= 1;

-- engine/story.sql.ts selectStorySignals
SELECT g.id, g.name, g.addressed, g.target, g.payload AS payload FROM "durable_signals" AS g
  WHERE g.id = ANY (CAST($1 AS bigint[]));
-- "{1,2}"

-- engine/story.sql.ts selectStorySignals, payloads = false
SELECT g.id, g.name, g.addressed, g.target, NULL AS payload FROM "durable_signals" AS g
  WHERE g.id = ANY (CAST($1 AS bigint[]));

-- engine/tables.sql.ts insertRuns
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text, "targets" text)) AS n;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1","targets":"[\\"6\\",\\"7\\"]"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2","targets":"[\\"18\\",\\"19\\"]"}]"

-- engine/tables.sql.ts insertRuns, runs[].after = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text)) AS n;

-- engine/tables.sql.ts insertRuns, runs[].context = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "targets" text)) AS n;

-- engine/tables.sql.ts insertRuns, runs[].turn = undefined
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text, "targets" text)) AS n;

-- engine/tables.sql.ts insertRuns, the least
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n;

-- engine/tables.sql.ts insertRuns, the least, runs[].after = readonly string[]
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "targets" text)) AS n;

-- engine/tables.sql.ts insertRuns, the least, runs[].context = string
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text)) AS n;

-- engine/tables.sql.ts insertRuns, the least, runs[].turn = number
INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint)) AS n;

-- engine/tables.sql.ts createRuns
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.*, ("notification") AS told FROM created;
-- "[{"id":"id-1","namespace":"namespace-1","workflow":"workflow-1","version":1,"priority":2,"input":"input-1","delay_ms":3,"timeout_ms":4,"parent_id":"id-1","parent_seq":5,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-1","limits":"{\\"limiter\\":\\"limiter-1\\",\\"namespace\\":\\"namespace-1\\",\\"name\\":\\"name-1\\",\\"key\\":\\"key-1\\",\\"limits\\":{\\"concurrency\\":8,\\"rate\\":{\\"max\\":9,\\"durationMs\\":10}}}","schedule_id":"scheduleId-1","turn":12,"context":"context-1","targets":"[\\"6\\",\\"7\\"]"},{"id":"id-2","namespace":"namespace-2","workflow":"workflow-2","version":13,"priority":14,"input":"input-2","delay_ms":15,"timeout_ms":16,"parent_id":"id-2","parent_seq":17,"parent_close":"abandon","notifies":5,"precondition":"after","limiter":"limiter-2","limits":"{\\"limiter\\":\\"limiter-2\\",\\"namespace\\":\\"namespace-2\\",\\"name\\":\\"name-2\\",\\"key\\":\\"key-2\\",\\"limits\\":{\\"concurrency\\":20,\\"rate\\":{\\"max\\":21,\\"durationMs\\":22}}}","schedule_id":"scheduleId-2","turn":24,"context":"context-2","targets":"[\\"18\\",\\"19\\"]"}]"

-- engine/tables.sql.ts createRuns, notification = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.* FROM created;

-- engine/tables.sql.ts createRuns, runs[].after = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables.sql.ts createRuns, runs[].context = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables.sql.ts createRuns, runs[].turn = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables.sql.ts createRuns, waits = undefined
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn, context, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn, n.context, n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint, "context" text, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables.sql.ts createRuns, the least
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.* FROM created;

-- engine/tables.sql.ts createRuns, the least, notification = Statement
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.*, ("notification") AS told FROM created;

-- engine/tables.sql.ts createRuns, the least, runs[].after = readonly string[]
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, targets)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.targets
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "targets" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.* FROM created;

-- engine/tables.sql.ts createRuns, the least, runs[].context = string
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, context)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.context
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "context" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.* FROM created;

-- engine/tables.sql.ts createRuns, the least, runs[].turn = number
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at, turn)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CASE WHEN n.turn IS NULL THEN CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms ELSE CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.timeout_ms END, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), n.turn
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text, "turn" bigint)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at)
  SELECT created.* FROM created;

-- engine/tables.sql.ts createRuns, the least, waits = Statement
WITH created AS (
  INSERT INTO "durable_runs" (id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at)
  SELECT id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id, 'pending', 0, 0, 0, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) + n.delay_ms + n.timeout_ms, n.timeout_ms, CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "namespace" text, "workflow" text, "version" bigint, "priority" bigint, "input" text, "delay_ms" bigint, "timeout_ms" bigint, "parent_id" text, "parent_seq" bigint, "parent_close" text, "notifies" bigint, "precondition" text, "limiter" text, "limits" text, "schedule_id" text)) AS n ON CONFLICT ("id") DO NOTHING RETURNING id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at), waiting AS ("waits")
  SELECT created.* FROM created;

-- engine/tables.sql.ts selectRuns
SELECT "columns" FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/tables.sql.ts selectContexts
SELECT id, context FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND context IS NOT NULL;
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/tables.sql.ts selectRunsLatest
SELECT id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at FROM "durable_runs"  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/tables.sql.ts selectOwned
SELECT id, epoch FROM "durable_runs" WHERE owner = $1;
-- "nodeId"

-- engine/tables.sql.ts selectClaims
SELECT id, epoch, owner FROM "durable_runs" WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"1","2"}"
-- 1
-- 1

-- engine/tables.sql.ts ownedBy
NULLIF(alias.owner, '') = $1;
-- "owner"

-- engine/tables.sql.ts freeClaims
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = 'suspended', wake_at = CASE WHEN r.closing IS NULL THEN r.deadline END, reason = $1, reason_detail = $2, crashes = r.crashes + 1, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($3 AS json)) AS listed("id" text, "epoch" bigint, "owner" text)) AS c WHERE r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner;
-- "exhausted"
-- "detail"
-- "[{"id":"runId-1","epoch":1,"owner":"owner-1"},{"id":"runId-2","epoch":2,"owner":"owner-2"}]"

-- engine/tables.sql.ts freeClaims, crashed = false
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = 'suspended', wake_at = CASE WHEN r.closing IS NULL THEN r.deadline END, reason = $1, reason_detail = $2, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($3 AS json)) AS listed("id" text, "epoch" bigint, "owner" text)) AS c WHERE r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner;

-- engine/tables.sql.ts freeClaims, standstill = undefined
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = r.crashes + 1, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "owner" text)) AS c WHERE r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner;

-- engine/tables.sql.ts freeClaims, the least
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "epoch" bigint, "owner" text)) AS c WHERE r.id = c.id AND r.epoch = c.epoch AND NULLIF(r.owner, '') = c.owner;

-- engine/tables.sql.ts freeRun
UPDATE "durable_runs" AS r SET owner = NULL, epoch = r.epoch + 1, status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id) WHERE r.id = $1;
-- "runId"

-- engine/tables.sql.ts freeRuns
UPDATE "durable_runs" AS r  SET owner = NULL, epoch = r.epoch + 1, status = CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END, wake_at = CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint), crashes = r.crashes + CASE WHEN position($1 IN COALESCE(r.crashed, '')) > 0 THEN 0 ELSE 1 END, crashed = CASE WHEN position($2 IN COALESCE(r.crashed, '')) > 0 THEN r.crashed
      ELSE CONCAT(COALESCE(r.crashed, ''), CAST($3 AS text)) END, settled = (SELECT COALESCE(MAX(s.settled), 0) FROM "durable_steps" AS s WHERE s.run_id = r.id)
  WHERE r.id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($4 AS integer)]) ELSE a END FROM (SELECT CAST($5 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($6 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($7 AS integer)) AS again) AS k)) AND NULLIF(r.owner, '') = $8;
-- "[owner]"
-- "[owner]"
-- "[owner]"
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "owner"

-- engine/tables.sql.ts withdrawEnded
UPDATE "durable_runs"  SET crashes = GREATEST(crashes - 1, 0), crashed = NULLIF(REPLACE(crashed, $1, ''), '')
  WHERE id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($2 AS integer)]) ELSE a END FROM (SELECT CAST($3 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($4 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($5 AS integer)) AS again) AS k)) AND crashed IS NOT NULL AND position($6 IN crashed) > 0;
-- "[owner]"
-- 2
-- "{"1","2"}"
-- 1
-- 1
-- "[owner]"

-- engine/tables.sql.ts lockOrphans
SELECT id FROM "durable_runs" WHERE owner = $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- "owner"

-- engine/tables.sql.ts upsertSteps
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1;
-- "[{"run_id":"runId-1","seq":1,"kind":"child","name":"name-1","status":"answered","attempt":2,"failures":3,"deferrals":4,"settled":5,"output":"output-1","error":"error-1","ref":"ref-1","wake_at":6,"created_at":7,"asked_at":8,"started_at":9,"finished_at":10,"worker":"worker-1","input":"input-1"},{"run_id":"runId-2","seq":11,"kind":"child","name":"name-2","status":"answered","attempt":12,"failures":13,"deferrals":14,"settled":15,"output":"output-2","error":"error-2","ref":"ref-2","wake_at":16,"created_at":17,"asked_at":18,"started_at":19,"finished_at":20,"worker":"worker-2","input":"input-2"}]"

-- engine/tables.sql.ts upsertSteps, 3.as = "values"
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS text), CAST($4 AS text), CAST($5 AS text), CAST($6 AS bigint), CAST($7 AS bigint), CAST($8 AS bigint), CAST($9 AS bigint), CAST($10 AS text), CAST($11 AS text), CAST($12 AS text), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint), CAST($16 AS bigint), CAST($17 AS bigint), CAST($18 AS text), CAST($19 AS text)), (CAST($20 AS text), CAST($21 AS bigint), CAST($22 AS text), CAST($23 AS text), CAST($24 AS text), CAST($25 AS bigint), CAST($26 AS bigint), CAST($27 AS bigint), CAST($28 AS bigint), CAST($29 AS text), CAST($30 AS text), CAST($31 AS text), CAST($32 AS bigint), CAST($33 AS bigint), CAST($34 AS bigint), CAST($35 AS bigint), CAST($36 AS bigint), CAST($37 AS text), CAST($38 AS text))) AS listed("run_id", "seq", "kind", "name", "status", "attempt", "failures", "deferrals", "settled", "output", "error", "ref", "wake_at", "created_at", "asked_at", "started_at", "finished_at", "worker", "input")) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1;

-- engine/tables.sql.ts upsertSteps, 3.held = undefined
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", old.input) WHERE old.settled IS NULL RETURNING 1;

-- engine/tables.sql.ts upsertSteps, 3.once = false
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", "durable_steps".input);

-- engine/tables.sql.ts upsertSteps, steps[].input = undefined
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker" WHERE old.settled IS NULL RETURNING 1;

-- engine/tables.sql.ts upsertSteps, the least
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker";

-- engine/tables.sql.ts upsertSteps, the least, 3.as = "values"
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM (VALUES (CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS text), CAST($4 AS text), CAST($5 AS text), CAST($6 AS bigint), CAST($7 AS bigint), CAST($8 AS bigint), CAST($9 AS bigint), CAST($10 AS text), CAST($11 AS text), CAST($12 AS text), CAST($13 AS bigint), CAST($14 AS bigint), CAST($15 AS bigint), CAST($16 AS bigint), CAST($17 AS bigint), CAST($18 AS text))) AS listed("run_id", "seq", "kind", "name", "status", "attempt", "failures", "deferrals", "settled", "output", "error", "ref", "wake_at", "created_at", "asked_at", "started_at", "finished_at", "worker")) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker";

-- engine/tables.sql.ts upsertSteps, the least, 3.held = Statement
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i "held" WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker";

-- engine/tables.sql.ts upsertSteps, the least, 3.once = true
INSERT INTO "durable_steps" AS old (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text)) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker" WHERE old.settled IS NULL RETURNING 1;

-- engine/tables.sql.ts upsertSteps, the least, steps[].input = string
INSERT INTO "durable_steps" (run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input)
    SELECT i.run_id, i.seq, i.kind, i.name, i.status, i.attempt, i.failures, i.deferrals, i.settled, i.output, i.error, i.ref, i.wake_at, i.created_at, i.asked_at, i.started_at, i.finished_at, i.worker, i.input FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "kind" text, "name" text, "status" text, "attempt" bigint, "failures" bigint, "deferrals" bigint, "settled" bigint, "output" text, "error" text, "ref" text, "wake_at" bigint, "created_at" bigint, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "input" text)) AS i  WHERE true
    ON CONFLICT ("run_id", "seq") DO UPDATE SET "status" = EXCLUDED."status", "attempt" = EXCLUDED."attempt", "failures" = EXCLUDED."failures", "deferrals" = EXCLUDED."deferrals", "settled" = EXCLUDED."settled", "output" = EXCLUDED."output", "error" = EXCLUDED."error", "ref" = EXCLUDED."ref", "wake_at" = EXCLUDED."wake_at", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", input = COALESCE(EXCLUDED."input", "durable_steps".input);

-- engine/tables.sql.ts selectHistories
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/tables.sql.ts selectWholeHistory
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker, input FROM "durable_steps" WHERE run_id = $1;
-- "runId"

-- engine/tables.sql.ts selectStep
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps" WHERE run_id = $1 AND seq = $2;
-- "runId"
-- 1

-- engine/tables.sql.ts selectRecorded
SELECT s.run_id, s.seq, s.attempt, s.asked_at, s.settled FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint)) AS p
    JOIN "durable_steps" AS s ON s.run_id = p.run_id AND s.seq = p.seq;
-- "[{"run_id":"runId-1","seq":1},{"run_id":"runId-2","seq":2}]"

-- engine/tables.sql.ts deleteHistories
DELETE FROM "durable_steps" WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k));
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/tables.sql.ts selectAnswerable
SELECT run_id, seq, kind, name, status, attempt, failures, deferrals, settled, output, error, ref, wake_at, created_at, asked_at, started_at, finished_at, worker FROM "durable_steps"
  WHERE run_id = ANY (ARRAY(SELECT k.key FROM (SELECT listed.key FROM (SELECT * FROM unnest((SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST($1 AS integer)]) ELSE a END FROM (SELECT CAST($2 AS text[]) AS a) AS given)) AS listed("key")) AS listed CROSS JOIN generate_series(1, CAST($3 AS integer)) AS planned CROSS JOIN generate_series(1, CAST($4 AS integer)) AS again) AS k)) AND kind IN ('remote', 'child', 'signal') AND settled IS NULL;
-- 2
-- "{"runIds-1","runIds-2"}"
-- 1
-- 1

-- engine/tables.sql.ts upsertAttributes
INSERT INTO "durable_run_attributes" (run_id, name, namespace, type, text_value, number_value)
  SELECT a.run_id, a.name, r.namespace, a.type, a.text_value, CAST(a.number_value AS double precision)
  FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "name" text, "type" text, "text_value" text, "number_value" text)) AS a JOIN "durable_runs" AS r ON r.id = a.run_id
  WHERE true ON CONFLICT ("run_id", "name") DO UPDATE SET "type" = EXCLUDED."type", "text_value" = EXCLUDED."text_value", "number_value" = EXCLUDED."number_value";
-- "[{"run_id":"runId-1","name":"name-1","type":"date","text_value":null,"number_value":"1"},{"run_id":"runId-2","name":"name-2","type":"date","text_value":null,"number_value":"2"}]"

-- engine/tables.sql.ts deleteAttributes
DELETE FROM "durable_run_attributes" AS a USING (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "name" text)) AS d WHERE a.run_id = d.run_id AND a.name = d.name;
-- "[{"run_id":"runId-1","name":"name-1"},{"run_id":"runId-2","name":"name-2"}]"

-- engine/tables.sql.ts upsertAttempts
INSERT INTO "durable_step_attempts" (run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error)
  SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("run_id" text, "seq" bigint, "attempt" bigint, "outcome" text, "asked_at" bigint, "started_at" bigint, "finished_at" bigint, "worker" text, "error" text)) AS a WHERE true ON CONFLICT ("run_id", "seq", "attempt") DO UPDATE SET "outcome" = EXCLUDED."outcome", "asked_at" = EXCLUDED."asked_at", "started_at" = EXCLUDED."started_at", "finished_at" = EXCLUDED."finished_at", "worker" = EXCLUDED."worker", "error" = EXCLUDED."error";
-- "[{"seq":1,"attempt":2,"outcome":"deferred","worker":"worker-1","error":"error-1","run_id":"runId-1","asked_at":3,"started_at":4,"finished_at":5},{"seq":6,"attempt":7,"outcome":"deferred","worker":"worker-2","error":"error-2","run_id":"runId-2","asked_at":8,"started_at":9,"finished_at":10}]"

-- engine/tables.sql.ts deleteLine
DELETE FROM "durable_step_logs" WHERE run_id = $1 AND logged_at = $2 AND message = $3;
-- "runId"
-- 3
-- "message"

-- engine/tables.sql.ts setCustomStatus
UPDATE "durable_runs" AS r SET custom_status = n.status FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS listed("id" text, "status" text)) AS n WHERE r.id = n.id;
-- "[{"id":"id-1","status":"status-1"},{"id":"id-2","status":"status-2"}]"

-- engine/unfinished.sql.ts selectEndOfScan
SELECT s.id FROM "durable_runs" AS s WHERE s.id > $1 ORDER BY s.id LIMIT 1 OFFSET 0;
-- "afterId"

-- engine/unfinished.sql.ts selectUnfinished
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r
  WHERE r.id > $1 AND r.id <= $2
    AND r.namespace = $3 AND r.status NOT IN ($4, $5, $6, $7) ORDER BY r.id;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/unfinished.sql.ts selectUnfinished, end = undefined
SELECT r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, r.first_seq, r.context, r.resume, r.forked_seq, COALESCE(r.continued_at, r.created_at) AS since FROM "durable_runs" AS r
  WHERE r.id > $1 
    AND r.namespace = $2 AND r.status NOT IN ($3, $4, $5, $6) ORDER BY r.id;

-- engine/unfinished.sql.ts countUnfinished
SELECT r.workflow, r.version, count(*) AS runs FROM "durable_runs" AS r
  WHERE r.id > $1 AND r.id <= $2
    AND r.namespace = $3 AND r.status NOT IN ($4, $5, $6, $7) GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version;
-- "afterId"
-- "end"
-- "namespace"
-- "completed"
-- "failed"
-- "cancelled"
-- "compensation_failed"

-- engine/unfinished.sql.ts countUnfinished, end = undefined
SELECT r.workflow, r.version, count(*) AS runs FROM "durable_runs" AS r
  WHERE r.id > $1 
    AND r.namespace = $2 AND r.status NOT IN ($3, $4, $5, $6) GROUP BY r.workflow, r.version ORDER BY r.workflow, r.version;

-- engine/unfinished.sql.ts selectOverdue
SELECT f.workflow, f.version, min(f.since) AS since
  FROM (
  (WITH RECURSIVE "by_wake_at" AS (
    SELECT o.workflow, o.version, o.since FROM (
      SELECT r.workflow, r.version, r.wake_at AS since FROM "durable_runs" AS r
      WHERE r.namespace = $1 AND r."wake_at" IS NOT NULL 
      ORDER BY r.workflow, r.version, r."wake_at" LIMIT 1) AS o
    UNION ALL
    SELECT o.workflow, o.version, o.since FROM "by_wake_at" AS f
    CROSS JOIN LATERAL (
      SELECT r.workflow, r.version, r.wake_at AS since FROM "durable_runs" AS r
      WHERE r.namespace = $2 AND r."wake_at" IS NOT NULL AND (r.workflow, r.version) > (f.workflow, f.version)
      ORDER BY r.workflow, r.version, r."wake_at" LIMIT 1) AS o
  ) SELECT workflow, version, since FROM "by_wake_at") UNION ALL 
  (WITH RECURSIVE "by_turn" AS (
    SELECT o.workflow, o.version, o.since FROM (
      SELECT r.workflow, r.version, r.created_at AS since FROM "durable_runs" AS r
      WHERE r.namespace = $3 AND r."turn" IS NOT NULL 
      ORDER BY r.workflow, r.version, r."turn" LIMIT 1) AS o
    UNION ALL
    SELECT o.workflow, o.version, o.since FROM "by_turn" AS f
    CROSS JOIN LATERAL (
      SELECT r.workflow, r.version, r.created_at AS since FROM "durable_runs" AS r
      WHERE r.namespace = $4 AND r."turn" IS NOT NULL AND (r.workflow, r.version) > (f.workflow, f.version)
      ORDER BY r.workflow, r.version, r."turn" LIMIT 1) AS o
  ) SELECT workflow, version, since FROM "by_turn")) AS f
  WHERE f.since <= CAST(floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS bigint) - 1
  GROUP BY f.workflow, f.version;
-- "namespace"
-- "namespace"
-- "namespace"
-- "namespace"
