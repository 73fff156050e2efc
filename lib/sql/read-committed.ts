import { DatabaseError } from '../errors.js';
import type { Dialect } from './dialects/dialect.js';
import type { Statement } from './dialects/statement.js';
import type { DriverConnection } from './driver-connection.js';
import type { SqlConnection } from './sql-executor.js';

/**
 * Whoever catches the error of a statement may go on in a transaction that is over already, and its COMMIT would be
 * answered as if all were well: PostgreSQL undoes everything then, and so do the others after a deadlock. So `written`
 * looks, after code of the app, for what the transaction itself has written before it.
 *
 * @throws DatabaseError when it is not there any more.
 */
export async function checkStillStands(tx: SqlConnection, written: Statement): Promise<void> {
  const { rows } = await tx.run(written);
  if (rows.length === 0) throw new DatabaseError(UNDONE, false);
}

const UNDONE =
  'The database has rolled back the transaction of a handler or listener, which went on all the same: let errors of statements through';

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
