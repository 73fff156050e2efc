import { amongKeys } from '../sql/key-list.js';
import { raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, type Scope } from './run.sql.js';

/** A page of all runs by key, so that the cost of a look does not depend on how many wait for what. */
export const selectPage = ({ tables }: Scope, afterId: string, limit: number): Statement =>
  sql`SELECT id, status FROM ${tables.runs} WHERE id > ${afterId} ORDER BY id LIMIT ${raw(String(limit))}`;

/** Steps that workers have been asked for and have not answered. */
export const selectAsked = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT run_id, seq FROM ${tables.steps}
  WHERE run_id ${amongKeys(dialect, runIds)} AND kind = 'remote' AND status = 'pending' AND wake_at IS NULL`;

export const wakeParked = (scope: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} SET wake_at = ${nowOf(scope)}
  WHERE id ${amongKeys(scope.dialect, runIds)} AND status = 'suspended' AND owner IS NULL AND reason IS NULL`;
