import mysql from 'mysql2/promise';
import { type Address, onPostgres } from '../server.js';
import { fill } from './fill.js';
import type { Amounts } from './rows.js';

const TABLES = [
  ...['runs', 'run_attributes', 'steps', 'step_attempts', 'step_logs', 'transport_tasks', 'transport_results'],
  ...['outbox', 'outbox_channels', 'outbox_dead', 'effects', 'signals', 'limiter_entries', 'schedules', 'acts'],
  'samples',
].map((name) => `durable_${name}`);

/** Fills the tables of a database with a dashboard, and lets the server look at what they have. */
export async function crowd(address: Address, amounts: Amounts): Promise<void> {
  if (address.db === 'postgres')
    return onPostgres(address, async (client) => {
      await fill((text) => client.query(text), amounts);
      await client.query('VACUUM ANALYZE');
    });
  const { db: _db, ...to } = address;
  const connection = await mysql.createConnection(to);
  try {
    await fill((text) => connection.query(text), amounts);
    await connection.query(`ANALYZE TABLE ${TABLES.join(', ')}`);
  } finally {
    await connection.end();
  }
}
