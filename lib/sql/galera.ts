import type { SqlConnection } from './sql-executor.js';
import { sql, type Statement } from './statement.js';

/**
 * A read that sees all that any node has committed before it. A node of Galera may be behind the one that answered a
 * COMMIT, or did not live to; on any other server nothing is.
 */
export async function inStepWithCluster(db: SqlConnection, read: Statement): Promise<Statement> {
  if (db.dialect.name !== 'mariadb') return read;
  const { rows } = await db.run<{ value: string }>(sql`
    SELECT variable_value AS value FROM information_schema.global_variables WHERE variable_name = 'WSREP_ON'`);
  return rows[0]?.value === 'ON' ? sql`SET STATEMENT wsrep_sync_wait = 1 FOR ${read}` : read;
}
