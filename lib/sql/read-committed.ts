import { DatabaseError } from '../errors.js';
import type { Dialect } from './dialects/dialect.js';
import type { Statement } from './dialects/statement.js';
import type { DriverConnection } from './driver-connection.js';
import type { SqlConnection } from './sql-executor.js';

/**
 * Code that catches a statement's error may continue in an aborted transaction whose COMMIT gives no error: PostgreSQL
 * then rolls back everything, and so do the others after a deadlock. So after app code, `written` reads a row that the
 * transaction itself wrote before it.
 *
 * @throws DatabaseError when the row no longer exists.
 */
export async function checkStillStands(tx: SqlConnection, written: Statement): Promise<void> {
  const { rows } = await tx.run(written);
  if (rows.length === 0) throw new DatabaseError(UNDONE, false);
}

const UNDONE =
  'The database rolled back the transaction of a handler or listener, but the code continued: do not catch errors of its statements';

/** A plain read sees committed data at any isolation level; others would take gap locks at REPEATABLE READ. */
export const isPlainRead = (text: string): boolean =>
  /^\s*(select|show|explain|values)\b/i.test(text) &&
  !/\b(for\s+update|for\s+share|lock\s+in\s+share\s+mode)\b/i.test(text);

/**
 * MySQL family: runs `next`, which begins a transaction, at READ COMMITTED. Only for that transaction: the session's
 * own setting belongs to the app.
 */
export async function atReadCommitted<T>(
  connection: DriverConnection,
  dialect: Dialect,
  next: () => Promise<T>,
): Promise<T> {
  connection.readCommitted ??= await isReadCommitted(connection, dialect);
  if (connection.readCommitted) return next();
  // Sent together: a connection runs statements in order.
  const set = connection.command('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  const [, answer] = await Promise.all([set, next()]);
  return answer;
}

/** PostgreSQL is not asked. */
const LEVEL: Record<Dialect['name'], string> = {
  postgres: `current_setting('transaction_isolation')`,
  mysql: '@@transaction_isolation',
  mariadb: '@@tx_isolation',
};

async function isReadCommitted(connection: DriverConnection, { name }: Dialect): Promise<boolean> {
  const { rows } = await connection.execute({ text: `SELECT ${LEVEL[name]} AS level`, params: [] });
  return rows[0]?.level === 'READ-COMMITTED';
}
