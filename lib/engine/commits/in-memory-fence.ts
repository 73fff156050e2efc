import type { MemoryTables } from '../tables/memory-tables.js';
import type { KnownStep, RefusedWrite, RunWrite } from '../model/run-store.js';

/** Why a write is not done; undefined when it is. */
export function refusalOf(tables: MemoryTables, write: RunWrite): RefusedWrite | undefined {
  const { runId, epoch, owner, known = [], once, steps } = write;
  const run = tables.runs.get(runId);
  if (run?.epoch !== epoch || run.owner === null || (owner !== undefined && run.owner !== owner)) return write;
  const history = tables.steps.get(runId);
  const stands = ({ seq, settled }: KnownStep) => {
    const step = history?.get(seq);
    return step !== undefined && (settled === null || step.settled === settled);
  };
  if (!known.every(stands)) return { ...write, because: 'ahead' };
  const hasOutcome = steps.some(({ seq }) => (history?.get(seq)?.settled ?? null) !== null);
  return once && hasOutcome ? { ...write, because: 'settled' } : undefined;
}
