import { insert, numbers, type Values } from './insert.js';

/** How many rows a crowded system has. */
export interface Amounts {
  runs: number;
  tasks: number;
  events: number;
  /** Of each other table that grows: signals, effects, acts, dead letters … */
  others: number;
}

/** A large system, after a month. */
export const MILLION: Amounts = { runs: 1_000_000, tasks: 200_000, events: 100_000, others: 100_000 };

export const NAMESPACE = 'default';
export const RUN_WITH_MANY_STEPS = 'run-steps';
export const RUN_WITH_MANY_CHILDREN = 'run-children';
const MONTH_MS = 30 * 86_400_000;
const FAR_MS = 86_400_000;

/** As `run-10000007`: their order is that of their numbers. */
export const runId = (n: number): string => `run-${10_000_000 + n}`;
const idOf = (n: string): string => `CONCAT('run-', 10000000 + ${n})`;

/** What the number of a run makes of it: the newest of a hundred are under way, and some have been waiting for weeks. */
const kindOf = (runs: number): string => `CASE
  WHEN n >= ${runs - Math.ceil(runs / 50)} AND MOD(n, 100) = 0 THEN 'running'
  WHEN n >= ${runs - Math.ceil(runs / 50)} AND MOD(n, 100) < 6 THEN 'due'
  WHEN n >= ${runs - Math.ceil(runs / 50)} AND MOD(n, 100) < 8 THEN 'blocked'
  WHEN n >= ${runs - Math.ceil(runs / 50)} OR MOD(n, 20) = 7 THEN
    CASE WHEN MOD(n, 2000) = 7 THEN 'blocked' WHEN MOD(n, 3) = 0 THEN 'timer' ELSE 'waiting' END
  WHEN MOD(n, 100) = 11 THEN 'failed' WHEN MOD(n, 200) = 33 THEN 'cancelled'
  WHEN MOD(n, 5000) = 77 THEN 'compensation_failed' ELSE 'completed' END`;

const WORKFLOW = `CASE WHEN MOD(n, 1000) IN (1, 7) THEN 'rare' WHEN MOD(n, 3) = 0 OR MOD(n, 19) = 18 THEN 'order' ELSE CONCAT('flow-', MOD(n, 19)) END`;
const ENDED = `kind IN ('failed', 'cancelled', 'compensation_failed', 'completed')`;

/** Runs of 20 workflows, of a month. */
export function runRows({ runs }: Amounts, now: number): string[] {
  const step = Math.floor(MONTH_MS / runs);
  const created = `${now - runs * step} + ${step} * CAST(n AS decimal(20))`;
  const run: Values = {
    id: idOf('n'),
    namespace: `'${NAMESPACE}'`,
    workflow: WORKFLOW,
    version: '1 + MOD(n, 2)',
    status: `CASE WHEN kind = 'due' THEN 'pending' WHEN kind IN ('blocked', 'timer', 'waiting') THEN 'suspended' ELSE kind END`,
    reason: `CASE WHEN kind = 'blocked' THEN CASE WHEN MOD(n, 2) = 0 THEN 'non_determinism' ELSE 'exhausted' END END`,
    owner: `CASE WHEN kind = 'running' THEN CONCAT('node-', MOD(n, 8)) END`,
    epoch: '1',
    wake_at: `CASE kind WHEN 'due' THEN ${now - 60_000} WHEN 'timer' THEN ${now + FAR_MS} + n END`,
    settled: '0',
    crashes: '0',
    input: `CONCAT('{"customer":"c', MOD(n, 5000), '","note":"', REPEAT('x', CASE WHEN MOD(n, 100) = 5 THEN 5000 ELSE 100 END), '"}')`,
    output: `CASE WHEN kind = 'completed' THEN '{"ok":true}' END`,
    error: `CASE WHEN kind IN ('failed', 'compensation_failed') THEN '{"name":"Error","message":"the bank refused"}' END`,
    created_at: created,
    started_at: `CASE WHEN kind <> 'due' THEN ${created} + 5 END`,
    finished_at: `CASE WHEN ${ENDED} THEN ${created} + 500 END`,
    parent_id: `CASE WHEN MOD(n, 200) = 3 THEN '${RUN_WITH_MANY_CHILDREN}' WHEN MOD(n, 50) = 9 THEN ${idOf('n - 1')} END`,
    schedule_id: `CASE WHEN MOD(n, 20) = 4 THEN CONCAT('schedule-', MOD(n, 200)) END`,
  };
  const special = (id: string): Values => ({
    ...{ id: `'${id}'`, namespace: `'${NAMESPACE}'`, workflow: `'order'`, version: '1', status: `'suspended'` },
    ...{ epoch: '1', settled: '0', crashes: '0', created_at: `${now - 3_600_000}`, started_at: `${now - 3_600_000}` },
  });
  const attribute = (name: string, type: string, value: string, where: string) =>
    insert(
      'run_attributes',
      {
        run_id: idOf('n'),
        name: `'${name}'`,
        namespace: `'${NAMESPACE}'`,
        type: `'${type}'`,
        [`${type}_value`]: value,
      },
      `${numbers(runs)} AND ${where}`,
    );
  return [
    insert('runs', run, `(SELECT n, ${kindOf(runs)} AS kind FROM ${numbers(runs)}) AS kinds`),
    ...[RUN_WITH_MANY_STEPS, RUN_WITH_MANY_CHILDREN].map((id) => insert('runs', special(id), numbers(1))),
    attribute('customer', 'text', `CONCAT('c', MOD(n, 5000))`, '1 = 1'),
    attribute('tier', 'text', `CASE WHEN MOD(n, 8) = 0 THEN 'gold' ELSE 'plain' END`, 'MOD(n, 4) = 0'),
    attribute('amount', 'number', 'MOD(n, 1000)', 'MOD(n, 10) = 2'),
  ];
}

const STEP_KINDS = `CASE WHEN n = 2 AND finished_at IS NULL THEN 'pending' ELSE 'completed' END`;

/** Three steps of every tenth run, and one run with 10,000. */
export function stepRows({ runs, others }: Amounts, now: number): string[] {
  const many = Math.min(others, 10_000);
  const step = (runOf: string, status: string): Values => ({
    run_id: runOf,
    seq: 'n',
    kind: `'remote'`,
    name: `CONCAT('step-', MOD(n, 40))`,
    status,
    attempt: '1',
    settled: `CASE WHEN ${status} = 'completed' THEN n + 1 END`,
    output: `CASE WHEN ${status} = 'completed' THEN '{"ok":true}' END`,
    created_at: `${now - 3_600_000}`,
    asked_at: `${now - 3_600_000}`,
    started_at: `${now - 3_500_000}`,
    finished_at: `CASE WHEN ${status} = 'completed' THEN ${now - 3_400_000} END`,
    worker: `'worker-1'`,
  });
  const every = `(SELECT r.id, r.finished_at, s.n FROM numbers AS k JOIN durable_runs AS r ON r.id = ${idOf('k.n')} CROSS JOIN numbers AS s WHERE k.n < ${runs} AND MOD(k.n, 10) = 7 AND s.n < 3) AS of_runs`;
  const ofMany = `'${RUN_WITH_MANY_STEPS}'`;
  const attempt = { run_id: ofMany, seq: 'n', attempt: '1', outcome: `'completed'`, worker: `'worker-1'` };
  const line = {
    run_id: ofMany,
    seq: 'n',
    attempt: '1',
    level: `'info'`,
    message: `'on its way'`,
    logged_at: `${now}`,
  };
  return [
    insert('steps', step('id', STEP_KINDS), every),
    insert('steps', step(ofMany, `'completed'`), numbers(many)),
    insert('step_attempts', attempt, `${numbers(many)} AND MOD(n, 10) = 0`),
    insert('step_logs', line, numbers(many)),
  ];
}

/** Tasks of 40 groups, and answers that nobody has collected. */
export function taskRows({ tasks }: Amounts, now: number): string[] {
  const age = `${now - 3_600_000} + MOD(n, 3600000)`;
  const task: Values = {
    step_id: `CONCAT(${idOf('n')}, ':2')`,
    run_id: idOf('n'),
    seq: '2',
    name: `CONCAT('step-', MOD(n, 40))`,
    grp: `CONCAT('group-', MOD(n, 40))`,
    input: `'{}'`,
    attempt: '1',
    status: `'pending'`,
    claimed_by: `CASE WHEN MOD(n, 50) = 0 THEN 'worker-1' END`,
    claimed_at: `CASE WHEN MOD(n, 50) = 0 THEN ${now} END`,
    created_at: age,
  };
  const answer = { step_id: task['step_id']!, run_id: idOf('n'), seq: '2', status: `'completed'`, output: `'1'` };
  return [
    insert('transport_tasks', task, numbers(tasks)),
    insert('transport_results', { ...answer, created_at: age }, `${numbers(tasks)} AND MOD(n, 10) = 1`),
  ];
}
