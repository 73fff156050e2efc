/*
 * The least that a remote step can cost: one statement, and one commit, for each of three moments. The engine records the
 * outcome of the last step, takes its answer and asks for the next one; the worker claims; the worker reports. No
 * deadlines, no fences, no retries; a step is recorded once, with its outcome, and no run is locked. Of the three
 * commits two are flushed: a claim that a crash of the server forgets is only claimed again.
 */

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** What the engine of the floor remembers of its steps. */
export const table = `
  CREATE TABLE IF NOT EXISTS floor_steps (run_id varchar(191), seq integer, output text, PRIMARY KEY (run_id, seq))`;

/** $1 run, $2 position, $3 step, $4 input; $5 step, $6 position and $7 output of the last one, or NULL. */
export const ask = `
  WITH taken AS (
    DELETE FROM durable_transport_results WHERE step_id = $5
  ), recorded AS (
    INSERT INTO floor_steps SELECT $1::text, $6::int, $7::text WHERE $7::text IS NOT NULL
  ), written AS (
    INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
    VALUES ($3, $1, $2::int, 'bench', 'bench', $4, 1, 'pending', ${NOW})
  )
  SELECT pg_notify('floor_asked', '')`;

/** $1 worker. */
export const claim = `
  UPDATE durable_transport_tasks SET claimed_by = $1, claimed_at = ${NOW}
  WHERE step_id = ANY (ARRAY(
    SELECT step_id FROM durable_transport_tasks WHERE grp = 'bench' AND claimed_at IS NULL
    ORDER BY created_at LIMIT 500 FOR UPDATE SKIP LOCKED))
  RETURNING step_id, run_id, seq, input`;

/** $1 step, $2 run, $3 position, $4 output, $5 worker. */
export const report = `
  WITH gone AS (
    DELETE FROM durable_transport_tasks WHERE step_id = $1 AND claimed_by = $5 RETURNING step_id
  ), written AS (
    INSERT INTO durable_transport_results (step_id, run_id, seq, status, output, created_at)
    SELECT step_id, $2::text, $3::int, 'completed', $4::text, ${NOW} FROM gone
  )
  SELECT pg_notify('floor_answered', $1 || ' ' || $4) FROM gone`;
