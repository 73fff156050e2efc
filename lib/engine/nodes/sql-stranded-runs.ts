import { stepIdOf } from '../../protocol/step.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/sql-now.js';
import type { Tables } from '../../sql/tables.js';
import type { Scope } from '../tables/run.sql.js';
import type { StrandedRuns } from '../model/stranded-sweep.js';
import * as stranded from './stranded.sql.js';

/** The sweep's questions, asked of the tables. */
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
    const { rows } = await this.db.run<{ id: string; status: string }>(stranded.selectPage(this.scope, afterId, limit));
    const next = rows.length < limit ? undefined : rows.at(-1)?.id;
    const parked = rows.filter(({ status }) => status === 'suspended' || status === 'compensating').map(({ id }) => id);
    if (parked.length === 0) return { steps: [], next };
    const asked = await this.db.run<{ run_id: string; seq: number | string }>(stranded.selectAsked(this.scope, parked));
    const steps = asked.rows.map(({ run_id: runId, seq }) => ({ runId, stepId: stepIdOf(runId, Number(seq)) }));
    return { steps, next };
  }

  async wake(runIds: readonly string[]): Promise<void> {
    await this.db.run(stranded.wakeParked(this.scope, runIds));
  }
}
