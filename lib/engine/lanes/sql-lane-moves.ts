import { inParts } from '../../sql/in-parts.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import * as lanes from './lane.sql.js';
import type { Scope } from '../tables/run.sql.js';
import type { ExtrasWriter } from '../tables/sql-extras-writer.js';

/** Steps that leave their lane, and begin to wait in one. Whoever waits is told after the commit: no lane is locked here. */
export const writeLaneMoves: ExtrasWriter = async (tx, scope, writes) => {
  const leaves = writes.flatMap(({ extras }) => extras?.leaves ?? []);
  const queues = writes.flatMap(({ extras }) => extras?.queues ?? []);
  if (leaves.length > 0) {
    const holders = leaves.map(({ holder }) => holder);
    await inParts(tx, holders, (some) => lanes.deleteEntries(scope, some));
  }
  if (queues.length === 0) return;
  await inParts(tx, queues, (some) => lanes.upsertStepEntries(scope, some));
  // So that the end of the run takes out of the line what it has not waited for.
  await tx.run(lanes.notifyLanes(scope, [...new Set(queues.map(({ task }) => task.runId))]));
};

/** Places of these are free, with the answers to them. Answers their lanes. */
export async function leaveLanes(tx: SqlConnection, scope: Scope, holders: readonly string[]): Promise<string[]> {
  if (holders.length === 0) return [];
  const { rows } = await tx.run<{ lane: string }>(lanes.selectEntries(scope, holders));
  if (rows.length > 0) await tx.run(lanes.deleteEntries(scope, holders));
  return [...new Set(rows.map(({ lane }) => lane))];
}
