import type { EffectStorage } from '../effects/effect-storage.js';
import { inMemoryEffectStorage } from '../effects/entries/in-memory-effect-storage.js';
import type { MemoryEffects } from '../effects/entries/memory-effects.js';
import type { AuditSink } from '../effects/audit-log.js';
import { awaitedOf } from '../engine/effects/effect-completions.js';
import type { EngineStorage } from '../engine/model/engine-storage.js';

/** Effects in memory. Completion listeners can join the engine's transactions, as with a database. */
export function memoryEffectStorage(
  tables: MemoryEffects,
  { transactions, effectWaits, acts }: Pick<EngineStorage, 'transactions' | 'effectWaits' | 'acts'>,
  sink: AuditSink | undefined,
): EffectStorage {
  const awaited = awaitedOf(effectWaits);
  const { settlements, ...ports } = inMemoryEffectStorage(tables, { sink, transactions, acts, awaited });
  return {
    ...ports,
    settlements: {
      settle: (claimed, settlement, onCompletion) =>
        settlements.settle(
          claimed,
          settlement,
          onCompletion && ((group, _, tx) => transactions.begin((handle) => onCompletion(group, handle, tx))),
        ),
    },
  };
}

/** The parts of the state that are stored in the file. */
export const keptEffects = ({ entries, events }: MemoryEffects) => ({ entries, events });

/** Releases the claims of a process that no longer exists. */
export function freeEffects(tables: MemoryEffects): void {
  for (const entry of tables.entries.values()) if (entry.status === 'in_flight') tables.change(entry, { dueAt: null });
}
