import mysql from 'mysql2/promise';
import pg from 'pg';
import type { FreshDatabase } from './fresh-database.js';

const TABLES = `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE 'durable\\_%' AND table_schema = `;

/**
 * Locks all tables of ours, so that every read of them waits until the server ends it. Returns what ends the locks.
 */
export async function lockTables(database: FreshDatabase): Promise<() => Promise<void>> {
  const { db, url, host, port, user, password } = database;
  const schema = db === 'postgres' ? 'current_schema()' : 'DATABASE()';
  const tables = (await database.query<{ name: string }>(`${TABLES}${schema}`)).map(({ name }) => name);
  if (db === 'postgres') {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    return () => client.end();
  }
  const client = await mysql.createConnection({ host, port, user, password, database: database.database });
  await client.query(`LOCK TABLES ${tables.map((table) => `${table} WRITE`).join(', ')}`);
  return () => client.end();
}

/** The statements that wait for locked tables now. */
export async function statementsThatWait(database: FreshDatabase): Promise<string[]> {
  const list =
    database.db === 'postgres'
      ? `SELECT query AS text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      : `SELECT info AS text FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting for table%lock'`;
  return (await database.query<{ text: string }>(list)).map(({ text }) => String(text).slice(0, 300));
}
