import { readdirSync, readFileSync } from 'node:fs';
import mysql from 'mysql2/promise';
import type pg from 'pg';
import type { BenchProcess } from './processes.js';
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

/** What a piece of work cost its processes and the server, in ms of processor time. */
export interface CpuCost {
  appMs: number;
  serverMs: number;
}

/** Does `work` and returns what it cost the server and these processes. */
export async function cpuCostOf<T>(
  { pid, processes }: { pid: number; processes: readonly BenchProcess[] },
  work: () => Promise<T>,
): Promise<{ answer: T; cpu: CpuCost }> {
  const apps = async () => {
    const each = await Promise.all(processes.map((one) => one.ask<number>('cpu')));
    return each.reduce((sum, ms) => sum + ms, 0);
  };
  const [app, server] = [await apps(), serverCpuMs(pid)];
  const answer = await work();
  const serverMs = serverCpuMs(pid) - server;
  return { answer, cpu: { serverMs, appMs: (await apps()) - app } };
}

interface Costly<T> {
  answer: T;
  cost: Cost;
}

/** Does `work` and returns what it cost, background work of the processes included. */
export const costOf = <T>(address: Address, work: () => Promise<T>): Promise<Costly<T>> =>
  address.db === 'postgres' ? costOnPostgres(address, work) : costOnMysql(address, work);

function costOnPostgres<T>(address: Address, work: () => Promise<T>): Promise<Costly<T>> {
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

/** Of the whole server, which is ours alone. */
async function costOnMysql<T>({ db: _, ...to }: Address, work: () => Promise<T>): Promise<Costly<T>> {
  const connection = await mysql.createConnection(to);
  try {
    await connection.query(`SET GLOBAL innodb_monitor_enable = 'trx_rw_commits'`);
    const before = await counts(connection);
    const answer = await work();
    const after = await counts(connection);
    const spent = (counter: string) => Number(after.get(counter)) - Number(before.get(counter));
    // The two statements of the first look are counted after it.
    const statements = spent('Questions') - 2;
    const walBytes = spent('Innodb_os_log_written');
    return { answer, cost: { statements, writes: spent('trx_rw_commits'), walBytes, top: [] } };
  } finally {
    await connection.end();
  }
}

async function counts(connection: mysql.Connection): Promise<Map<string, string>> {
  const looks = [
    `SHOW GLOBAL STATUS WHERE variable_name IN ('Questions', 'Innodb_os_log_written')`,
    `SELECT name, count FROM information_schema.innodb_metrics WHERE name = 'trx_rw_commits'`,
  ];
  const found = new Map<string, string>();
  for (const sql of looks) {
    const [rows] = await connection.query<(mysql.RowDataPacket & [string, string])[]>({ sql, rowsAsArray: true });
    for (const [name, count] of rows) found.set(name, count);
  }
  return found;
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
function serverCpuMs(pid: number): number {
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
