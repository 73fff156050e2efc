import type { SqlConnection } from '../../sql/sql-executor.js';
import * as statements from './child.sql.js';
import { answerOfConflict, type Belonging, isSameChild } from './child-start.js';
import * as notes from '../runs/note.sql.js';
import type { NewRun } from '../runs/run.js';
import type { Scope } from '../runs/run.sql.js';
import type { ExtrasWriter } from '../runs/sql-extras-writer.js';
import { placed } from '../starts/sql-run-places.js';

/**
 * Runs that begin with a step of their parent. A step whose child would have the id of another run is told so; a commit
 * that is issued again finds its children there.
 */
export const writeChildren: ExtrasWriter = async (tx, scope, writes) => {
  const children = writes.flatMap(({ extras }) => extras?.children ?? []).sort(byId);
  if (children.length === 0) return;
  const { affected } = await tx.run(statements.insertChildren(scope, await placed(tx, scope, children)));
  const strangers = affected < children.length ? await conflicting(tx, scope, children) : [];
  if (affected > 0)
    await writeAttributes(
      tx,
      scope,
      children.filter((child) => !strangers.includes(child)),
    );
  return { answers: strangers.flatMap(answerOfConflict), woken: affected > 0 };
};

async function conflicting(tx: SqlConnection, scope: Scope, children: readonly NewRun[]): Promise<NewRun[]> {
  const ids = children.map(({ id }) => id);
  const { rows } = await tx.run<statements.BelongingRow>(statements.selectBelonging(scope, ids));
  const taken = new Map(rows.map((row) => [row.id, belongingOf(row)]));
  return children.filter((child) => !isSameChild(child, taken.get(child.id)!));
}

const belongingOf = ({ id, parent_id: parentId, parent_seq: seq }: statements.BelongingRow): Belonging => ({
  id,
  parentId,
  parentSeq: seq === null ? null : Number(seq),
});

async function writeAttributes(tx: SqlConnection, scope: Scope, runs: readonly NewRun[]): Promise<void> {
  const set = runs.flatMap(({ id: runId, attributes = {} }) =>
    Object.entries(attributes).map(([name, value]) => ({ runId, name, value })),
  );
  if (set.length > 0) await tx.run(notes.upsertAttributes(scope, set));
}

const byId = (a: NewRun, b: NewRun): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
