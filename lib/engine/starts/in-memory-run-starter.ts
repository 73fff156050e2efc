import { changeAttributes } from '../tables/in-memory-attributes.js';
import { addDependencies } from '../endings/in-memory-run-dependencies.js';
import { runWithTurn } from './in-memory-run-turns.js';
import { InMemoryRunRemoval } from '../endings/in-memory-run-removal.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { isFinal, type NewRun } from '../model/run.js';

/** Begins runs in memory: each as if it were alone. */
export function startInMemory(tables: MemoryTables, run: NewRun, now: number): { created: boolean; run: HeldRun } {
  const holder = heldByOther(tables, run, now);
  if (holder) return { created: false, run: holder };
  const reborn = makeRoom(tables, run, now);
  const existing = tables.runs.get(run.id);
  if (existing) return { created: false, run: existing };
  const held = { ...runWithTurn(tables, run, now), ...reborn };
  tables.runs.set(run.id, held);
  addDependencies(tables, run);
  if (run.attributes) changeAttributes(tables, run.id, run.attributes);
  return { created: true, run: held };
}

/** The run that has the key of this start; undefined when the key is now its own. */
function heldByOther({ startKeys, runs }: MemoryTables, start: NewRun, now: number): HeldRun | undefined {
  const { startKey } = start;
  if (!startKey) return undefined;
  const there = startKeys.get(startKey.key);
  const holder = there && runs.get(there.runId);
  if (there && holder && holder.id !== start.id) {
    const lasts = there.expiresAt === null ? !isFinal(holder.status) : there.expiresAt > now;
    if (startKey.kind === 'singleton' && lasts) return holder;
    if (startKey.kind === 'debounce' && isUnbegun(holder)) return putOff(holder, start, there.latestAt, now);
  }
  startKeys.set(startKey.key, {
    runId: start.id,
    expiresAt: startKey.kind === 'singleton' && startKey.windowMs !== undefined ? now + startKey.windowMs : null,
    latestAt: startKey.kind === 'debounce' && startKey.maxDelayMs !== undefined ? now + startKey.maxDelayMs : null,
  });
  return undefined;
}

const isUnbegun = ({ status, owner, epoch }: HeldRun): boolean => status === 'pending' && owner === null && epoch === 0;

function putOff(run: HeldRun, { input, delayMs, timeoutMs }: NewRun, latestAt: number | null, now: number): HeldRun {
  const wakeAt = Math.min(now + delayMs, latestAt ?? now + delayMs);
  return Object.assign(run, { input, wakeAt, deadline: timeoutMs === undefined ? null : wakeAt + timeoutMs });
}

/** Where the positions and claims of the new run go on. */
function makeRoom(tables: MemoryTables, run: NewRun, now: number): Partial<HeldRun> {
  const old = tables.runs.get(run.id);
  if (!run.reuse || !old || !isFinal(old.status)) return {};
  if (old.namespace !== run.namespace || old.workflow !== run.workflow) return {};
  if (run.reuse === 'failed' && old.status === 'completed') return {};
  const last = Math.max(-1, ...tables.history(run.id).map(({ seq }) => seq));
  new InMemoryRunRemoval({ now: () => now }, tables).forget(new Set([run.id]));
  return { epoch: old.epoch + 1, firstSeq: Math.max(old.firstSeq, last + 1) };
}
