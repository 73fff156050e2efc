import { holdAttribute } from '../model/attributes.js';
import {
  type AttributeFilter,
  type ListPosition,
  type ListRuns,
  type ListedRuns,
  isListed,
} from '../model/run-insight.js';
import { type AttributeValue, type ClaimedRun, isFinal } from '../model/run.js';
import type { UnfinishedPage, UnfinishedRuns } from '../model/run-control.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';

/** Reads runs that have not ended, from memory. */
export class InMemoryUnfinishedRuns implements UnfinishedRuns {
  constructor(private readonly tables: MemoryTables) {}

  async page({ namespace, afterId, scan }: Parameters<UnfinishedRuns['page']>[0]): Promise<UnfinishedPage> {
    const scanned = [...this.tables.runs.values()]
      .filter(({ id }) => id > afterId)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, scan);
    const runs = scanned.filter((run) => run.namespace === namespace && !isFinal(run.status)).map(claimedOf);
    return { runs, next: scanned.length < scan ? undefined : scanned.at(-1)?.id };
  }
}

function claimedOf(run: HeldRun): ClaimedRun {
  const { id, workflow, version, input, epoch, crashes, deadline } = run;
  const { closing, error, notifies, unwinds, precondition, firstSeq, continuedAt, createdAt } = run;
  const what = { id, workflow, version, input, epoch, crashes, deadline };
  return { ...what, closing, error, notifies, unwinds, precondition, firstSeq, since: continuedAt ?? createdAt };
}

/** A page of runs; scans all runs in memory. */
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
