import { inParts } from '../../sql/in-parts.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import * as limiters from './limiter.sql.js';
import type { Scope } from '../tables/run.sql.js';
import type { ExtrasWriter } from '../tables/sql-extras-writer.js';

/** Steps that leave their limiter, and begin to wait in one. Whoever waits is told after the commit: no limiter is locked here. */
export const writeLimiterMoves: ExtrasWriter = async (tx, scope, writes) => {
  const leaves = writes.flatMap(({ extras }) => extras?.leaves ?? []);
  const queues = writes.flatMap(({ extras }) => extras?.queues ?? []);
  if (leaves.length > 0) {
    const holders = leaves.map(({ holder }) => holder);
    await inParts(tx, holders, (some) => limiters.deleteEntries(scope, some));
  }
  if (queues.length === 0) return;
  await inParts(tx, queues, (some) => limiters.upsertStepEntries(scope, some));
  // So that the end of the run takes out of the queue what it has not waited for.
  await tx.run(limiters.notifyLimiters(scope, [...new Set(queues.map(({ task }) => task.runId))]));
};

/** Permits of these are free, with the answers to them. Answers their limiters. */
export async function leaveLimiters(tx: SqlConnection, scope: Scope, holders: readonly string[]): Promise<string[]> {
  if (holders.length === 0) return [];
  const { rows } = await tx.run<{ limiter: string }>(limiters.selectEntries(scope, holders));
  if (rows.length > 0) await tx.run(limiters.deleteEntries(scope, holders));
  return [...new Set(rows.map(({ limiter }) => limiter))];
}
