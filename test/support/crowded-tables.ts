import type { FreshDatabase } from './fresh-database.js';

type Query = FreshDatabase['query'];

/** A table `numbers(n)` with 0 to below `count`, a power of two or more. */
export async function numbersTable(query: Query, count: number): Promise<void> {
  await query('CREATE TABLE IF NOT EXISTS numbers (n integer PRIMARY KEY)');
  await query('DELETE FROM numbers');
  await query('INSERT INTO numbers VALUES (0)');
  for (let have = 1; have < count; have *= 2) await query(`INSERT INTO numbers SELECT n + ${have} FROM numbers`);
  await query(`DELETE FROM numbers WHERE n >= ${count}`);
}

/** `prefix` and the number, as text. */
const named = (prefix: string, n = 'n') => `CONCAT('${prefix}', ${n})`;

const RUN = 'id, namespace, workflow, version, status, owner, epoch, settled, crashes, wake_at, created_at';

/** Far in the future, in epoch ms. */
export const FAR = 9_000_000_000_000;

/** Parked runs of the workflow `work` by the thousand: half of them sleep, half wait for a signal. */
export async function insertParked(query: Query, count: number): Promise<void> {
  await query(
    `INSERT INTO durable_runs (${RUN}) SELECT ${named('parked-')}, '', 'work', 1, 'suspended', NULL, 1, 0, 0, CASE WHEN MOD(n, 2) = 0 THEN ${FAR} + n END, n FROM numbers WHERE n < ${count}`,
  );
}

/** What parked runs wait for. */
export async function insertParkedSteps(query: Query, count: number): Promise<void> {
  const step = 'run_id, seq, kind, name, status, attempt, wake_at, created_at';
  await query(
    `INSERT INTO durable_steps (${step}) SELECT ${named('parked-')}, 0, CASE WHEN MOD(n, 2) = 0 THEN 'sleep' ELSE 'signal' END, 'wait', 'pending', 0, CASE WHEN MOD(n, 2) = 0 THEN ${FAR} + n END, 1 FROM numbers WHERE n < ${count}`,
  );
  await query(
    `INSERT INTO durable_signal_waits (channel, step_id, run_id, seq, after_position, since, deadline) SELECT ${named('channel-')}, CONCAT('parked-', n, ':0'), ${named('parked-')}, 0, 0, 1, NULL FROM numbers WHERE n < ${count} AND MOD(n, 2) = 1`,
  );
}

/** Rows in every table that grows, of runs that are not those of a test. */
export async function crowd(query: Query, count: number): Promise<void> {
  await insertParked(query, count / 2);
  await insertParkedSteps(query, count / 2);
  const rest = `FROM numbers WHERE n >= ${count / 2} AND n < ${count}`;
  // Ended, owned by a process that lives, children, blocked ones of workflows nobody has, in line for a limit.
  await query(
    `INSERT INTO durable_runs (${RUN}, finished_at, parent_id, turn, reason, limiter) SELECT ${named('other-')}, '', CASE WHEN MOD(n, 5) = 0 THEN 'gone' ELSE 'work' END, 1,
      CASE MOD(n, 5) WHEN 0 THEN 'suspended' WHEN 1 THEN 'completed' WHEN 2 THEN 'running' WHEN 3 THEN 'pending' ELSE 'failed' END,
      CASE WHEN MOD(n, 5) = 2 THEN 'crowd' END, 1, 0, 0, CASE WHEN MOD(n, 5) = 3 THEN ${FAR} END, n,
      CASE WHEN MOD(n, 5) IN (1, 4) THEN ${FAR} END, CASE WHEN MOD(n, 5) IN (1, 2) THEN ${named('other-', 'n + 1')} END,
      CASE WHEN MOD(n, 5) = 3 AND MOD(n, 2) = 0 THEN n END, CASE WHEN MOD(n, 5) = 0 THEN 'non_determinism' END, ${named('limiter-')} ${rest}`,
  );
  await query(`DELETE FROM durable_nodes WHERE id = 'crowd'`);
  await query(
    `INSERT INTO durable_nodes (id, namespace, roles, started_at, expires_at) VALUES ('crowd', '', 'engine', 1, ${FAR})`,
  );
  await query(
    `INSERT INTO durable_steps (run_id, seq, kind, name, status, attempt, settled, created_at) SELECT ${named('other-')}, 0, 'remote', 'step', 'completed', 0, 1, 1 ${rest}`,
  );
  await query(
    `INSERT INTO durable_signals (namespace, channel, name, target, addressed, payload, created_at, position) SELECT '', ${named('channel-')}, 'go', ${named('key-')}, 'key', '1', ${FAR}, 1 ${rest}`,
  );
  await query(`INSERT INTO durable_signal_channels (channel, last_position) SELECT ${named('channel-')}, 1 ${rest}`);
  await query(
    `INSERT INTO durable_run_attributes (run_id, name, namespace, type, text_value) SELECT ${named('other-')}, 'tier', '', 'text', ${named('t-', 'MOD(n, 100)')} ${rest}`,
  );
  await query(
    `INSERT INTO durable_step_attempts (run_id, seq, attempt, outcome) SELECT ${named('other-')}, 0, 1, 'failed' ${rest}`,
  );
  await query(
    `INSERT INTO durable_step_logs (run_id, seq, attempt, level, message, logged_at) SELECT ${named('other-')}, 0, 1, 'info', 'line', 1 ${rest}`,
  );
  await query(
    `INSERT INTO durable_run_dependencies (target_id, run_id) SELECT ${named('target-')}, ${named('other-')} ${rest}`,
  );
  await query(
    `INSERT INTO durable_start_keys (start_key, run_id, expires_at) SELECT ${named('key-')}, ${named('other-')}, ${FAR} ${rest}`,
  );
  await query(
    `INSERT INTO durable_limiters (limiter, namespace, name, limiter_key) SELECT ${named('limiter-')}, '', 'l', '' ${rest}`,
  );
  await query(
    `INSERT INTO durable_limiter_entries (holder, limiter, run_id, granted, turn, queued_at, limits) SELECT ${named('other-')}, ${named('limiter-')}, ${named('other-')}, MOD(n, 2), n, 1, '{}' ${rest}`,
  );
  await query(
    `INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, attempt, status, created_at) SELECT ${named('other-')}, ${named('other-')}, 0, 'step', 'crowd', 1, 'pending', n ${rest}`,
  );
}
