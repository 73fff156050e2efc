import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { type Address, onPostgres } from './server.js';

/** What a piece of work cost the database. */
export interface Cost {
  statements: number;
  /** Commits of transactions that wrote something. */
  writes: number;
  walBytes: number;
  /** The statements that took longest. */
  top: { calls: number; totalMs: number; text: string }[];
}

const COUNTERS = `
  SELECT pg_current_wal_insert_lsn() AS lsn, pg_snapshot_xmax(pg_current_snapshot())::text AS xid`;

/** Does `work` and returns what it cost, background work of the processes included. */
export function costOf<T>(address: Address, work: () => Promise<T>): Promise<{ answer: T; cost: Cost }> {
  return onPostgres(address, async (client) => {
    const before = await counters(client);
    await client.query('SELECT pg_stat_statements_reset()');
    const answer = await work();
    const { statements, top } = await counted(client);
    const after = await counters(client);
    const walBytes = Number(lsn(after.lsn) - lsn(before.lsn));
    return { answer, cost: { statements, top, writes: Number(after.xid) - Number(before.xid), walBytes } };
  });
}

async function counters(client: pg.Client): Promise<{ lsn: string; xid: string }> {
  return (await client.query<{ lsn: string; xid: string }>(COUNTERS)).rows[0]!;
}

async function counted(client: pg.Client): Promise<Pick<Cost, 'statements' | 'top'>> {
  const { rows } = await client.query<{ calls: string; ms: number; query: string }>(`
    SELECT calls, total_exec_time + total_plan_time AS ms, query FROM pg_stat_statements
    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE '%pg_current_wal_insert_lsn%'
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

/** Per second, in all of Linux. */
const TICKS = 100;

/**
 * The processor time of a server and of all processes that it has started, in ms, as far as they live; NaN where there
 * is no `/proc`.
 */
export function serverCpuMs(pid: number): number {
  const mine = statOf(pid);
  if (!mine) return Number.NaN;
  const all = readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? (statOf(Number(entry)) ?? []) : []));
  return all.reduce((sum, { parent, ms }) => (parent === pid ? sum + ms : sum), mine.ms);
}

/** `ms`: with that of its children which have ended. */
function statOf(pid: number): { parent: number; ms: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ms: (ticks / TICKS) * 1_000 };
  } catch {
    return undefined;
  }
}
