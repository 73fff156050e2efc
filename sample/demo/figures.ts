import type { Client } from 'pg';
import { EFFECTS } from './app/order.workflow.js';

export interface Figures {
  completed: number;
  lost: number;
  /** Effects of one kind that the order with the fewest, and the most, has had. */
  fewest: number;
  most: number;
  duplicated: number;
  steps: number;
  again: number;
  p50: number;
  p95: number;
  longest: number;
  seconds: number;
}

/** From the commit of the order's transaction, which the server noted, to the first row that a step of it wrote. */
const FIRST_STEPS = `
  SELECT 1000 * extract(epoch FROM min(l."writtenAt") - min(pg_xact_commit_timestamp(p.xmin)))::float8 AS ms
  FROM ledger p JOIN ledger l ON l."orderId" = p."orderId" AND l.step = 'price'
  WHERE p.step = 'placed' GROUP BY p."orderId"`;

const EFFECTS_PER_ORDER = `
  SELECT count(DISTINCT l."idempotencyKey")::int AS times
  FROM orders o CROSS JOIN unnest($1::text[]) e (effect)
  LEFT JOIN ledger l ON l."orderId" = o.id AND l.step = e.effect GROUP BY o.id, e.effect`;

const FIGURES = `
  SELECT (SELECT count(*)::int FROM durable_runs WHERE status = 'completed') AS completed,
    (SELECT count(*)::int FROM orders o WHERE NOT EXISTS
      (SELECT FROM durable_runs r WHERE r.id = 'order-' || o.id AND r.status = 'completed')) AS lost,
    (SELECT count(*)::int FROM (SELECT FROM ledger GROUP BY "orderId", step
      HAVING count(DISTINCT "idempotencyKey") > 1) twice) AS duplicated,
    (SELECT min(times) FROM (${EFFECTS_PER_ORDER}) effects) AS fewest,
    (SELECT max(times) FROM (${EFFECTS_PER_ORDER}) effects) AS most,
    (SELECT count(*)::int FROM durable_steps WHERE status = 'completed') AS steps,
    (SELECT (count(*) - count(DISTINCT "idempotencyKey" || ' ' || step))::int FROM ledger) AS again,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95,
    max(ms) AS longest,
    (SELECT (max(finished_at) - min(created_at)) / 1000.0::float8 FROM durable_runs) AS seconds
  FROM (${FIRST_STEPS}) first_steps`;

export async function readFigures(db: Client): Promise<Figures> {
  const { rows } = await db.query<Figures>(FIGURES, [EFFECTS]);
  return rows[0]!;
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

export function tableOf(figures: Figures, orders: number, repeated: number): string {
  const { completed, fewest, most, steps, again, p50, p95, longest, seconds } = figures;
  const rows: [string, string | number, string][] = [
    ['orders', orders, repeated > 0 ? `${repeated} requests failed and were sent again` : ''],
    ['runs completed', completed, ''],
    ['steps run', steps, 'local, remote, transaction, sleep'],
    ['steps run again after a kill', again, 'cut off in the middle; same idempotency key'],
    [
      'effects per order',
      fewest === 1 && most === 1 ? 'exactly one' : `${fewest} to ${most}`,
      'of each kind, by idempotency key',
    ],
    ['commit to first step, p50', ms(p50), ''],
    ['commit to first step, p95', ms(p95), `the longest waited ${ms(longest)}`],
    ['steps per second', Math.round(steps / seconds), `over ${seconds.toFixed(1)} s, outages included`],
  ];
  return rows
    .map(([what, value, note]) => `  ${what.padEnd(30)}${String(value).padStart(12)}  ${note}`.trimEnd())
    .join('\n');
}
