import { amongKeys } from '../../sql/dialects/key-list.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import type { ResumePoint, RunStatus } from '../model/run.js';
import { STEP_COLUMNS } from '../tables/step.sql.js';

export interface ResumableRow {
  id: string;
  parent_id: string | null;
  status: RunStatus;
  closing: string | null;
  output: string | null;
  resume: string | null;
  erased_at: number | string | null;
  now: number | string;
}

export const lockResumable = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, parent_id, status, closing, output, resume, erased_at, ${nowOf(scope)} AS now FROM ${scope.tables.runs}
  WHERE id ${amongKeys(scope.dialect, ids)} ORDER BY id FOR UPDATE`;

/** Their newest rows, also in the app's transaction: all but the steps that completed. */
export const selectUncompleted = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps}
  WHERE run_id ${amongKeys(dialect, runIds)} AND (status <> 'completed' OR seq < 0) ${dialect.newest}`;

/** The code asks for these positions anew. */
export const forgetSteps = ({ tables, dialect }: Scope, keys: readonly { runId: string; seq: number }[]): Statement =>
  dialect.deleteFrom({
    table: tables.steps,
    as: 's',
    from: sql`${dialect.rows(JSON.stringify(keys.map(({ runId, seq }) => ({ run_id: runId, seq }))), { run_id: 'key', seq: 'int' })} AS d`,
    on: raw('s.run_id = d.run_id AND s.seq = d.seq'),
  });

export const forgetMarkers = ({ tables }: Scope, runId: string, after: number): Statement =>
  sql`DELETE FROM ${tables.steps} WHERE run_id = ${runId} AND seq >= ${after} AND kind = 'marker'`;

export const keepResume = ({ tables }: Scope, runId: string, resume: ResumePoint): Statement =>
  sql`UPDATE ${tables.runs} SET resume = ${JSON.stringify(resume)} WHERE id = ${runId}`;

/** Makes ended runs due. A run with a limiter asks it again; a time limit begins anew. */
export const resumeRuns = (scope: Scope, runs: readonly { id: string; resume: ResumePoint }[]): Statement => {
  const json = JSON.stringify(runs.map(({ id, resume }) => ({ id, resume: JSON.stringify(resume) })));
  return scope.dialect.updateFrom({
    table: scope.tables.runs,
    as: 'r',
    from: sql`${scope.dialect.rows(json, { id: 'key', resume: 'text' })} AS n`,
    on: raw('r.id = n.id'),
    set: {
      status: raw(`CASE WHEN r.limiter IS NULL THEN 'suspended' ELSE 'pending' END`),
      precondition: raw(`CASE WHEN r.limiter IS NULL THEN NULL ELSE 'limiter' END`),
      wake_at: nowOf(scope),
      deadline: sql`${nowOf(scope)} + r.timeout_ms`,
      crashes: raw('0'),
      closing: raw('NULL'),
      error: raw('NULL'),
      finished_at: raw('NULL'),
      resume: raw('n.resume'),
      settled: sql`(SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = r.id)`,
    },
  });
};
