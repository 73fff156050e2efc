import { WorkflowTimeoutError } from '../../errors/run-errors.js';
import { toWireError } from '../../protocol/wire-error.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import * as dependencies from './dependency.sql.js';
import { deleteDependencies } from './ending.sql.js';
import { type Dependence, isOver, releasesOf } from '../model/run-endings.js';
import { type ClaimedRun, type Precondition, NOTIFIES } from '../model/run.js';

/**
 * Admits runs that wait for other runs.
 *
 * First it marks the other runs, under their locks: transactions that end them later look for dependencies. Then it
 * locks the waiting run, and only after that it reads which of the others have ended. The end of a run at the same time
 * is either committed before, and is seen; or it finds the waiting run parked, and decreases its number of blockers.
 */
export class SqlRunDependencies {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: Scope,
  ) {}

  /** Returns the runs that wait for no other run: they are played, go on to a limiter, or fail. */
  async admit(runs: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
    const ids = runs.map(({ id }) => id);
    const { rows } = await this.db.run<{ target_id: string }>(dependencies.selectTargets(this.scope, ids));
    const targets = rows.map(({ target_id }) => target_id);
    if (targets.length > 0) await this.db.transaction((tx) => this.notifyWaiting(tx, targets));
    return this.db.transaction((tx) => this.decide(tx, runs));
  }

  private async notifyWaiting(tx: SqlConnection, targets: readonly string[]): Promise<void> {
    const { rows } = await tx.run<{ id: string; notifies: number | string }>(
      dependencies.lockOpen(this.scope, targets),
    );
    const silent = rows.filter(({ notifies }) => (Number(notifies) & NOTIFIES.runs) === 0).map(({ id }) => id);
    if (silent.length > 0) await tx.run(dependencies.notifyRuns(this.scope, silent));
  }

  private async decide(tx: SqlConnection, runs: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
    const { scope } = this;
    const { rows: locked } = await tx.run<dependencies.ConditionalRow>(
      dependencies.lockConditional(
        scope,
        runs.map(({ id }) => id),
      ),
    );
    const rows = new Map(locked.map((row) => [row.id, row]));
    const held = runs.filter(({ id, epoch }) => {
      const row = rows.get(id);
      return row !== undefined && Number(row.epoch) === epoch && row.owner !== null;
    });
    if (held.length === 0) return [];
    const waits = await this.waitsOf(tx, held);
    const late = held.filter(({ id }) => waits.get(id)!.blockers > 0 && Number(rows.get(id)!.late) === 1);
    const decided = held.filter((run) => !late.includes(run)).map(({ id }) => waits.get(id)!);
    if (decided.length > 0) await tx.run(dependencies.decideConditional(scope, decided));
    return [
      ...late.map((run) => failing(run, JSON.stringify(toWireError(new WorkflowTimeoutError(run.id))))),
      ...held.filter((run) => !late.includes(run)).flatMap((run) => past(run, waits.get(run.id)!, rows.get(run.id)!)),
    ];
  }

  /** By run: how many runs it still waits for. Deletes dependencies on ended runs. */
  private async waitsOf(
    tx: SqlConnection,
    runs: readonly ClaimedRun[],
  ): Promise<Map<string, dependencies.Conditional>> {
    const { scope } = this;
    const ids = runs.map(({ id }) => id);
    const { rows } = await tx.run<dependencies.TargetRow>(dependencies.selectTargetStatuses(scope, ids));
    const ended = rows.filter(({ status }) => isOver(status));
    const releases = new Map(releasesOf(ended.map(dependenceOf)).map((release) => [release.id, release]));
    const failed = (id: string) => releases.get(id)?.error ?? null;
    const gone = rows.filter(({ run_id, status }) => isOver(status) || failed(run_id) !== null);
    if (gone.length > 0) await tx.run(deleteDependencies(scope, gone));
    const waits = new Map<string, dependencies.Conditional>(
      ids.map((id) => [id, { id, blockers: 0, error: failed(id) }]),
    );
    for (const { run_id, status } of rows) {
      const wait = waits.get(run_id)!;
      if (!isOver(status) && wait.error === null) wait.blockers++;
    }
    return waits;
  }
}

const dependenceOf = ({ run_id: runId, target_id: targetId, status }: dependencies.TargetRow): Dependence => ({
  runId,
  targetId,
  status,
});

function past(
  run: ClaimedRun,
  { blockers, error }: dependencies.Conditional,
  { limiter }: dependencies.ConditionalRow,
): ClaimedRun[] {
  if (error !== null) return [failing(run, error)];
  const precondition: Precondition | null = limiter === null ? null : 'limiter';
  return blockers > 0 ? [] : [{ ...run, precondition }];
}

/** The run has not begun, so there is nothing to compensate. */
const failing = (run: ClaimedRun, error: string): ClaimedRun => ({
  ...run,
  precondition: null,
  closing: 'failed',
  error,
});
