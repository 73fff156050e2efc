import type { StrandedRuns } from '../model/node-roster.js';
import { stepIdOf } from '../../protocol/step.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { int, sql, type Statement } from '../../sql/dialects/statement.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { nowOf, type Scope, type SqlNow, type Tables } from '../../sql/tables.js';

/** A page of all runs by key, so that the cost of a read does not depend on how many runs wait. */
export const selectPage = ({ tables }: Scope, afterId: string, limit: number): Statement =>
  sql`SELECT id, status FROM ${tables.runs} WHERE id > ${afterId} ORDER BY id LIMIT ${int(limit)}`;

/** Dispatched remote steps without an answer, except those of runs with a step that still waits in a limiter queue. */
export const selectAsked = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT s.run_id, s.seq FROM ${tables.steps} AS s
  WHERE s.run_id ${amongKeys(dialect, runIds)} AND s.kind = 'remote' AND s.status = 'pending' AND s.wake_at IS NULL
    AND (s.ref IS NULL OR NOT EXISTS (
      SELECT 1 FROM ${tables.limiterEntries} AS e WHERE e.run_id = s.run_id AND e.granted = 0))`;

export const wakeParked = (scope: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} SET wake_at = ${nowOf(scope)}
  WHERE id ${amongKeys(scope.dialect, runIds)} AND status IN ('suspended', 'compensating') AND owner IS NULL AND reason IS NULL`;

/** The sweep's queries on the tables. */
export class SqlStrandedRuns implements StrandedRuns {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async awaited(afterId: string, limit: number): ReturnType<StrandedRuns['awaited']> {
    const { rows } = await this.db.run<{ id: string; status: string }>(selectPage(this.scope, afterId, limit));
    const next = rows.length < limit ? undefined : rows.at(-1)?.id;
    const parked = rows.filter(({ status }) => status === 'suspended' || status === 'compensating').map(({ id }) => id);
    if (parked.length === 0) return { steps: [], next };
    const asked = await this.db.run<{ run_id: string; seq: number | string }>(selectAsked(this.scope, parked));
    const steps = asked.rows.map(({ run_id: runId, seq }) => ({ runId, stepId: stepIdOf(runId, Number(seq)) }));
    return { steps, next };
  }

  async wake(runIds: readonly string[]): Promise<void> {
    await this.db.run(wakeParked(this.scope, runIds));
  }
}
