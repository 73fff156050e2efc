import * as removal from '../endings/removal.sql.js';
import type { IdReuse, NewRun, RunStatus } from '../model/run.js';
import { stepIdOf } from '../../protocol/step.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { type Statement, raw, sql } from '../../sql/dialects/statement.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';

export interface OldRow {
  id: string;
  namespace: string;
  workflow: string;
  status: RunStatus;
  epoch: number | string;
  first_seq: number | string;
  erased_at: number | string | null;
}

export interface LastRow {
  run_id: string;
  seq: number | string;
}

/** Locks the existing runs with these ids. */
export const lockOld = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, namespace, workflow, status, epoch, first_seq, erased_at FROM ${tables.runs}
  WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE`;

/**
 * The last position of each run; compensations have negative positions. The newest rows, also in the app's transaction:
 * a new life must not use the step ids, and idempotency keys, of the old one.
 */
export const selectLast = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT run_id, MAX(seq) AS seq FROM ${tables.steps} WHERE run_id ${amongKeys(dialect, ids)}
  GROUP BY run_id ${dialect.newest}`;

export const goOnFrom = (
  { tables, dialect }: Scope,
  reborn: readonly { id: string; epoch: number; firstSeq: number }[],
): Statement => {
  const json = JSON.stringify(reborn.map(({ id, epoch, firstSeq }) => ({ id, epoch, first_seq: firstSeq })));
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(json, { id: 'key', epoch: 'int', first_seq: 'int' })} AS n`,
    on: raw('r.id = n.id'),
    set: { epoch: raw('n.epoch'), first_seq: raw('n.first_seq') },
  });
};

/** The epoch and position at which a new run continues, so that nothing for the old run is taken for the new one. */
export interface Rebirth {
  id: string;
  epoch: number;
  firstSeq: number;
}

const MAKES_ROOM: Record<IdReuse, readonly RunStatus[]> = {
  ended: ['completed', 'failed', 'cancelled', 'compensation_failed'],
  failed: ['failed', 'cancelled', 'compensation_failed'],
};

/** Locks and deletes the ended runs that new runs replace, with all their data. */
export async function makeRoom(tx: SqlConnection, scope: Scope, runs: readonly NewRun[]): Promise<Rebirth[]> {
  const wanted = new Map(runs.flatMap((run) => (run.reuse ? [[run.id, run] as const] : [])));
  if (wanted.size === 0) return [];
  const { rows } = await tx.run<OldRow>(lockOld(scope, [...wanted.keys()]));
  const going = rows.filter((row) => {
    const { namespace, workflow, reuse: policy } = wanted.get(row.id)!;
    return row.namespace === namespace && row.workflow === workflow && MAKES_ROOM[policy!].includes(row.status);
  });
  if (going.length === 0) return [];
  const ids = going.map(({ id }) => id);
  const { rows: last } = await tx.run<LastRow>(selectLast(scope, ids));
  const lastSeqs = new Map(last.map(({ run_id, seq }) => [run_id, Number(seq)]));
  await removeOld(tx, scope, ids);
  return going.map(({ id, epoch, first_seq }) => ({
    id,
    epoch: Number(epoch) + 1,
    firstSeq: Math.max(Number(first_seq), (lastSeqs.get(id) ?? -1) + 1),
  }));
}

async function removeOld(tx: SqlConnection, scope: Scope, ids: readonly string[]): Promise<void> {
  const open = await tx.run<{ run_id: string; seq: number | string }>(removal.selectOpenSteps(scope, ids, true));
  const stepIds = open.rows.map(({ run_id, seq }) => stepIdOf(run_id, Number(seq)));
  if (stepIds.length > 0) await tx.run(removal.deleteWaits(scope, stepIds));
  const { rows: children } = await tx.run<{ id: string }>(removal.selectChildren(scope, ids, true));
  const left = children.map(({ id }) => id).sort();
  if (left.length > 0) await tx.run(removal.orphanRuns(scope, left));
  for (const statement of removal.deleteBelongings(scope, ids)) await tx.run(statement);
  await tx.run(removal.deleteRuns(scope, ids));
}
