import type { Dialect } from './dialect.js';
import type { DriverConnection } from './driver-connection.js';

/** Reads what is committed at any isolation level; all else would take gap locks at REPEATABLE READ. */
export const isPlainRead = (text: string): boolean =>
  /^\s*(select|show|explain|values)\b/i.test(text) &&
  !/\b(for\s+update|for\s+share|lock\s+in\s+share\s+mode)\b/i.test(text);

/**
 * MySQL family: `next` begins a transaction, and it is at READ COMMITTED. For that one only: the session's own setting
 * belongs to the app.
 */
export async function atReadCommitted<T>(
  connection: DriverConnection,
  dialect: Dialect,
  next: () => Promise<T>,
): Promise<T> {
  connection.readCommitted ??= await isReadCommitted(connection, dialect);
  if (connection.readCommitted) return next();
  // Sent together: a connection answers in order.
  const set = connection.command('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  const [, answer] = await Promise.all([set, next()]);
  return answer;
}

async function isReadCommitted(connection: DriverConnection, dialect: Dialect): Promise<boolean> {
  const variable = dialect.name === 'mariadb' ? '@@tx_isolation' : '@@transaction_isolation';
  const { rows } = await connection.execute({ text: `SELECT ${variable} AS level`, params: [] });
  return rows[0]?.level === 'READ-COMMITTED';
}
