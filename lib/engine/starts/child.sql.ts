import { amongKeys } from '../../sql/key-list.js';
import { id, sql, type Statement } from '../../sql/statement.js';
import { insertRuns, type RunWithTurn, type Scope } from '../tables/run.sql.js';

export interface BelongingRow {
  id: string;
  parent_id: string | null;
  parent_seq: number | string | null;
}

/** Those whose id is free. */
export const insertChildren = (scope: Scope, children: readonly RunWithTurn[]): Statement =>
  scope.dialect.insertOrKeep(insertRuns(scope, children), id('id'));

export const selectBelonging = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, parent_id, parent_seq FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;
