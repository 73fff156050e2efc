import { SqlRunDependencies } from '../endings/sql-run-dependencies.js';
import * as limiters from './limiter.sql.js';
import { SqlLimiters } from './sql-limiters.js';
import type { Admissions } from '../model/limiter.js';
import type { ClaimedRun } from '../model/run.js';
import type { ExtrasWriter } from '../tables/sql-extras-writer.js';
import { inParts } from '../../sql/in-parts.js';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';

/** Writes steps that leave their limiter, or begin to wait. Locks no limiter: permits are granted after the commit. */
export const writeLimiterMoves: ExtrasWriter = async (tx, scope, writes) => {
  const leaves = writes.flatMap(({ extras }) => extras?.leaves ?? []);
  const queues = writes.flatMap(({ extras }) => extras?.queues ?? []);
  if (leaves.length > 0) {
    const holders = leaves.map(({ holder }) => holder);
    await inParts(tx, holders, (some) => limiters.deleteEntries(scope, some));
  }
  if (queues.length === 0) return;
  await inParts(tx, queues, (some) => limiters.upsertStepEntries(scope, some));
  // So that the end of the run removes its remaining entries from the queue.
  await tx.run(limiters.notifyLimiters(scope, [...new Set(queues.map(({ task }) => task.runId))]));
};

/** Releases the permits of answered steps. Returns their limiters. */
export async function leaveLimiters(tx: SqlConnection, scope: Scope, holders: readonly string[]): Promise<string[]> {
  if (holders.length === 0) return [];
  const { rows } = await tx.run<{ limiter: string }>(limiters.selectEntries(scope, holders));
  if (rows.length > 0) await tx.run(limiters.deleteEntries(scope, holders));
  return [...new Set(rows.map(({ limiter }) => limiter))];
}

/** Preconditions in tables: other runs to wait for, and limiters with limits. */
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
