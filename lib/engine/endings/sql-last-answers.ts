import type { StepAnswer } from '../../protocol/step.js';
import { inParts } from '../../sql/in-parts.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import * as controls from './control.sql.js';
import type { Scope } from '../tables/run.sql.js';
import { lastOutcomes } from '../model/settled-answers.js';
import { stepOf, type StepRow, upsertSteps } from '../tables/step.sql.js';

/**
 * Runs that began to be compensated in this transaction, which holds their rows: what workers had answered by then is
 * recorded as the outcome of their steps, so that it is undone.
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
  type OrderRow = { id: string; settled: number | string };
  const runs = (await tx.run<OrderRow>(controls.selectOrders(scope, ids))).rows;
  const open = (await tx.run<StepRow>(controls.lockOpenRemote(scope, ids))).rows.map(stepOf);
  const order = runs.map(({ id, settled }) => ({ id, settled: Number(settled) }));
  const steps = lastOutcomes(order, open, answers);
  if (steps.length === 0) return;
  await inParts(tx, steps, (some) => upsertSteps(scope, some));
  await tx.run(controls.countSettled(scope, ids));
}
