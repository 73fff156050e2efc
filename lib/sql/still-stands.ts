import { DatabaseError } from '../errors.js';
import type { SqlConnection } from './sql-executor.js';
import type { Statement } from './statement.js';

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
