import { type Belonging, answerOfConflict, isSameChild } from '../model/run-control.js';
import type { NewRun } from '../model/run.js';
import { withTurns } from './sql-run-turns.js';
import * as notes from '../tables/note.sql.js';
import { type RunWithTurn, insertRuns } from '../tables/run.sql.js';
import type { ExtrasWriter } from '../tables/sql-extras-writer.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { type Statement, id, sql } from '../../sql/dialects/statement.js';
import { inParts } from '../../sql/in-parts.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';

export interface BelongingRow {
  id: string;
  parent_id: string | null;
  parent_seq: number | string | null;
}

/** Inserts the children whose id is free. */
export const insertChildren = (scope: Scope, children: readonly RunWithTurn[]): Statement =>
  scope.dialect.insertOrKeep(insertRuns(scope, children), id('id'));

export const selectBelonging = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, parent_id, parent_seq FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/**
 * Creates child runs with the steps of their parents. A step whose child has the id of another run gets a conflict
 * error as its answer. A repeated commit finds its own children.
 */
export const writeChildren: ExtrasWriter = async (tx, scope, writes) => {
  const children = writes.flatMap(({ extras }) => extras?.children ?? []).sort(byId);
  if (children.length === 0) return;
  const runs = await withTurns(tx, scope, children);
  const { strangers, woken } = await begin(tx, scope, runs);
  if (woken)
    await writeAttributes(
      tx,
      scope,
      runs.filter((run) => !strangers.includes(run)),
    );
  return { answers: strangers.flatMap(answerOfConflict), woken };
};

/** Creates children; returns those whose id belongs to another run, and whether any was created. */
async function begin(
  tx: SqlConnection,
  scope: Scope,
  children: readonly RunWithTurn[],
): Promise<{ strangers: readonly RunWithTurn[]; woken: boolean }> {
  const strangers: RunWithTurn[] = [];
  let woken = false;
  for (let left = children; left.length > 0;) {
    const { affected } = await inParts(tx, left, (some) => insertChildren(scope, some));
    woken ||= affected > 0;
    if (affected === left.length) break;
    const taken = await belongings(tx, scope, left);
    for (const child of left) {
      const run = taken.get(child.id);
      if (run && !isSameChild(child, run)) strangers.push(child);
    }
    // The others: their ids were in use a moment ago, but those runs were deleted meanwhile.
    left = left.filter(({ id }) => !taken.has(id));
  }
  return { strangers, woken };
}

async function belongings(
  tx: SqlConnection,
  scope: Scope,
  children: readonly RunWithTurn[],
): Promise<Map<string, Belonging>> {
  const ids = children.map(({ id }) => id);
  const { rows } = await inParts<BelongingRow, string>(tx, ids, (some) => selectBelonging(scope, some));
  return new Map(rows.map((row) => [row.id, belongingOf(row)]));
}

const belongingOf = ({ id, parent_id: parentId, parent_seq: seq }: BelongingRow): Belonging => ({
  id,
  parentId,
  parentSeq: seq === null ? null : Number(seq),
});

async function writeAttributes(tx: SqlConnection, scope: Scope, runs: readonly NewRun[]): Promise<void> {
  const set = runs.flatMap(({ id: runId, attributes = {} }) =>
    Object.entries(attributes).map(([name, value]) => ({ runId, name, value })),
  );
  if (set.length > 0) await inParts(tx, set, (some) => notes.upsertAttributes(scope, some));
}

const byId = (a: NewRun, b: NewRun): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
