-- effects/claims.sql.ts uncountClaims
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET attempts = attempts - 1
  WHERE entry_id IN (?, ?) AND attempts > 0 AND ready IS NOT NULL;
-- "entryIds-1"
-- "entryIds-2"

-- effects/claims.sql.ts uncountClaims, entryIds[] = 1
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET attempts = attempts - 1
  WHERE entry_id IN (?) AND attempts > 0 AND ready IS NOT NULL;

-- effects/claims.sql.ts selectWaited
SELECT entry_id FROM `durable_effects` FORCE INDEX (`durable_effects_waiting`)
  WHERE ready = 0 AND next_attempt_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) ORDER BY next_attempt_at, entry_id LIMIT 1000;

-- effects/claims.sql.ts lockWaited
SELECT entry_id FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?, ?) AND ready = 0 AND next_attempt_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FOR UPDATE SKIP LOCKED;
-- "entryIds-1"
-- "entryIds-2"

-- effects/claims.sql.ts lockWaited, entryIds[] = 1
SELECT entry_id FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?) AND ready = 0 AND next_attempt_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FOR UPDATE SKIP LOCKED;

-- effects/claims.sql.ts promoteWaited
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET ready = 1 WHERE entry_id IN (?, ?);
-- "entryIds-1"
-- "entryIds-2"

-- effects/claims.sql.ts promoteWaited, entryIds[] = 1
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET ready = 1 WHERE entry_id IN (?);

-- effects/claims.sql.ts selectClaimable
SELECT 1 AS found FROM ((SELECT 1 AS found FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 1) UNION ALL (SELECT 1 AS found FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 1)) AS probes LIMIT 1;
-- "name-1"
-- "name-2"

-- effects/claims.sql.ts selectClaimable, request.handlers[] = 1
SELECT 1 AS found FROM ((SELECT 1 AS found FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 1)) AS probes LIMIT 1;

-- effects/claims.sql.ts lockClaimable
(
  SELECT entry_id, handler, enqueued_at, attempts, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `entry_id` AS found FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 30) AS f
  STRAIGHT_JOIN `durable_effects` FORCE INDEX (PRIMARY) ON `durable_effects`.`entry_id` = f.found
  WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 5 FOR UPDATE SKIP LOCKED) UNION ALL (
  SELECT entry_id, handler, enqueued_at, attempts, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `entry_id` AS found FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 30) AS f
  STRAIGHT_JOIN `durable_effects` FORCE INDEX (PRIMARY) ON `durable_effects`.`entry_id` = f.found
  WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 5 FOR UPDATE SKIP LOCKED);
-- "name-1"
-- "name-1"
-- "name-2"
-- "name-2"

-- effects/claims.sql.ts lockClaimable, request.handlers[] = 1
(
  SELECT entry_id, handler, enqueued_at, attempts, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (SELECT `entry_id` AS found FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 12) AS f
  STRAIGHT_JOIN `durable_effects` FORCE INDEX (PRIMARY) ON `durable_effects`.`entry_id` = f.found
  WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) LIMIT 3 FOR UPDATE SKIP LOCKED);

-- effects/claims.sql.ts selectHandlersBehind
(SELECT handler FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 1 OFFSET 30) UNION ALL (SELECT handler FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 1 OFFSET 30);
-- "name-1"
-- "name-2"

-- effects/claims.sql.ts selectHandlersBehind, request.handlers[] = 1
(SELECT handler FROM `durable_effects` FORCE INDEX (`durable_effects_ready`) WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed)) ORDER BY enqueued_at, entry_id LIMIT 1 OFFSET 12);

-- effects/claims.sql.ts stampClaimed
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET status = 'in_flight', claim_token = ?, claimed_by = ?,
    last_attempt_at = ?, lease_until = ? + CASE handler WHEN ? THEN 1 WHEN ? THEN 3 END,
    attempts = attempts + (attempts < CASE handler WHEN ? THEN 2 WHEN ? THEN 4 END)
  WHERE entry_id IN (?, ?);
-- "token"
-- "nodeId"
-- 6
-- 6
-- "name-1"
-- "name-2"
-- "name-1"
-- "name-2"
-- "entryIds-1"
-- "entryIds-2"

-- effects/claims.sql.ts stampClaimed, 2.handlers[] = 1
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET status = 'in_flight', claim_token = ?, claimed_by = ?,
    last_attempt_at = ?, lease_until = ? + CASE handler WHEN ? THEN 1 END,
    attempts = attempts + (attempts < CASE handler WHEN ? THEN 2 END)
  WHERE entry_id IN (?, ?);

-- effects/claims.sql.ts stampClaimed, entryIds[] = 1
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET status = 'in_flight', claim_token = ?, claimed_by = ?,
    last_attempt_at = ?, lease_until = ? + CASE handler WHEN ? THEN 1 WHEN ? THEN 3 END,
    attempts = attempts + (attempts < CASE handler WHEN ? THEN 2 WHEN ? THEN 4 END)
  WHERE entry_id IN (?);

-- effects/claims.sql.ts stampClaimed, the least
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET status = 'in_flight', claim_token = ?, claimed_by = ?,
    last_attempt_at = ?, lease_until = ? + CASE handler WHEN ? THEN 1 END,
    attempts = attempts + (attempts < CASE handler WHEN ? THEN 2 END)
  WHERE entry_id IN (?);

-- effects/claims.sql.ts selectClaimed
SELECT entry_id, operation, subject, handler, ref, payload, run_id, trace, attempts, last_error, enqueued_at FROM `durable_effects` WHERE entry_id IN (?, ?);
-- "entryIds-1"
-- "entryIds-2"

-- effects/claims.sql.ts selectClaimed, entryIds[] = 1
SELECT entry_id, operation, subject, handler, ref, payload, run_id, trace, attempts, last_error, enqueued_at FROM `durable_effects` WHERE entry_id IN (?);

-- effects/claims.sql.ts renewClaims
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`entry_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.entry_id' NULL ON EMPTY ERROR ON ERROR, `token` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.token' NULL ON EMPTY ERROR ON ERROR, `lease` bigint PATH '$.lease' NULL ON EMPTY ERROR ON ERROR)) AS c
  STRAIGHT_JOIN `durable_effects` AS e FORCE INDEX (PRIMARY) ON e.entry_id = c.entry_id AND e.claim_token = c.token
  SET e.lease_until = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + c.lease;
-- "[{"entry_id":"entryId-1","token":"token-1","lease":1},{"entry_id":"entryId-2","token":"token-2","lease":2}]"

-- effects/claims.sql.ts lockTokens
SELECT entry_id, claim_token, handler FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?, ?) AND claim_token IS NOT NULL ORDER BY entry_id FOR UPDATE SKIP LOCKED;
-- "entryIds-1"
-- "entryIds-2"

-- effects/claims.sql.ts lockTokens, entryIds[] = 1
SELECT entry_id, claim_token, handler FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?) AND claim_token IS NOT NULL ORDER BY entry_id FOR UPDATE SKIP LOCKED;

-- effects/claims.sql.ts lockTokens, skip = false
SELECT entry_id, claim_token, handler FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?, ?) AND claim_token IS NOT NULL ORDER BY entry_id FOR UPDATE;

-- effects/claims.sql.ts lockTokens, the least
SELECT entry_id, claim_token, handler FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?) AND claim_token IS NOT NULL ORDER BY entry_id FOR UPDATE;

-- effects/claims.sql.ts releaseEntries
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET status = CASE WHEN attempts > 1 THEN 'failed' ELSE 'pending' END, claim_token = NULL, claimed_by = NULL,
    lease_until = NULL, attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END WHERE entry_id IN (?, ?);
-- "entryIds-1"
-- "entryIds-2"

-- effects/claims.sql.ts releaseEntries, entryIds[] = 1
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET status = CASE WHEN attempts > 1 THEN 'failed' ELSE 'pending' END, claim_token = NULL, claimed_by = NULL,
    lease_until = NULL, attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END WHERE entry_id IN (?);

-- effects/entries.sql.ts insertEffects
INSERT INTO `durable_effects` (entry_id, operation, subject, handler, ref, payload, run_id, trace, enqueued_at)
  SELECT g.entry_id, g.operation, g.subject, g.handler, g.ref, g.payload, g.run_id, g.trace, (SELECT CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`entry_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.entry_id' NULL ON EMPTY ERROR ON ERROR, `operation` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.operation' NULL ON EMPTY ERROR ON ERROR, `subject` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.subject' NULL ON EMPTY ERROR ON ERROR, `handler` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.handler' NULL ON EMPTY ERROR ON ERROR, `ref` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.ref' NULL ON EMPTY ERROR ON ERROR, `payload` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.payload' NULL ON EMPTY ERROR ON ERROR, `run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `trace` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.trace' NULL ON EMPTY ERROR ON ERROR)) AS g;
-- "[{"entry_id":"entryId-1","operation":"operation-1","subject":"subject-1","handler":"handler-1","ref":"ref-1","payload":"payload-1","trace":"trace-1","run_id":"runId-1"},{"entry_id":"entryId-2","operation":"operation-2","subject":"subject-2","handler":"handler-2","ref":"ref-2","payload":"payload-2","trace":"trace-2","run_id":"runId-2"}]"

-- effects/entries.sql.ts insertEvents
INSERT INTO `durable_effect_audit` (event_id, type, operation, subject, entry_id, handler, details, recorded_at)
  SELECT event_id, type, operation, subject, entry_id, handler, details, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) FROM JSON_TABLE(?, '$[*]' COLUMNS (`event_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.event_id' NULL ON EMPTY ERROR ON ERROR, `type` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.type' NULL ON EMPTY ERROR ON ERROR, `operation` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.operation' NULL ON EMPTY ERROR ON ERROR, `subject` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.subject' NULL ON EMPTY ERROR ON ERROR, `entry_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.entry_id' NULL ON EMPTY ERROR ON ERROR, `handler` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.handler' NULL ON EMPTY ERROR ON ERROR, `details` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.details' NULL ON EMPTY ERROR ON ERROR, `ordinal` bigint PATH '$.ordinal' NULL ON EMPTY ERROR ON ERROR)) AS g ORDER BY g.ordinal;
-- "[{"type":"effect_abandoned","handler":"handler-1","operation":"operation-1","subject":"subject-1","event_id":"eventId-1","entry_id":"entryId-1","details":"{\\"named\\":1}","ordinal":0},{"type":"effect_abandoned","handler":"handler-2","operation":"operation-2","subject":"subject-2","event_id":"eventId-2","entry_id":"entryId-2","details":"{\\"named\\":2}","ordinal":1}]"

-- effects/entries.sql.ts lockAbandoned
SELECT entry_id, operation, subject, handler, attempts, last_error FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?, ?) AND status = 'abandoned' AND payload_erased = 0
  ORDER BY entry_id FOR UPDATE;
-- "entryIds-1"
-- "entryIds-2"

-- effects/entries.sql.ts lockAbandoned, entryIds[] = 1
SELECT entry_id, operation, subject, handler, attempts, last_error FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?) AND status = 'abandoned' AND payload_erased = 0
  ORDER BY entry_id FOR UPDATE;

-- effects/entries.sql.ts makePending
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET status = 'pending', ready = 1, attempts = 0, last_error = NULL, error = NULL, finished_at = NULL
  WHERE entry_id IN (?, ?);
-- "entryIds-1"
-- "entryIds-2"

-- effects/entries.sql.ts makePending, entryIds[] = 1
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET status = 'pending', ready = 1, attempts = 0, last_error = NULL, error = NULL, finished_at = NULL
  WHERE entry_id IN (?);

-- effects/entries.sql.ts selectEvents
SELECT event_id, type, operation, subject, entry_id, handler, details, recorded_at FROM `durable_effect_audit`
  WHERE operation = ? AND subject = ?
  AND `id` > COALESCE((SELECT a.id FROM `durable_effect_audit` AS a WHERE a.event_id = ?), 0)
  ORDER BY `id` LIMIT 2;
-- "operation"
-- "subject"
-- "1"

-- effects/entries.sql.ts selectEvents, page = undefined
SELECT event_id, type, operation, subject, entry_id, handler, details, recorded_at FROM `durable_effect_audit`
  WHERE operation = ? AND subject = ?
  
  ORDER BY `id`;

-- effects/entries.sql.ts selectEvents, page.after = undefined
SELECT event_id, type, operation, subject, entry_id, handler, details, recorded_at FROM `durable_effect_audit`
  WHERE operation = ? AND subject = ?
  
  ORDER BY `id` LIMIT 1;

-- effects/insight.sql.ts selectEffectMoments
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT e.enqueued_at AS moment, f.run, 1000000000 AS stage, 8 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?, ?) AND e.enqueued_at IS NOT NULL UNION ALL 
    SELECT e.last_attempt_at AS moment, f.run, 1000000000 AS stage, 9 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?, ?) AND e.last_attempt_at IS NOT NULL UNION ALL 
    SELECT e.finished_at AS moment, f.run, 1000000000 AS stage, 10 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?, ?) AND e.finished_at IS NOT NULL) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS char))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;
-- "[{"run_id":"runIds-1","run":0},{"run_id":"runIds-2","run":1}]"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- "runIds-1"
-- "runIds-2"
-- 1
-- 2
-- 3
-- 4
-- "item"

-- effects/insight.sql.ts selectEffectMoments, 2.past = undefined
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT e.enqueued_at AS moment, f.run, 1000000000 AS stage, 8 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?, ?) AND e.enqueued_at IS NOT NULL UNION ALL 
    SELECT e.last_attempt_at AS moment, f.run, 1000000000 AS stage, 9 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?, ?) AND e.last_attempt_at IS NOT NULL UNION ALL 
    SELECT e.finished_at AS moment, f.run, 1000000000 AS stage, 10 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?, ?) AND e.finished_at IS NOT NULL) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- effects/insight.sql.ts selectEffectMoments, 2.runIds[] = 1
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT e.enqueued_at AS moment, f.run, 1000000000 AS stage, 8 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?) AND e.enqueued_at IS NOT NULL UNION ALL 
    SELECT e.last_attempt_at AS moment, f.run, 1000000000 AS stage, 9 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?) AND e.last_attempt_at IS NOT NULL UNION ALL 
    SELECT e.finished_at AS moment, f.run, 1000000000 AS stage, 10 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?) AND e.finished_at IS NOT NULL) AS m WHERE (m.moment, m.run, m.stage, m.what, m.item) > (CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS signed), CAST(? AS char))
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 5;

-- effects/insight.sql.ts selectEffectMoments, the least
WITH f AS (SELECT * FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.run_id' NULL ON EMPTY ERROR ON ERROR, `run` bigint PATH '$.run' NULL ON EMPTY ERROR ON ERROR)) AS listed)
  SELECT m.* FROM (
    SELECT e.enqueued_at AS moment, f.run, 1000000000 AS stage, 8 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?) AND e.enqueued_at IS NOT NULL UNION ALL 
    SELECT e.last_attempt_at AS moment, f.run, 1000000000 AS stage, 9 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?) AND e.last_attempt_at IS NOT NULL UNION ALL 
    SELECT e.finished_at AS moment, f.run, 1000000000 AS stage, 10 AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM `durable_effects` AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id IN (?) AND e.finished_at IS NOT NULL) AS m 
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT 1;

-- effects/insight.sql.ts countStatuses
SELECT status, COUNT(*) AS entries FROM `durable_effects` GROUP BY status;

-- effects/insight.sql.ts countUpTo
SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_abandoned`)
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_abandoned`)
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.byHandler = false
SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, '' AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_abandoned`)
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, '' AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_abandoned`)
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.parts = undefined
SELECT 'ready' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_ready`)
      WHERE ready = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_waiting`)
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_abandoned`)
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'finished' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'succeeded' AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_finished`)
      WHERE open = 0 AND finished_at IS NOT NULL LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.parts[] = readonly ["finished", "open = 0 AND finished_at IS NOT NULL"]
SELECT 'finished' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'succeeded' AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_finished`)
      WHERE open = 0 AND finished_at IS NOT NULL LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'finished' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'succeeded' AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_finished`)
      WHERE open = 0 AND finished_at IS NOT NULL LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.parts[] = readonly ["ready", "ready = 1"]
SELECT 'ready' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_ready`)
      WHERE ready = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'ready' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_ready`)
      WHERE ready = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, 2.parts[] = readonly ["waiting", "ready = 0"]
SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_waiting`)
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, handler AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_waiting`)
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, the least
SELECT 'ready' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, '' AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_ready`)
      WHERE ready = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, '' AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_waiting`)
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'abandoned' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'abandoned' AS status, '' AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_abandoned`)
      WHERE ready IS NULL AND open = 1 LIMIT 2
    ) AS c GROUP BY c.status, c.handler UNION ALL 
    SELECT 'finished' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT 'succeeded' AS status, '' AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_finished`)
      WHERE open = 0 AND finished_at IS NOT NULL LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts countUpTo, the least, 2.parts = readonly (readonly ["ready", "ready = 1"] | readonly ["waiting", "ready = 0"] | readonly ["abandoned", "ready IS NULL AND open = 1"] | readonly ["finished", "open = 0 AND finished_at IS NOT NULL"])[]
SELECT 'waiting' AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT status AS status, '' AS handler FROM `durable_effects` FORCE INDEX (`durable_effects_waiting`)
      WHERE ready = 0 LIMIT 2
    ) AS c GROUP BY c.status, c.handler;

-- effects/insight.sql.ts selectAbandoned
SELECT entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at FROM `durable_effects` FORCE INDEX (`durable_effects_abandoned`)
  WHERE ready IS NULL AND open = 1 ORDER BY enqueued_at, entry_id LIMIT 1;

-- effects/insight.sql.ts selectScheduled
SELECT * FROM ((SELECT entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at FROM `durable_effects`
    WHERE ready = 1 AND status = 'scheduled' ORDER BY next_attempt_at, entry_id LIMIT 1) UNION ALL (SELECT entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at FROM `durable_effects`
    WHERE ready = 0 AND status = 'scheduled' ORDER BY next_attempt_at, entry_id LIMIT 1)) AS scheduled ORDER BY due_at, entry_id LIMIT 1;

-- effects/insight.sql.ts selectOpenOf
SELECT entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at FROM `durable_effects`
  WHERE operation = ? AND subject = ? AND open = 1 ORDER BY entry_id LIMIT 1;
-- "operation"
-- "subject"

-- effects/insight.sql.ts selectHandlers
SELECT e.handler FROM `durable_effects` AS e FORCE INDEX (`durable_effects_ready`)
  WHERE e.ready >= 1 GROUP BY e.ready, e.handler;

-- effects/insight.sql.ts selectQueuedOf
SELECT ? AS handler, w.since, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (
    SELECT MIN(queued.since) AS since FROM (
      SELECT GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0)) AS since FROM `durable_effects` FORCE INDEX (`durable_effects_ready`)
      WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
      ORDER BY enqueued_at, entry_id LIMIT 100
    ) AS queued) AS w WHERE w.since IS NOT NULL UNION ALL SELECT ? AS handler, w.since, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (
    SELECT MIN(queued.since) AS since FROM (
      SELECT GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0)) AS since FROM `durable_effects` FORCE INDEX (`durable_effects_ready`)
      WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
      ORDER BY enqueued_at, entry_id LIMIT 100
    ) AS queued) AS w WHERE w.since IS NOT NULL;
-- "handlers-1"
-- "handlers-1"
-- "handlers-2"
-- "handlers-2"

-- effects/insight.sql.ts selectQueuedOf, handlers[] = 1
SELECT ? AS handler, w.since, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM (
    SELECT MIN(queued.since) AS since FROM (
      SELECT GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0)) AS since FROM `durable_effects` FORCE INDEX (`durable_effects_ready`)
      WHERE ready = 1 AND handler = ? AND (claim_token IS NULL OR lease_until <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed))
      ORDER BY enqueued_at, entry_id LIMIT 100
    ) AS queued) AS w WHERE w.since IS NOT NULL;

-- effects/insight.sql.ts selectForgotten
SELECT w.handler, MIN(w.next_attempt_at) AS since, MAX(w.at) AS at FROM (
    SELECT handler, next_attempt_at, CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) AS at FROM `durable_effects` FORCE INDEX (`durable_effects_waiting`)
    WHERE ready = 0 AND next_attempt_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - CAST(? AS signed)
    ORDER BY next_attempt_at, entry_id LIMIT 1000
  ) AS w GROUP BY w.handler;
-- 1

-- effects/insight.sql.ts selectEntriesOf
SELECT run_id, entry_id FROM `durable_effects` WHERE run_id IN (?, ?)
  ORDER BY run_id, entry_id LIMIT 1;
-- "runIds-1"
-- "runIds-2"

-- effects/insight.sql.ts selectEntriesOf, runIds[] = 1
SELECT run_id, entry_id FROM `durable_effects` WHERE run_id IN (?)
  ORDER BY run_id, entry_id LIMIT 1;

-- effects/insight.sql.ts selectErasable
SELECT e.entry_id, e.operation, e.subject, e.open FROM JSON_TABLE(?, '$[*]' COLUMNS (`operation` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.operation' NULL ON EMPTY ERROR ON ERROR, `subject` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.subject' NULL ON EMPTY ERROR ON ERROR)) AS g
    JOIN `durable_effects` AS e FORCE INDEX (`durable_effects_group`) ON e.operation = g.operation AND e.subject = g.subject
  WHERE e.subject <> '' AND e.subject <> '' AND e.ready IS NULL AND e.entry_id > ? ORDER BY e.entry_id LIMIT 1;
-- "[{"operation":"operation-1","subject":"subject-1"},{"operation":"operation-2","subject":"subject-2"}]"
-- "2"

-- effects/insight.sql.ts selectErasable, 2.discards = false
SELECT e.entry_id, e.operation, e.subject, e.open FROM JSON_TABLE(?, '$[*]' COLUMNS (`operation` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.operation' NULL ON EMPTY ERROR ON ERROR, `subject` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.subject' NULL ON EMPTY ERROR ON ERROR)) AS g
    JOIN `durable_effects` AS e FORCE INDEX (`durable_effects_group`) ON e.operation = g.operation AND e.subject = g.subject
  WHERE e.subject <> '' AND e.subject <> '' AND e.ready IS NULL AND e.open = 0 AND e.entry_id > ? ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectErasable, 2.whose = { readonly runIds: readonly string[]; }
SELECT e.entry_id, e.operation, e.subject, e.open FROM `durable_effects` AS e FORCE INDEX (`durable_effects_run`)
  WHERE e.run_id IN (?, ?) AND e.subject <> '' AND e.ready IS NULL AND e.entry_id > ? ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectErasable, the least
SELECT e.entry_id, e.operation, e.subject, e.open FROM `durable_effects` AS e FORCE INDEX (`durable_effects_run`)
  WHERE e.run_id IN (?) AND e.subject <> '' AND e.ready IS NULL AND e.open = 0 AND e.entry_id > ? ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectErasable, the least, 2.discards = true
SELECT e.entry_id, e.operation, e.subject, e.open FROM `durable_effects` AS e FORCE INDEX (`durable_effects_run`)
  WHERE e.run_id IN (?) AND e.subject <> '' AND e.ready IS NULL AND e.entry_id > ? ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectErasable, the least, 2.whose.runIds[] = 2
SELECT e.entry_id, e.operation, e.subject, e.open FROM `durable_effects` AS e FORCE INDEX (`durable_effects_run`)
  WHERE e.run_id IN (?, ?) AND e.subject <> '' AND e.ready IS NULL AND e.open = 0 AND e.entry_id > ? ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectKept
SELECT e.entry_id, e.operation, e.subject, e.handler, e.run_id, e.ready FROM JSON_TABLE(?, '$[*]' COLUMNS (`operation` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.operation' NULL ON EMPTY ERROR ON ERROR, `subject` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.subject' NULL ON EMPTY ERROR ON ERROR)) AS g
    JOIN `durable_effects` AS e FORCE INDEX (`durable_effects_group`) ON e.operation = g.operation AND e.subject = g.subject
  WHERE e.subject <> '' AND e.subject <> '' AND e.open = 1 ORDER BY e.entry_id LIMIT 1;
-- "[{"operation":"operation-1","subject":"subject-1"},{"operation":"operation-2","subject":"subject-2"}]"

-- effects/insight.sql.ts selectKept, 2.whose = { readonly runIds: readonly string[]; }
SELECT e.entry_id, e.operation, e.subject, e.handler, e.run_id, e.ready FROM `durable_effects` AS e FORCE INDEX (`durable_effects_run`)
  WHERE e.run_id IN (?, ?) AND e.subject <> '' AND e.open = 1 ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts selectKept, the least
SELECT e.entry_id, e.operation, e.subject, e.handler, e.run_id, e.ready FROM `durable_effects` AS e FORCE INDEX (`durable_effects_run`)
  WHERE e.run_id IN (?) AND e.subject <> '' AND e.open = 1 ORDER BY e.entry_id LIMIT 1;

-- effects/insight.sql.ts eraseEntries
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET subject = '', ref = NULL, last_error = NULL, error = NULL, payload_erased = 1
  WHERE entry_id IN (?, ?) AND ready IS NULL;
-- "entryIds-1"
-- "entryIds-2"

-- effects/insight.sql.ts eraseEntries, discards = false
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET subject = '', ref = NULL, last_error = NULL, error = NULL, payload_erased = 1
  WHERE entry_id IN (?, ?) AND ready IS NULL AND open = 0;

-- effects/insight.sql.ts eraseEntries, entryIds[] = 1
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET subject = '', ref = NULL, last_error = NULL, error = NULL, payload_erased = 1
  WHERE entry_id IN (?) AND ready IS NULL;

-- effects/insight.sql.ts eraseEntries, the least
UPDATE `durable_effects` FORCE INDEX (`PRIMARY`) SET subject = '', ref = NULL, last_error = NULL, error = NULL, payload_erased = 1
  WHERE entry_id IN (?) AND ready IS NULL AND open = 0;

-- effects/insight.sql.ts eraseAudit
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`entry_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.entry_id' NULL ON EMPTY ERROR ON ERROR, `operation` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.operation' NULL ON EMPTY ERROR ON ERROR, `subject` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.subject' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_effect_audit` AS a FORCE INDEX (`durable_effect_audit_group`) ON a.operation IN (?, ?) AND a.subject IN (?, ?)
      AND a.operation = n.operation AND a.subject = n.subject
      AND ((n.entry_id IS NOT NULL AND a.entry_id = n.entry_id) OR (n.entry_id IS NULL AND a.entry_id IS NULL))
      AND NOT EXISTS (SELECT 1 FROM `durable_effects` AS e WHERE e.operation = n.operation AND e.subject = n.subject
        AND (n.entry_id IS NULL OR e.entry_id = n.entry_id)) SET a.subject = '', a.details = '{}';
-- "[{"entry_id":"entry_id-1","operation":"operation-1","subject":"subject-1"},{"entry_id":"entry_id-2","operation":"operation-2","subject":"subject-2"},{"entry_id":null,"operation":"operation-1","subject":"subject-1"},{"entry_id":null,"operation":"operation-2","subject":"subject-2"}]"
-- "operation-1"
-- "operation-2"
-- "subject-1"
-- "subject-2"

-- effects/insight.sql.ts eraseAudit, erased[] = 1
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`entry_id` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.entry_id' NULL ON EMPTY ERROR ON ERROR, `operation` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.operation' NULL ON EMPTY ERROR ON ERROR, `subject` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.subject' NULL ON EMPTY ERROR ON ERROR)) AS n STRAIGHT_JOIN `durable_effect_audit` AS a FORCE INDEX (`durable_effect_audit_group`) ON a.operation IN (?) AND a.subject IN (?)
      AND a.operation = n.operation AND a.subject = n.subject
      AND ((n.entry_id IS NOT NULL AND a.entry_id = n.entry_id) OR (n.entry_id IS NULL AND a.entry_id IS NULL))
      AND NOT EXISTS (SELECT 1 FROM `durable_effects` AS e WHERE e.operation = n.operation AND e.subject = n.subject
        AND (n.entry_id IS NULL OR e.entry_id = n.entry_id)) SET a.subject = '', a.details = '{}';

-- effects/insight.sql.ts lockEnded
SELECT entry_id, operation, subject, finished_at FROM `durable_effects` FORCE INDEX (`durable_effects_finished`)
  WHERE open = 1 AND finished_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
    AND finished_at >= CAST(? AS signed)
    AND (finished_at > CAST(? AS signed) OR entry_id > ?)
  ORDER BY finished_at, entry_id LIMIT 2 FOR UPDATE SKIP LOCKED;
-- 1
-- 3
-- 3
-- "entryId"

-- effects/insight.sql.ts lockEnded, 2.status = "succeeded"
SELECT entry_id, operation, subject, finished_at FROM `durable_effects` FORCE INDEX (`durable_effects_finished`)
  WHERE open = 0 AND finished_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?
    AND finished_at >= CAST(? AS signed)
    AND (finished_at > CAST(? AS signed) OR entry_id > ?)
  ORDER BY finished_at, entry_id LIMIT 2 FOR UPDATE SKIP LOCKED;

-- effects/insight.sql.ts deleteEntries
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_effects` AS gone FORCE INDEX (`PRIMARY`) ON gone.entry_id = k.found;
-- "[{"found":"entryIds-1"},{"found":"entryIds-2"}]"

-- effects/insight.sql.ts selectOldEvents
SELECT o.id FROM (
    SELECT a.`id`, a.recorded_at FROM `durable_effect_audit` AS a ORDER BY a.`id` LIMIT 2
  ) AS o WHERE o.recorded_at <= CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) - ?;
-- 1

-- effects/insight.sql.ts deleteEventsById
DELETE gone FROM JSON_TABLE(?, '$[*]' COLUMNS (`found` bigint PATH '$.found' NULL ON EMPTY ERROR ON ERROR)) AS k STRAIGHT_JOIN `durable_effect_audit` AS gone FORCE INDEX (`PRIMARY`) ON gone.id = k.found;
-- "[{"found":"1"},{"found":"2"}]"

-- effects/tables.sql.ts intValue
CAST(? AS signed);
-- 1

-- effects/tables.sql.ts forced
FORCE INDEX (`durable_effects_suffix`);

-- effects/tables.sql.ts selectTokens
SELECT entry_id, claim_token, handler FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?, ?) AND claim_token IS NOT NULL;
-- "entryIds-1"
-- "entryIds-2"

-- effects/tables.sql.ts selectTokens, entryIds[] = 1
SELECT entry_id, claim_token, handler FROM `durable_effects` FORCE INDEX (`PRIMARY`)
  WHERE entry_id IN (?) AND claim_token IS NOT NULL;

-- effects/tables.sql.ts lockOpen
SELECT e.entry_id FROM `durable_effects` AS e FORCE INDEX (`durable_effects_group`)
  WHERE e.operation = ? AND e.subject = ? AND e.open = 1
  ORDER BY e.entry_id LIMIT 2 FOR UPDATE;
-- "operation"
-- "subject"

-- effects/tables.sql.ts countGroup
SELECT COUNT(*) AS entries, SUM(e.open) AS open FROM `durable_effects` AS e 
  WHERE e.operation = ? AND e.subject = ?;
-- "operation"
-- "subject"

-- effects/tables.sql.ts settleEntry
UPDATE `durable_effects`
  SET claim_token = NULL, claimed_by = NULL, lease_until = NULL, payload_erased = CASE WHEN payload IS NULL THEN payload_erased ELSE 1 END, payload = NULL, next_attempt_at = NULL, ready = NULL, finished_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), last_error = ?, error = ?, status = ? 
  WHERE entry_id = ? AND status = 'in_flight' AND claim_token = ?;
-- "error"
-- "recorded"
-- "abandoned"
-- "entryId"
-- "token"

-- effects/tables.sql.ts settleEntry, settlement = { readonly status: "failed"; readonly error: string; readonly recorded?: string; readonly delayMs: number; }
UPDATE `durable_effects`
  SET claim_token = NULL, claimed_by = NULL, lease_until = NULL, ready = 0, next_attempt_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + CAST(? AS signed), last_error = ?, error = ?, status = ? 
  WHERE entry_id = ? AND status = 'in_flight' AND claim_token = ?;

-- effects/tables.sql.ts settleEntry, settlement = { readonly status: "scheduled"; readonly until: number; readonly delayMs: number; }
UPDATE `durable_effects`
  SET claim_token = NULL, claimed_by = NULL, lease_until = NULL, ready = 0, next_attempt_at = GREATEST(CAST(? AS signed), CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed) + CAST(? AS signed)), attempts = 0, last_error = NULL, error = NULL, status = ? 
  WHERE entry_id = ? AND status = 'in_flight' AND claim_token = ?;

-- effects/tables.sql.ts settleEntry, settlement = { readonly status: "succeeded"; readonly alreadyAbsent: boolean; }
UPDATE `durable_effects`
  SET claim_token = NULL, claimed_by = NULL, lease_until = NULL, payload_erased = CASE WHEN payload IS NULL THEN payload_erased ELSE 1 END, payload = NULL, next_attempt_at = NULL, ready = NULL, finished_at = CAST((TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000) AS signed), open = 0, last_error = NULL, error = NULL, status = ? 
  WHERE entry_id = ? AND status = 'in_flight' AND claim_token = ?;

-- effects/tables.sql.ts selectSucceeded
SELECT 1 AS stands FROM `durable_effects` AS e 
  WHERE e.entry_id = ? AND e.status = 'succeeded';
-- "entryId"
