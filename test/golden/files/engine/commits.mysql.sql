-- engine/commits/claim.sql.ts selectClaimable
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
-- "namespace"
-- "name-1"
-- 1
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "namespace"
-- "name-1"
-- "namespace"
-- "name-2"
-- 2
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "namespace"
-- "name-2"
-- "nodeId"

-- engine/commits/claim.sql.ts selectClaimable, request.which = "due"
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

-- engine/commits/claim.sql.ts selectClaimable, request.which = "suspect"
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

-- engine/commits/claim.sql.ts selectClaimable, request.workflows[] = 1
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/commits/claim.sql.ts selectClaimable, the least
(SELECT 'due' AS kind FROM ((SELECT 1 AS found FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 1 )) AS p
    WHERE EXISTS (SELECT 1 FROM `durable_nodes` AS n WHERE n.id = ? AND n.expires_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 1);

-- engine/commits/claim.sql.ts selectClaimable, the least, request.which = "due"
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

-- engine/commits/claim.sql.ts lockClaimable
(SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
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
-- "namespace"
-- "name-1"
-- "namespace"
-- "name-2"
-- 2
-- "non_determinism"
-- "programming_error"
-- "write_refused"
-- "afterId"
-- "namespace"
-- "name-2"

-- engine/commits/claim.sql.ts lockClaimable, request.which = "due"
(SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.wake_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 4 AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.wake_at >= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - 4 AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/commits/claim.sql.ts lockClaimable, request.which = "suspect"
(SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/commits/claim.sql.ts lockClaimable, request.workflows[] = 1
(SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_blocked`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (?, ?, ?) AND r.id > ? AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.id LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/commits/claim.sql.ts lockClaimable, the least
(SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes >= 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/commits/claim.sql.ts lockClaimable, the least, request.which = "due"
(SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_due`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.wake_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AND r.crashes < 3 AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.wake_at LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/commits/claim.sql.ts lockInTurn
(SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.turn LIMIT 2 FOR UPDATE SKIP LOCKED) UNION ALL (SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
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

-- engine/commits/claim.sql.ts lockInTurn, request.workflows[] = 1
(SELECT id, workflow, version, context, input, crashes, deadline, closing, error, notifies, unwinds, precondition, first_seq, resume, forked_seq, schedule_id, epoch + 1 AS epoch, COALESCE(continued_at, created_at) AS since FROM `durable_runs` AS r FORCE INDEX (`durable_runs_turn`)
      WHERE r.namespace = ? AND r.workflow = ? AND r.version = ?
        AND r.owner IS NULL AND r.turn IS NOT NULL AND r.status = 'pending' AND 
  (SELECT count(*) FROM `durable_holds` AS h
    WHERE h.namespace = ? AND h.kind = 'workflow' AND h.name = ?
      AND (until_at IS NULL OR until_at > CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))) = 0
      ORDER BY r.turn LIMIT 2 FOR UPDATE SKIP LOCKED);

-- engine/commits/claim.sql.ts stampClaimed
UPDATE `durable_runs` SET 
  owner = ?, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) END WHERE id `among`;
-- "nodeId"

-- engine/commits/commit.sql.ts lockFenced
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE OF r;
-- "[{"id":"runId-1","known_seq":31,"known":32},{"id":"runId-2","known_seq":137,"known":138}]"
-- 2
-- "[{"id":"runId-1","epoch":1,"known_seq":29,"known":30},{"id":"runId-2","epoch":107,"known_seq":135,"known":136}]"
-- "owner-1"

-- engine/commits/commit.sql.ts lockFenced, writes[].known = undefined
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE OF r;

-- engine/commits/commit.sql.ts lockFenced, writes[].once = undefined
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE OF r;

-- engine/commits/commit.sql.ts lockFenced, writes[].owner = undefined
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE OF r;

-- engine/commits/commit.sql.ts lockFenced, the least
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE OF r;

-- engine/commits/commit.sql.ts lockFenced, the least, writes[].once = true
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE OF r;

-- engine/commits/commit.sql.ts lockFenced, the least, writes[].owner = string
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE OF r;

-- engine/commits/commit.sql.ts lockRuns
SELECT id, epoch, owner, notifies FROM `durable_runs` WHERE id IN (?, ?) ORDER BY id FOR UPDATE;
-- "1"
-- "2"

-- engine/commits/commit.sql.ts lockRuns, ids[] = 1
SELECT id, epoch, owner, notifies FROM `durable_runs` WHERE id IN (?) ORDER BY id FOR UPDATE;

-- engine/commits/commit.sql.ts changeRuns
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `status` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.status' NULL ON EMPTY ERROR ON ERROR, `final` bigint PATH '$.final' NULL ON EMPTY ERROR ON ERROR, `closing` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.closing' NULL ON EMPTY ERROR ON ERROR, `reason` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.reason' NULL ON EMPTY ERROR ON ERROR, `reason_detail` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.reason_detail' NULL ON EMPTY ERROR ON ERROR, `output` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.output' NULL ON EMPTY ERROR ON ERROR, `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.error' NULL ON EMPTY ERROR ON ERROR, `input` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.input' NULL ON EMPTY ERROR ON ERROR, `context` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.context' NULL ON EMPTY ERROR ON ERROR, `resume` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.resume' NULL ON EMPTY ERROR ON ERROR, `wake_at` bigint PATH '$.wake_at' NULL ON EMPTY ERROR ON ERROR, `first_seq` bigint PATH '$.first_seq' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR, `cleared` bigint PATH '$.cleared' NULL ON EMPTY ERROR ON ERROR, `unwinds` bigint PATH '$.unwinds' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w ON r.id = w.id SET r.owner = CASE WHEN w.status IS NULL THEN r.owner END, r.wake_at = CASE WHEN w.wake_at = 0 THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) ELSE w.wake_at END, r.settled = COALESCE(w.settled, r.settled), r.crashes = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END, r.unwinds = GREATEST(r.unwinds, w.unwinds), r.reason = w.reason, r.reason_detail = w.reason_detail, r.output = w.output, r.error = COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END), r.input = COALESCE(w.input, r.input), r.context = COALESCE(w.context, r.context), r.resume = COALESCE(w.resume, r.resume), r.first_seq = COALESCE(w.first_seq, r.first_seq), r.continued_at = CASE WHEN w.status = 'pending' THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + 1 ELSE r.continued_at END, r.finished_at = CASE WHEN w.final = 1 THEN CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) END, r.status = CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END, r.closing = CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END;
-- "[{"id":"runId-1","epoch":1,"known_seq":29,"known":30,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-1\\"}","resume":null},{"id":"runId-2","epoch":107,"known_seq":135,"known":136,"cleared":1,"unwinds":1,"status":"cancelled","final":1,"error":"{\\"message\\":\\"message-2\\"}","resume":null}]"

-- engine/commits/commit.sql.ts lockUnowned
SELECT id, status, reason, settled FROM `durable_runs`
  WHERE id IN (?, ?) AND namespace = ? AND owner IS NULL ORDER BY id FOR UPDATE;
-- "1"
-- "2"
-- "namespace"

-- engine/commits/commit.sql.ts lockUnowned, ids[] = 1
SELECT id, status, reason, settled FROM `durable_runs`
  WHERE id IN (?) AND namespace = ? AND owner IS NULL ORDER BY id FOR UPDATE;

-- engine/commits/commit.sql.ts wakeRuns
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR)) AS w ON r.id = w.id SET r.settled = w.settled, r.wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ELSE r.wake_at END RETURNING (`notification`) AS told;
-- "[{"id":"id-1","settled":1},{"id":"id-2","settled":2}]"

-- engine/commits/commit.sql.ts wakeRuns, notification = undefined
UPDATE `durable_runs` AS r JOIN JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `settled` bigint PATH '$.settled' NULL ON EMPTY ERROR ON ERROR)) AS w ON r.id = w.id SET r.settled = w.settled, r.wake_at = CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ELSE r.wake_at END;

-- engine/commits/known-steps.sql.ts standsIn
((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known))));
-- "[{"id":"runId-1","known_seq":31,"known":32},{"id":"runId-2","known_seq":137,"known":138}]"

-- engine/commits/known-steps.sql.ts standsIn, writes[].known = undefined
(w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known)));
