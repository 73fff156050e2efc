import type { MemoryTables } from './memory-tables.js';
import type { AttributeValue, NewRun } from '../model/run.js';

/** Those that a run begins with. */
export const writeAttributes = (tables: MemoryTables, { id, attributes = {} }: NewRun): void =>
  changeAttributes(tables, id, attributes);

/** Null removes. */
export function changeAttributes(
  { attributes }: MemoryTables,
  runId: string,
  changes: Readonly<Record<string, AttributeValue | null>>,
): void {
  const entries = Object.entries(changes);
  if (entries.length === 0) return;
  const held = attributes.get(runId) ?? new Map<string, AttributeValue>();
  attributes.set(runId, held);
  for (const [name, value] of entries) {
    if (value === null) held.delete(name);
    else held.set(name, value instanceof Date ? new Date(value) : value);
  }
}
