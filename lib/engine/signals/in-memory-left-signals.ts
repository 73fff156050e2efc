import type { LeftSignal } from '../model/left-signals.js';
import { channelsOf } from '../model/left-signals.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/** Those that are still reserved for their runs are anybody's again, and whoever delivers hears of it. */
export function freeLeft(tables: MemoryTables, left: readonly LeftSignal[]): void {
  if (left.length === 0) return;
  for (const { runId, channel, position } of left) {
    const signal = tables.signals.find((held) => held.channel === channel && held.position === position);
    if (signal?.takenBy === runId && signal.keptBy.size === 0) signal.takenBy = null;
  }
  const channels = channelsOf(left);
  queueMicrotask(() => tables.tellOffered(channels));
}
