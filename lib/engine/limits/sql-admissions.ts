import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/sql-now.js';
import type { Tables } from '../../sql/tables.js';
import type { Admissions } from '../model/admissions.js';
import type { ClaimedRun } from '../model/run.js';
import { SqlLimiters } from './sql-limiters.js';
import { SqlRunDependencies } from '../endings/sql-run-dependencies.js';

/** Preconditions in tables: runs that others wait for, and limiters with limits. */
export class SqlAdmissions implements Admissions {
  private readonly limiters: SqlLimiters;
  private readonly dependencies: SqlRunDependencies;

  constructor(db: SqlExecutor, tables: Tables, notifier: Notifier, now: SqlNow = () => db.dialect.now) {
    const scope = { tables, dialect: db.dialect, now };
    this.dependencies = new SqlRunDependencies(db, scope);
    this.limiters = new SqlLimiters(db, scope, notifier);
  }

  async admit(runs: readonly ClaimedRun[]): ReturnType<Admissions['admit']> {
    const waiting = runs.filter(({ precondition }) => precondition === 'after');
    const past = waiting.length > 0 ? await this.dependencies.admit(waiting) : [];
    const conditional = [
      ...runs.filter(({ precondition }) => precondition === 'limiter'),
      ...past.filter(({ precondition }) => precondition === 'limiter'),
    ];
    const letIn = past.filter(({ precondition }) => precondition === null);
    if (conditional.length === 0) return { admitted: letIn, runs: false, opensAt: null };
    const { admitted, ...granted } = await this.limiters.admit(conditional);
    return { admitted: [...letIn, ...admitted], ...granted };
  }

  readonly grant: Admissions['grant'] = (...args) => this.limiters.grant(...args);
  readonly waiting: Admissions['waiting'] = (...args) => this.limiters.waiting(...args);
  readonly queued: Admissions['queued'] = (stepIds) => this.limiters.queued(stepIds);
  readonly onFreed: Admissions['onFreed'] = (listener) => this.limiters.onFreed(listener);
}
