import { stepIdOf } from '../../protocol/step.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import * as removal from '../endings/removal.sql.js';
import * as reuse from './reuse.sql.js';
import type { IdReuse, NewRun, RunStatus } from '../model/run.js';
import type { Scope } from '../tables/run.sql.js';

/** Where the positions and claims of a new run go on, so that nothing meant for the old one is taken for its own. */
export interface Rebirth {
  id: string;
  epoch: number;
  firstSeq: number;
}

const MAKES_ROOM: Record<IdReuse, readonly RunStatus[]> = {
  ended: ['completed', 'failed', 'cancelled', 'compensation_failed'],
  failed: ['failed', 'cancelled', 'compensation_failed'],
};

/** Removes the ended runs whose ids are to be used again, with all that is theirs, under their locks. */
export async function makeRoom(tx: SqlConnection, scope: Scope, runs: readonly NewRun[]): Promise<Rebirth[]> {
  const wanted = new Map(runs.flatMap((run) => (run.reuse ? [[run.id, run] as const] : [])));
  if (wanted.size === 0) return [];
  const { rows } = await tx.run<reuse.OldRow>(reuse.lockOld(scope, [...wanted.keys()]));
  const going = rows.filter((row) => {
    const { namespace, workflow, reuse: policy } = wanted.get(row.id)!;
    return row.namespace === namespace && row.workflow === workflow && MAKES_ROOM[policy!].includes(row.status);
  });
  if (going.length === 0) return [];
  const ids = going.map(({ id }) => id);
  const { rows: last } = await tx.run<reuse.LastRow>(reuse.selectLast(scope, ids));
  const lastSeqs = new Map(last.map(({ run_id, seq }) => [run_id, Number(seq)]));
  await removeOld(tx, scope, ids);
  return going.map(({ id, epoch, first_seq }) => ({
    ...{ id, epoch: Number(epoch) + 1 },
    firstSeq: Math.max(Number(first_seq), (lastSeqs.get(id) ?? -1) + 1),
  }));
}

async function removeOld(tx: SqlConnection, scope: Scope, ids: readonly string[]): Promise<void> {
  const open = await tx.run<{ run_id: string; seq: number | string }>(removal.selectOpenSteps(scope, ids));
  const stepIds = open.rows.map(({ run_id, seq }) => stepIdOf(run_id, Number(seq)));
  if (stepIds.length > 0) await tx.run(removal.deleteWaits(scope, stepIds));
  const { rows: children } = await tx.run<{ id: string }>(removal.selectChildren(scope, ids));
  const left = children.map(({ id }) => id).sort();
  if (left.length > 0) await tx.run(removal.orphanRuns(scope, left));
  for (const statement of removal.deleteBelongings(scope, ids)) await tx.run(statement);
  await tx.run(removal.deleteRuns(scope, ids));
}
