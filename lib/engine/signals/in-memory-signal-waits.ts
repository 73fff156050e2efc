import { type LeftSignal, channelsOf } from '../model/left-signals.js';
import type { RunWrite } from '../model/run-store.js';
import type { MemoryExtrasWriter, MemoryTables } from '../tables/memory-tables.js';

/** Releases signals that are still reserved for their runs, and notifies the delivery. */
export function freeLeft(tables: MemoryTables, left: readonly LeftSignal[]): void {
  if (left.length === 0) return;
  for (const { runId, channel, position } of left) {
    const signal = tables.signals.find((held) => held.channel === channel && held.position === position);
    if (signal?.takenBy === runId && signal.keptBy.size === 0) signal.takenBy = null;
  }
  const channels = channelsOf(left);
  queueMicrotask(() => tables.tellOffered(channels));
}

/** Applies started and ended waits for signals, and the received signals. */
export const keepSignalWaits: MemoryExtrasWriter = (tables, writes) => ({
  apply: () => {
    writes.forEach((write) => keep(tables, write));
    freeLeft(tables, writes.flatMap(leftBy));
  },
});

const leftBy = ({ runId, extras = {} }: RunWrite): LeftSignal[] =>
  (extras.receives ?? []).flatMap(({ channel, position, how }) =>
    how === 'left' ? [{ runId, channel, position }] : [],
  );

function keep(tables: MemoryTables, { runId, extras = {} }: RunWrite): void {
  const { waits = [], unwaits = [], receives = [] } = extras;
  for (const [key, { stepId }] of tables.waits) if (unwaits.includes(stepId)) tables.waits.delete(key);
  for (const wait of waits) tables.waits.set(`${wait.channel}/${wait.stepId}`, { ...wait });
  for (const { channel, position, how } of receives) {
    const signal = tables.signals.find((held) => held.channel === channel && held.position === position);
    if (!signal) continue;
    if (how === 'kept') Object.assign(signal, { takenBy: runId, keptBy: signal.keptBy.add(runId) });
    else if (signal.takenBy === runId && signal.keptBy.size === 0) signal.takenBy = null;
  }
}
