import { byFamily } from '../sql/dialects/dialect.js';
import type { SqlConnection, SqlExecutor } from '../sql/sql-executor.js';
import { createTable, KEY } from '../sql/migrations/schema-steps.js';
import { id, type Identifier, raw, sql } from '../sql/dialects/statement.js';

/** An app with its own pool, and a second process on the same database. */
export interface SqlExecutorFixture {
  executor: SqlExecutor;
  another: SqlExecutor;
  /** Runs `work` in a transaction of the app's ORM, with the handle of its callback. */
  appTransaction<T>(work: (handle: unknown) => Promise<T>): Promise<T>;
  /** The same inside another one: a savepoint. */
  nestedTransaction<T>(handle: unknown, work: (handle: unknown) => Promise<T>): Promise<T>;
  /** Values that an app might pass by mistake. */
  notTransactions: readonly unknown[];
}

let tables = 0;

/** A new table (id key, n bigint, body text). */
export async function freshTable(executor: SqlExecutor): Promise<Identifier> {
  const table = id(`conformance_${++tables}`);
  const columns = [`id ${KEY} NOT NULL PRIMARY KEY`, 'n bigint', `body ${executor.dialect.textType}`];
  await executor.run(createTable(executor.dialect, table, columns).statement);
  return table;
}

export interface Item {
  id: string;
  n?: number | bigint | null;
  body?: string | null;
}

export const insert = (on: SqlConnection, table: Identifier, { id: key, n = null, body = null }: Item) =>
  on.run(sql`INSERT INTO ${table} (id, n, body) VALUES (${key}, ${n}, ${body})`);

export async function idsIn(on: SqlConnection, table: Identifier): Promise<string[]> {
  const { rows } = await on.run<{ id: string }>(sql`SELECT id FROM ${table} ORDER BY id`);
  return rows.map((row) => row.id);
}

/** The server's id of this connection. */
export async function connectionId(on: SqlConnection): Promise<number> {
  const ask = byFamily(on.dialect, { postgres: () => raw('pg_backend_pid()'), mysql: () => raw('CONNECTION_ID()') });
  const { rows } = await on.run<{ id: number }>(sql`SELECT ${ask} AS id`);
  return Number(rows[0]?.id);
}

/** Ends a connection from the server's side, like a restart or an administrator. */
export async function killConnection(by: SqlConnection, connection: number): Promise<void> {
  await byFamily(by.dialect, {
    postgres: () => by.run(sql`SELECT pg_terminate_backend(${connection})`),
    mysql: () => by.run(raw(`KILL ${connection}`)),
  });
}

/** A promise and its resolve function, to synchronize two transactions. */
export function signal(): { reached: Promise<void>; reach: () => void } {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return { reached, reach };
}
