import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/sql-now.js';
import type { Tables } from '../../sql/tables.js';
import type { Admissions } from '../model/admissions.js';
import type { ClaimedRun } from '../model/run.js';
import { SqlLanes } from './sql-lanes.js';
import { SqlRunEdges } from '../endings/sql-run-edges.js';

/** Gates in tables: runs that others wait for, and lanes with limits. */
export class SqlAdmissions implements Admissions {
  private readonly lanes: SqlLanes;
  private readonly edges: SqlRunEdges;

  constructor(db: SqlExecutor, tables: Tables, notifier: Notifier, now: SqlNow = () => db.dialect.now) {
    const scope = { tables, dialect: db.dialect, now };
    this.edges = new SqlRunEdges(db, scope);
    this.lanes = new SqlLanes(db, scope, notifier);
  }

  async admit(runs: readonly ClaimedRun[]): ReturnType<Admissions['admit']> {
    const waiting = runs.filter(({ gate }) => gate === 'after');
    const past = waiting.length > 0 ? await this.edges.admit(waiting) : [];
    const gated = [...runs.filter(({ gate }) => gate === 'lane'), ...past.filter(({ gate }) => gate === 'lane')];
    const letIn = past.filter(({ gate }) => gate === null);
    if (gated.length === 0) return { admitted: letIn, runs: false, opensAt: null };
    const { admitted, ...granted } = await this.lanes.admit(gated);
    return { admitted: [...letIn, ...admitted], ...granted };
  }

  readonly grant: Admissions['grant'] = (...args) => this.lanes.grant(...args);
  readonly waiting: Admissions['waiting'] = (...args) => this.lanes.waiting(...args);
  readonly inLine: Admissions['inLine'] = (stepIds) => this.lanes.inLine(stepIds);
  readonly onFreed: Admissions['onFreed'] = (listener) => this.lanes.onFreed(listener);
}
