/*
 * The least that the table contract allows: one statement, and one commit, for each of dispatch, claim, report and
 * collect, each for up to a batch of tasks. No deadlines, no fences, no retries.
 */

export const BATCH = 500;
export const GROUP = 'bench';

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export const dispatch = `
  WITH written AS (
    INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
    SELECT step_id, run_id, seq, '${GROUP}', '${GROUP}', input, 1, 'pending', ${NOW}
    FROM unnest($1::text[], $2::text[], $3::int[], $4::text[]) AS t (step_id, run_id, seq, input)
  )
  SELECT pg_notify('floor_tasks', '')`;

export const claim = `
  UPDATE durable_transport_tasks SET claimed_by = $1, claimed_at = ${NOW}
  WHERE step_id = ANY (ARRAY(
    SELECT step_id FROM durable_transport_tasks WHERE grp = '${GROUP}' AND claimed_at IS NULL
    ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING step_id, run_id, seq, input`;

export const report = `
  WITH reported AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::text[]) AS t (step_id, run_id, seq, output)
  ), gone AS (
    DELETE FROM durable_transport_tasks WHERE step_id = ANY ($1::text[]) AND claimed_by = $5 RETURNING step_id
  ), written AS (
    INSERT INTO durable_transport_results (step_id, run_id, seq, status, output, created_at)
    SELECT step_id, run_id, seq, 'completed', output, ${NOW} FROM reported
    WHERE step_id IN (SELECT step_id FROM gone)
  )
  SELECT pg_notify('floor_results', '')`;

export const collect = `
  DELETE FROM durable_transport_results
  WHERE step_id = ANY (ARRAY(SELECT step_id FROM durable_transport_results ORDER BY created_at LIMIT ${BATCH}))
  RETURNING step_id, output`;
