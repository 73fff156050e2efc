import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import type { OverdueRuns } from '../model/run-control.js';
import { selectOverdue } from './overdue-runs.sql.js';

interface OverdueRow {
  workflow: string;
  version: number | string;
  since: number | string;
}

export async function overdueRuns(
  db: SqlConnection,
  scope: Scope,
  namespace: string,
  olderThanMs: number,
): Promise<OverdueRuns[]> {
  const { rows } = await db.run<OverdueRow>(selectOverdue(scope, namespace, olderThanMs));
  return rows.map(({ workflow, version, since }) => ({ workflow, version: Number(version), since: Number(since) }));
}
