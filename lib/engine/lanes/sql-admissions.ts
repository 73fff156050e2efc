import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/sql-now.js';
import type { Tables } from '../../sql/tables.js';
import type { Admissions } from '../model/admissions.js';
import type { ClaimedRun } from '../model/run.js';
import { SqlLanes } from './sql-lanes.js';
import { SqlRunDependencies } from '../endings/sql-run-dependencies.js';

/** Preconditions in tables: runs that others wait for, and lanes with limits. */
export class SqlAdmissions implements Admissions {
  private readonly lanes: SqlLanes;
  private readonly dependencies: SqlRunDependencies;

  constructor(db: SqlExecutor, tables: Tables, notifier: Notifier, now: SqlNow = () => db.dialect.now) {
    const scope = { tables, dialect: db.dialect, now };
    this.dependencies = new SqlRunDependencies(db, scope);
    this.lanes = new SqlLanes(db, scope, notifier);
  }

  async admit(runs: readonly ClaimedRun[]): ReturnType<Admissions['admit']> {
    const waiting = runs.filter(({ precondition }) => precondition === 'after');
    const past = waiting.length > 0 ? await this.dependencies.admit(waiting) : [];
    const conditional = [
      ...runs.filter(({ precondition }) => precondition === 'lane'),
      ...past.filter(({ precondition }) => precondition === 'lane'),
    ];
    const letIn = past.filter(({ precondition }) => precondition === null);
    if (conditional.length === 0) return { admitted: letIn, runs: false, opensAt: null };
    const { admitted, ...granted } = await this.lanes.admit(conditional);
    return { admitted: [...letIn, ...admitted], ...granted };
  }

  readonly grant: Admissions['grant'] = (...args) => this.lanes.grant(...args);
  readonly waiting: Admissions['waiting'] = (...args) => this.lanes.waiting(...args);
  readonly inLine: Admissions['inLine'] = (stepIds) => this.lanes.inLine(stepIds);
  readonly onFreed: Admissions['onFreed'] = (listener) => this.lanes.onFreed(listener);
}
