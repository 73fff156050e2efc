import * as controls from './control.sql.js';
import * as statements from './ending.sql.js';
import { answerOfChild, releasesOf } from '../model/run-endings.js';
import { type Endings, NO_ENDINGS } from '../model/run-store.js';
import { NOTIFIES, type RunStatus, isFinal } from '../model/run.js';
import { lastOutcomes } from '../model/step-record.js';
import { type StepRow, stepOf, upsertSteps } from '../tables/step.sql.js';
import type { StepAnswer } from '../../protocol/step.js';
import { inParts } from '../../sql/in-parts.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';

/**
 * For runs closed in this transaction, which has locked them: records existing answers of workers as outcomes of their
 * steps, so that these are compensated, and not asked for again by a `retry`.
 */
export async function settleLastAnswers(
  tx: SqlConnection,
  scope: Scope,
  runIds: readonly string[],
  answers: readonly StepAnswer[] = [],
): Promise<void> {
  const answered = new Set(answers.map(({ runId }) => runId));
  const ids = runIds.filter((id) => answered.has(id));
  if (ids.length === 0) return;
  await tx.run(controls.countSettled(scope, ids));
  type OrderRow = { id: string; settled: number | string };
  const runs = (await tx.run<OrderRow>(controls.selectOrders(scope, ids))).rows;
  const open = (await tx.run<StepRow>(controls.lockOpenRemote(scope, ids))).rows.map(stepOf);
  const order = runs.map(({ id, settled }) => ({ id, settled: Number(settled) }));
  const steps = lastOutcomes(order, open, answers);
  if (steps.length === 0) return;
  await inParts(tx, steps, (some) => upsertSteps(scope, some));
  await tx.run(controls.countSettled(scope, ids));
}

/** A run that has ended in this transaction, and who must be notified. */
export interface EndedRun {
  id: string;
  notifies: number;
}

/**
 * Applies the effects of runs that ended in this transaction, with their rows locked: returns answers to the steps of
 * their parents, releases waiting runs, and frees permits of limiters. `woken`: runs became due.
 */
export async function tellEndings(
  tx: SqlConnection,
  scope: Scope,
  ended: readonly EndedRun[],
): Promise<Endings & { woken: boolean }> {
  const notifying = (whom: number) => ended.filter(({ notifies }) => (notifies & whom) !== 0).map(({ id }) => id);
  const [children, targets, holders] = [
    notifying(NOTIFIES.parent),
    notifying(NOTIFIES.runs),
    notifying(NOTIFIES.limiter),
  ];
  return {
    answers: children.length > 0 ? await answersOf(tx, scope, children) : NO_ENDINGS.answers,
    woken: targets.length > 0 && (await releaseWaiters(tx, scope, targets)),
    limiters: holders.length > 0 ? await leaveLimiters(tx, scope, holders) : NO_ENDINGS.limiters,
  };
}

async function answersOf(tx: SqlConnection, scope: Scope, ids: readonly string[]): Promise<Endings['answers']> {
  const { rows } = await tx.run<statements.EndedChildRow>(statements.selectEndedChildren(scope, ids));
  return rows.map(({ parent_id: parentId, parent_seq, ...child }) =>
    answerOfChild({ ...child, parentId, parentSeq: Number(parent_seq) }),
  );
}

/**
 * Decreases the blockers of parked runs under their locks. The dependencies of a claimed run are kept: after this
 * transaction, its owner reads which runs it still waits for.
 */
async function releaseWaiters(tx: SqlConnection, scope: Scope, targets: readonly string[]): Promise<boolean> {
  const first = (await tx.run<statements.DependencyRow>(statements.selectDependenciesTo(scope, targets))).rows;
  if (first.length === 0) return false;
  const ids = [...new Set(first.map(({ run_id }) => run_id))];
  const { rows: locked } = await tx.run<statements.WaiterRow>(statements.lockWaiters(scope, ids));
  const parked = new Map(locked.filter(isParked).map(({ id, blockers }) => [id, Number(blockers)]));
  const over = new Set(locked.filter(({ status }) => isFinal(status)).map(({ id }) => id));
  // Read again under the locks: now no other transaction can delete these dependencies.
  const { rows: dependencies } = await tx.run<statements.DependencyRow>(
    statements.selectDependenciesTo(scope, targets),
  );
  const told = dependencies.filter(({ run_id }) => parked.has(run_id));
  const gone = [...told, ...dependencies.filter(({ run_id }) => over.has(run_id))];
  if (gone.length > 0) await tx.run(statements.deleteDependencies(scope, gone));
  if (told.length === 0) return false;
  const { rows } = await tx.run<{ id: string; status: RunStatus }>(statements.selectStatuses(scope, targets));
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const releases = releasesOf(
    told.map(({ run_id: runId, target_id: targetId }) => ({ runId, targetId, status: statuses.get(targetId)! })),
  );
  await tx.run(statements.releaseWaiters(scope, releases));
  const failed = releases.filter(({ error }) => error !== null).map(({ id }) => id);
  if (failed.length > 0) await tx.run(statements.deleteDependenciesOf(scope, failed));
  return releases.some(({ id, met, error }) => error !== null || met >= parked.get(id)!);
}

const isParked = ({ status, reason, owner }: statements.WaiterRow): boolean =>
  status === 'pending' && reason === 'waiting_for_runs' && owner === null;

async function leaveLimiters(tx: SqlConnection, scope: Scope, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.run<{ limiter: string }>(statements.selectLimitersOf(scope, runIds));
  if (rows.length === 0) return [];
  await tx.run(statements.deletePermitsOf(scope, runIds));
  return rows.map(({ limiter }) => limiter);
}
