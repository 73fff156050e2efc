import { holdAttribute } from '../model/attributes.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import {
  type AttributeFilter,
  isListed,
  type ListedRuns,
  type ListRuns,
  type ListPosition,
} from '../model/run-listing.js';
import type { AttributeValue } from '../model/run.js';

/** A page of runs; all of memory is looked at. */
export function listMemory(tables: MemoryTables, query: ListRuns): ListedRuns {
  const { order = 'newest', past, limit } = query;
  const inOrder = order === 'newest' ? (a: ListPosition, b: ListPosition) => oldestFirst(b, a) : oldestFirst;
  const found = [...tables.runs.values()]
    .filter((run) => isListed(run, query) && hasAttributes(tables, run, query))
    .filter((run) => !past || inOrder(past, run) < 0)
    .sort(inOrder);
  const runs = found.slice(0, limit).map((run) => ({ ...run }));
  const last = runs.at(-1);
  return { runs, next: last && found.length > limit ? { createdAt: last.createdAt, id: last.id } : undefined };
}

const hasAttributes = (tables: MemoryTables, { id }: HeldRun, { attributes = [] }: ListRuns): boolean =>
  attributes.every((filter) => fits(tables.attributes.get(id)?.get(filter.name), filter));

function fits(value: AttributeValue | undefined, { compare }: AttributeFilter): boolean {
  if (value === undefined) return false;
  const held = holdAttribute(value);
  return compare.every(({ how, value: other }) => {
    const asked = holdAttribute(other);
    if (held.type !== asked.type) return false;
    if (held.type === 'text') return how === '=' && held.text === asked.text;
    const difference = (held.number ?? 0) - (asked.number ?? 0);
    switch (how) {
      case '=':
        return difference === 0;
      case '>':
        return difference > 0;
      case '>=':
        return difference >= 0;
      case '<':
        return difference < 0;
      case '<=':
        return difference <= 0;
    }
  });
}

const oldestFirst = (a: ListPosition, b: ListPosition): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
