import { answerOfConflict, isSameChild } from '../model/child-start.js';
import { writeAttributes } from '../tables/in-memory-attributes.js';
import { runWithTurn } from './in-memory-run-turns.js';
import type { MemoryExtrasWriter } from '../tables/in-memory-extras-writer.js';
import type { NewRun } from '../model/run.js';

/** Runs that begin with a step of their parent. */
export const beginChildren: MemoryExtrasWriter = (tables, writes, now) => {
  const children = writes.flatMap(({ extras }) => extras?.children ?? []);
  const begun = new Map<string, NewRun>();
  const conflicts = children.filter((child) => {
    const taken = tables.runs.get(child.id) ?? begunAs(begun.get(child.id));
    if (!taken) begun.set(child.id, child);
    return taken !== undefined && !isSameChild(child, taken);
  });
  return {
    outcome: { answers: conflicts.flatMap(answerOfConflict), woken: begun.size > 0 },
    apply: () => {
      for (const child of begun.values()) {
        tables.runs.set(child.id, runWithTurn(tables, child, now));
        writeAttributes(tables, child);
      }
    },
  };
};

const begunAs = (run: NewRun | undefined) =>
  run && { id: run.id, parentId: run.parent?.id ?? null, parentSeq: run.parent?.seq ?? null };
