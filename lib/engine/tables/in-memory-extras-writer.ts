import type { MemoryTables } from './memory-tables.js';
import type { Endings, RunWrite } from '../model/run-store.js';

/** What comes of a part for others, and how to write it once that has been said. */
export interface PlannedExtras {
  outcome?: Partial<Endings> & { woken?: boolean };
  apply(): void;
}

/** Writes its part of what these writes carry besides steps. Changes nothing before `apply`. */
export type MemoryExtrasWriter = (tables: MemoryTables, writes: readonly RunWrite[], now: number) => PlannedExtras;
