import { holdAttribute } from '../model/attributes.js';
import {
  type AttributeFilter,
  type ListPosition,
  type ListRuns,
  type ListedRuns,
  isListed,
  type WaitsFor,
} from '../model/run-insight.js';
import { type AttributeValue, isFinal, type RunRecord } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import type { OverdueRuns, UnfinishedPage, UnfinishedRuns, VersionsPage } from '../model/run-control.js';
import type { Clock } from '../../time/clock.js';
import { claimedOf, type HeldRun, type MemoryTables } from '../tables/memory-tables.js';

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

/** A page of runs; scans all runs in memory. */
export function listMemory(tables: MemoryTables, query: ListRuns): ListedRuns {
  const { order = 'newest', past, limit, payloads = true } = query;
  const inOrder = order === 'oldest' ? oldestFirst : (a: ListPosition, b: ListPosition) => oldestFirst(b, a);
  const positionOf = ({ id, createdAt, finishedAt }: RunRecord): ListPosition => ({
    at: order === 'ended' ? (finishedAt ?? 0) : createdAt,
    id,
  });
  const found = [...tables.runs.values()]
    .filter((run) => isListed(run, query) && hasAttributes(tables, run, query) && waits(tables, run, query))
    .filter((run) => !past || inOrder(past, positionOf(run)) < 0)
    .sort((a, b) => inOrder(positionOf(a), positionOf(b)));
  const runs = found.slice(0, limit).map((run) => ({ ...run, ...(!payloads && NO_PAYLOADS) }));
  const last = runs.at(-1);
  const next = last && found.length > limit ? positionOf(last) : undefined;
  return { runs, next, lookedAt: tables.runs.size };
}

/** In place of what is not read elsewhere. */
export const NO_PAYLOADS = { input: null, output: null } as const;

function waits(tables: MemoryTables, { id, finishedAt, reason }: HeldRun, { waitsFor }: ListRuns): boolean {
  if (!waitsFor) return true;
  if (finishedAt !== null) return false;
  const queued = () => [...tables.limiterEntries.values()].some(({ runId, granted }) => runId === id && !granted);
  if (waitsFor.includes('run') && reason === 'waiting_for_runs') return true;
  if (waitsFor.includes('limiter') && queued()) return true;
  return tables.history(id).some((step) => waitsFor.some((one) => one === waitOf(step)));
}

function waitOf({ kind, settled, status, wakeAt }: StepRecord): WaitsFor | undefined {
  if (settled !== null || status === 'answered' || kind === 'marker') return undefined;
  if (kind === 'sleep') return 'timer';
  if (kind === 'signal' || kind === 'child') return kind;
  if (wakeAt !== null) return 'retry';
  return kind === 'remote' ? 'task' : undefined;
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
  a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
