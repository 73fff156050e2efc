-- engine/commits.sql.ts lockFenced
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE;
-- "[{"id":"runId-1","known_seq":36,"known":37},{"id":"runId-2","known_seq":147,"known":148}]"
-- 3
-- "[{"id":"runId-1","epoch":1,"known_seq":34,"known":35},{"id":"runId-2","epoch":112,"known_seq":145,"known":146}]"
-- "owner-1"

-- engine/commits.sql.ts lockFenced, writes[].known = undefined
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE;

-- engine/commits.sql.ts lockFenced, writes[].once = undefined
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE;

-- engine/commits.sql.ts lockFenced, writes[].owner = undefined
SELECT r.id, r.epoch, r.notifies, ((w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS m WHERE m.id = w.id AND NOT EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = m.id AND s.seq = m.known_seq AND (m.known IS NULL OR s.settled = m.known)))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE;

-- engine/commits.sql.ts lockFenced, the least
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE;

-- engine/commits.sql.ts lockFenced, the least, writes[].once = true
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands, (SELECT COUNT(s.settled) FROM `durable_steps` AS s WHERE s.run_id = r.id AND s.seq = ? LOCK IN SHARE MODE) = 0 AS fresh FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND r.owner IS NOT NULL FOR UPDATE;

-- engine/commits.sql.ts lockFenced, the least, writes[].owner = string
SELECT r.id, r.epoch, r.notifies, (w.known_seq IS NULL OR EXISTS (SELECT 1 FROM `durable_steps` AS s
    WHERE s.run_id = w.id AND s.seq = w.known_seq AND (w.known IS NULL OR s.settled = w.known))) AS stands FROM JSON_TABLE(?, '$[*]' COLUMNS (`id` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$.id' NULL ON EMPTY ERROR ON ERROR, `epoch` bigint PATH '$.epoch' NULL ON EMPTY ERROR ON ERROR, `known_seq` bigint PATH '$.known_seq' NULL ON EMPTY ERROR ON ERROR, `known` bigint PATH '$.known' NULL ON EMPTY ERROR ON ERROR)) AS w
  STRAIGHT_JOIN `durable_runs` AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND NULLIF(r.owner, '') = ? FOR UPDATE;
