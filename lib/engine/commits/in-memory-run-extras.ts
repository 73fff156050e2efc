import { moveInLimiters } from '../limits/in-memory-limiters.js';
import { beginChildren } from '../starts/in-memory-run-children.js';
import { keepNotes } from './in-memory-run-notes.js';
import { keepSignalWaits } from '../signals/in-memory-signal-waits.js';
import type { MemoryExtrasWriter } from '../tables/in-memory-extras-writer.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import type { Endings, RunWrite } from '../model/run-store.js';

const WRITERS: readonly MemoryExtrasWriter[] = [beginChildren, keepSignalWaits, moveInLimiters, keepNotes];

/** Of writes that have passed the fence. */
export function memoryExtras(
  tables: MemoryTables,
  writes: readonly RunWrite[],
  now: number,
): Endings & { woken: boolean; apply(): void } {
  const carrying = writes.filter(({ extras }) => extras !== undefined);
  const planned = carrying.length === 0 ? [] : WRITERS.map((plan) => plan(tables, carrying, now));
  return {
    answers: planned.flatMap(({ outcome }) => outcome?.answers ?? []),
    limiters: planned.flatMap(({ outcome }) => outcome?.limiters ?? []),
    woken: planned.some(({ outcome }) => outcome?.woken),
    apply: () => planned.forEach((part) => part.apply()),
  };
}
