import type { Client } from 'pg';
import { EFFECTS, STEPS_PER_RUN } from './app/order.workflow.js';

export interface Check {
  what: string;
  /** What was found in its place; empty when all is well. */
  found: string[];
}

interface Question {
  what: string;
  text: string;
  values?: unknown[];
}

/**
 * The ledger goes by the database's clock, and records by the engine's, which carries that on and may be behind by as long
 * as an answer took. A step that was run again for no reason would be later than that: by a lease at the least.
 */
const CLOCKS_APART_MS = 1_000;

/** Each question asks for what must not be there. */
const questions = (orders: number): Question[] => [
  {
    what: `${orders} orders`,
    text: `SELECT count(*) || ' orders' AS found FROM orders HAVING count(*) <> $1`,
    values: [orders],
  },
  {
    what: 'every order has a run that completed',
    text: `SELECT 'order ' || o.id || ': ' || coalesce(r.status, 'no run') AS found
           FROM orders o LEFT JOIN durable_runs r ON r.id = 'order-' || o.id WHERE r.status IS DISTINCT FROM 'completed'`,
  },
  {
    what: 'no run without its order',
    text: `SELECT 'run ' || r.id AS found FROM durable_runs r WHERE NOT EXISTS (SELECT FROM orders o WHERE r.id = 'order-' || o.id)`,
  },
  {
    what: `every run recorded ${STEPS_PER_RUN} completed steps`,
    text: `SELECT run_id || ': ' || count(*) FILTER (WHERE status = 'completed') || ' of ' || count(*) AS found
           FROM durable_steps GROUP BY run_id HAVING count(*) <> $1 OR count(*) <> count(*) FILTER (WHERE status = 'completed')`,
    values: [STEPS_PER_RUN],
  },
  {
    what: 'every order had each effect exactly once',
    text: `SELECT 'order ' || o.id || ': ' || count(DISTINCT l.idempotency_key) || ' times ' || e.effect AS found
           FROM orders o CROSS JOIN unnest($1::text[]) e (effect)
           LEFT JOIN ledger_by_key l ON l.order_id = o.id AND l.step = e.effect
           GROUP BY o.id, e.effect HAVING count(DISTINCT l.idempotency_key) <> 1`,
    values: [EFFECTS],
  },
  {
    what: 'no effect that nobody asked for',
    text: `SELECT 'order ' || order_id || ': ' || step AS found FROM ledger_by_key
           WHERE step <> ALL ($1) OR order_id NOT IN (SELECT id FROM orders)`,
    values: [[...EFFECTS, 'placed']],
  },
  {
    what: 'every transaction took place exactly once',
    text: `SELECT 'order ' || order_id || ': ' || sum(executions) || ' times ' || step AS found FROM ledger_by_key
           WHERE step IN ('placed', 'paid') GROUP BY order_id, step HAVING sum(executions) <> 1`,
  },
  {
    what: 'no step was run after it had been recorded',
    text: `SELECT l.idempotency_key AS found FROM ledger_by_key l
           JOIN durable_steps s ON s.run_id = split_part(l.idempotency_key, ':', 1) AND l.idempotency_key = s.run_id || ':' || s.seq
           WHERE l.executions > 1 AND extract(epoch FROM l.last_at) * 1000 > s.finished_at + $1`,
    values: [CLOCKS_APART_MS],
  },
  {
    what: 'no task and no result is left',
    text: `SELECT 'task ' || step_id AS found FROM durable_transport_tasks
           UNION ALL SELECT 'result ' || step_id FROM durable_transport_results`,
  },
];

const LEDGER_BY_KEY = `CREATE TEMPORARY VIEW ledger_by_key AS
  SELECT "orderId" AS order_id, step, "idempotencyKey" AS idempotency_key, count(*) AS executions, max("writtenAt") AS last_at
  FROM ledger GROUP BY 1, 2, 3`;

/** Asks the database, and nobody's counters, whether anything was lost or happened twice. */
export async function runChecks(db: Client, orders: number): Promise<Check[]> {
  await db.query(LEDGER_BY_KEY);
  const checks: Check[] = [];
  for (const { what, text, values = [] } of questions(orders)) {
    const { rows } = await db.query<{ found: string }>(text, values);
    checks.push({ what, found: rows.map(({ found }) => found) });
  }
  return checks;
}
