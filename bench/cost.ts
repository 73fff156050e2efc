import type pg from 'pg';
import { type Address, onPostgres } from './server.js';

/** What a piece of work cost the database. */
export interface Cost {
  statements: number;
  /** Transactions that wrote something. */
  writes: number;
  /** All transactions, those of plain reads as well. */
  transactions: number;
  walBytes: number;
  /** The statements that took longest. */
  top: { calls: number; totalMs: number; text: string }[];
}

interface Counters {
  lsn: string;
  xid: string;
  transactions: string;
}

const COUNTERS = `
  SELECT pg_current_wal_insert_lsn() AS lsn, pg_snapshot_xmax(pg_current_snapshot())::text AS xid,
    (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS transactions`;

/** A backend of the server tells what it counted when it has been idle for ten seconds, or at once when it ends. */
const COUNTED_AFTER_MS = 11_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does `work` and answers what it cost, background work of the processes included. `exact` waits for all counters. */
export function costOf<T>(
  address: Address,
  work: () => Promise<T>,
  { exact = true } = {},
): Promise<{ answer: T; cost: Cost }> {
  return onPostgres(address, async (client) => {
    if (exact) await pause(COUNTED_AFTER_MS);
    await client.query('SELECT pg_stat_statements_reset()');
    const before = await counters(client);
    const answer = await work();
    const { statements, top } = await counted(client);
    const now = await counters(client);
    if (exact) await pause(COUNTED_AFTER_MS);
    const after = exact ? await counters(client) : now;
    const cost = {
      statements,
      top,
      writes: Number(now.xid) - Number(before.xid),
      transactions: Number(after.transactions) - Number(before.transactions),
      walBytes: Number(BigInt(lsn(now.lsn)) - BigInt(lsn(before.lsn))),
    };
    return { answer, cost };
  });
}

async function counters(client: pg.Client): Promise<Counters> {
  await client.query('SELECT pg_stat_clear_snapshot()');
  return (await client.query<Counters>(COUNTERS)).rows[0]!;
}

async function counted(client: pg.Client): Promise<Pick<Cost, 'statements' | 'top'>> {
  const { rows } = await client.query<{ calls: string; ms: number; query: string }>(`
    SELECT calls, total_exec_time + total_plan_time AS ms, query FROM pg_stat_statements
    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    ORDER BY total_exec_time DESC`);
  const top = rows.slice(0, 12).map(({ calls, ms, query }) => ({
    calls: Number(calls),
    totalMs: Math.round(ms),
    text: query.replaceAll(/\s+/g, ' ').trim().slice(0, 160),
  }));
  return { statements: rows.reduce((sum, { calls }) => sum + Number(calls), 0), top };
}

function lsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
