import { amongKeys } from '../../sql/key-list.js';
import { raw, sql, type Statement } from '../../sql/statement.js';
import { nowOf, type Scope } from '../tables/run.sql.js';

/** A page of all runs by key, so that the cost of a look does not depend on how many wait for what. */
export const selectPage = ({ tables }: Scope, afterId: string, limit: number): Statement =>
  sql`SELECT id, status FROM ${tables.runs} WHERE id > ${afterId} ORDER BY id LIMIT ${raw(String(limit))}`;

/** Steps that workers have been asked for and have not answered; not of runs of which one still waits in a line. */
export const selectAsked = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT s.run_id, s.seq FROM ${tables.steps} AS s
  WHERE s.run_id ${amongKeys(dialect, runIds)} AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM ${tables.limiterEntries} AS e WHERE e.run_id = s.run_id AND e.granted = 0))`;

export const wakeParked = (scope: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} SET wake_at = ${nowOf(scope)}
  WHERE id ${amongKeys(scope.dialect, runIds)} AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL`;
