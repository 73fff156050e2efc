import mysql from 'mysql2';
import pg from 'pg';
import { driverExecutor } from '../../lib/sql/driver-executor.js';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import type { FreshDatabase } from './fresh-database.js';

/** A client of a driver, as code of an app uses it. */
export interface Client {
  query(text: string): Promise<unknown>;
  release(): void;
}

/** A pool of the driver alone. */
export interface DriverPool {
  pool: object;
  executor: SqlExecutor;
  connect(): Promise<Client>;
  end(): Promise<void>;
}

export function poolOn({ db, host, port, user, password, database }: FreshDatabase): DriverPool {
  if (db === 'postgres') {
    const pool = new pg.Pool({ host, port, user, password, database, max: 6 });
    return { pool, executor: driverExecutor(pool), connect: () => pool.connect(), end: () => pool.end() };
  }
  const pool = mysql.createPool({ host, port, user, password, database, connectionLimit: 6 });
  const executor = driverExecutor(pool, db === 'mariadb' ? { dialect: 'mariadb' } : {});
  return { pool, executor, connect: () => pool.promise().getConnection(), end: () => pool.promise().end() };
}

/** As code of an app writes it that has no ORM. */
export async function byText<T>(connect: () => Promise<Client>, inside: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect();
  try {
    await client.query('BEGIN');
    const answer = await inside(client);
    await client.query('COMMIT');
    return answer;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
