import { holdAttribute } from '../model/attributes.js';
import {
  type AttributeFilter,
  type ListPosition,
  type ListRuns,
  type ListedRuns,
  isListed,
} from '../model/run-insight.js';
import { type AttributeValue, type ClaimedRun, isFinal } from '../model/run.js';
import type { OverdueRuns, UnfinishedPage, UnfinishedRuns, VersionsPage } from '../model/run-control.js';
import type { Clock } from '../../time/clock.js';
import { carriedBy, type HeldRun, type MemoryTables } from '../tables/memory-tables.js';

/** Reads runs that have not ended, from memory. */
export class InMemoryUnfinishedRuns implements UnfinishedRuns {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {}

  async overdue(namespace: string, olderThanMs: number): Promise<OverdueRuns[]> {
    const before = this.clock.now() - olderThanMs;
    const found = new Map<string, OverdueRuns>();
    for (const run of this.tables.runs.values()) {
      const { workflow, version } = run;
      // One that waits for its turn is due at its deadline, too.
      const since = Math.min(run.wakeAt ?? Infinity, run.turn === null ? Infinity : run.createdAt);
      if (run.namespace !== namespace || since > before) continue;
      const key = JSON.stringify([workflow, version]);
      found.set(key, { workflow, version, since: Math.min(since, found.get(key)?.since ?? since) });
    }
    return [...found.values()];
  }

  async page({ namespace, afterId, scan }: Parameters<UnfinishedRuns['page']>[0]): Promise<UnfinishedPage> {
    const scanned = [...this.tables.runs.values()]
      .filter(({ id }) => id > afterId)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, scan);
    const runs = scanned.filter((run) => run.namespace === namespace && !isFinal(run.status)).map(claimedOf);
    return { runs, next: scanned.length < scan ? undefined : scanned.at(-1)?.id };
  }

  async versions(query: Parameters<UnfinishedRuns['versions']>[0]): Promise<VersionsPage> {
    const { runs, next } = await this.page(query);
    const found = new Map<string, VersionsPage['versions'][number]>();
    for (const { workflow, version } of runs) {
      const key = JSON.stringify([workflow, version]);
      found.set(key, { workflow, version, runs: (found.get(key)?.runs ?? 0) + 1 });
    }
    return { versions: [...found.values()], next };
  }
}

function claimedOf(run: HeldRun): ClaimedRun {
  const { id, workflow, version, input, epoch, crashes, deadline } = run;
  const { closing, error, notifies, unwinds, precondition, firstSeq, resume, forkedSeq } = run;
  const since = run.continuedAt ?? run.createdAt;
  const what = { id, workflow, version, input, epoch, crashes, deadline, since };
  return { ...what, ...carriedBy(run), closing, error, notifies, unwinds, precondition, firstSeq, resume, forkedSeq };
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
