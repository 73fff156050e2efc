import type { LeftSignal } from './left-signals.js';
import { channelsOf } from './left-signals.js';
import type { MemoryTables } from '../memory-tables.js';

type Listener = (channels: readonly string[]) => void;

const listeners = new WeakMap<MemoryTables, Set<Listener>>();

/** Those that are still reserved for their runs are anybody's again, and whoever delivers hears of it. */
export function freeLeft(tables: MemoryTables, left: readonly LeftSignal[]): void {
  if (left.length === 0) return;
  for (const { runId, channel, position } of left) {
    const signal = tables.signals.find((held) => held.channel === channel && held.position === position);
    if (signal?.takenBy === runId && signal.keptBy.size === 0) signal.takenBy = null;
  }
  const channels = channelsOf(left);
  queueMicrotask(() => listeners.get(tables)?.forEach((listener) => listener(channels)));
}

/** `listener` hears the channels on which signals became anybody's again. Answers a function that ends it. */
export function onOffered(tables: MemoryTables, listener: Listener): () => void {
  const all = listeners.get(tables) ?? new Set();
  listeners.set(tables, all.add(listener));
  return () => void all.delete(listener);
}
