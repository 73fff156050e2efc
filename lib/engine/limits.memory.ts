import type { StepTask } from '../core/protocol.js';
import { inMemoryTransaction, type Transaction } from '../core/transaction.js';
import {
  type Admissions,
  type Dispatching,
  firstOpening,
  type Granted,
  isLimited,
  keepsPermit,
  passing,
} from './limits.js';
import { type HeldRun, InMemoryAdapter, type LimiterEntry, type MemoryTables } from './tables.memory.js';
import { type ClaimedRun, NOTIFIES } from './run.js';
import type { RunWrite } from './runs.js';
import { pastOthers } from './endings.memory.js';

/** The granted permits, and why the next entry of each queue does not pass. */
interface Given {
  runs: string[];
  tasks: StepTask[];
  closed: Map<string, ReturnType<typeof passing>>;
}

/** Returns which of the claimed runs that wait at a limiter are admitted. */
function admitToLimiters(
  tables: MemoryTables,
  claimed: readonly ClaimedRun[],
  now: number,
): Granted & { admitted: ClaimedRun[] } {
  const held = claimed.flatMap((run) => {
    const there = tables.runs.get(run.id);
    return there?.epoch === run.epoch && there.owner !== null ? [{ run, there }] : [];
  });
  const waiting = held.filter(({ there }) => waits(there, now));
  for (const { there } of waiting) enqueue(tables, there);
  const limiters = [...new Set(waiting.map(({ there }) => there.limiter!.limiter))];
  const given = giveAll(tables, limiters, now);
  const passed = new Set(given.runs);
  for (const { there } of waiting)
    if (!passed.has(there.id)) park(there, given.closed.get(there.limiter!.limiter)?.reason);
  const admitted = held.filter((each) => !waiting.includes(each) || passed.has(each.there.id));
  for (const { run, there } of admitted) {
    const status = there.closing === null ? 'running' : there.status;
    Object.assign(there, { precondition: null, reason: null, status, startedAt: there.startedAt ?? run.claimedAt });
  }
  return {
    admitted: admitted.map(({ run }) => run),
    runs: given.runs.some((id) => !held.some(({ run }) => run.id === id)),
    opensAt: firstOpening(given.closed.values()),
  };
}

async function grantPermits(
  tables: MemoryTables,
  limiters: readonly string[],
  now: number,
  dispatching: Dispatching,
  tx: Transaction,
): Promise<Granted> {
  const given = giveAll(tables, limiters, now);
  if (given.tasks.length > 0) await dispatching(given.tasks, tx);
  return { runs: given.runs.length > 0, opensAt: firstOpening(given.closed.values()) };
}

/** Limiters with a free permit for the first entry of their queue. */
function roomyLimiters(tables: MemoryTables, now: number): Awaited<ReturnType<Admissions['waiting']>> {
  const limiters = [...new Set([...tables.limiterEntries.values()].map(({ limitRequest }) => limitRequest.limiter))];
  const looked = limiters.map((limiter) => ({
    limiter,
    ...passing(stateOf(tables, limiter), queueOf(tables, limiter).slice(0, 1), now),
  }));
  return {
    limiters: looked.filter(({ pass }) => pass.length > 0).map(({ limiter }) => limiter),
    opensAt: firstOpening(looked),
    next: undefined,
  };
}

/** Applies the steps that leave their limiter, and those that begin to wait in one. */
export const moveInLimiters = (tables: MemoryTables, writes: readonly RunWrite[], now: number): { apply(): void } => ({
  apply: () => {
    for (const { holder } of writes.flatMap(({ extras }) => extras?.leaves ?? [])) tables.limiterEntries.delete(holder);
    for (const { task, limitRequest, priority } of writes.flatMap(({ extras }) => extras?.queues ?? [])) {
      const { stepId: holder, runId } = task;
      const queuedAt = tables.limiterEntries.get(holder)?.queuedAt ?? now;
      tables.limiterEntries.set(holder, {
        holder,
        runId,
        limitRequest,
        granted: false,
        turn: -priority,
        queuedAt,
        task,
      });
      const run = tables.runs.get(runId);
      if (run) run.notifies |= NOTIFIES.limiter;
    }
  },
});

/** Releases the permits of these holders. Returns their limiters. */
export function leaveLimiters({ limiterEntries }: MemoryTables, holders: readonly string[]): string[] {
  const limiters = holders.flatMap((holder) => limiterEntries.get(holder)?.limitRequest.limiter ?? []);
  for (const holder of holders) limiterEntries.delete(holder);
  return [...new Set(limiters)];
}

const waits = ({ precondition, limiter, deadline }: HeldRun, now: number): boolean =>
  precondition === 'limiter' && limiter !== null && isLimited(limiter.limits) && (deadline === null || deadline > now);

function enqueue({ limiterEntries }: MemoryTables, { id: holder, limiter, priority, createdAt }: HeldRun): void {
  if (limiterEntries.has(holder)) return;
  const entry = { holder, runId: holder, limitRequest: limiter!, granted: false, task: null };
  limiterEntries.set(holder, { ...entry, turn: -priority, queuedAt: createdAt });
}

function park(run: HeldRun, reason: 'concurrency_limit' | 'rate_limit' | null = null): void {
  const why = reason ?? 'concurrency_limit';
  Object.assign(run, { owner: null, status: 'pending', reason: why, wakeAt: run.deadline });
}

function giveAll(tables: MemoryTables, limiters: readonly string[], now: number): Given {
  const given: Given = { runs: [], tasks: [], closed: new Map() };
  for (const limiter of limiters) {
    const decided = passing(stateOf(tables, limiter), queueOf(tables, limiter), now);
    given.closed.set(limiter, decided);
    tables.limiters.set(limiter, {
      grants: decided.grants.map(([at, count]) => [at, count]),
      openAt: decided.opensAt,
    });
    for (const entry of decided.pass) give(tables, entry, now, given);
  }
  return given;
}

function give(
  tables: MemoryTables,
  { holder, runId }: Pick<LimiterEntry, 'holder' | 'runId'>,
  now: number,
  given: Given,
): void {
  const entry = tables.limiterEntries.get(holder)!;
  if (entry.task) given.tasks.push(entry.task);
  if (keepsPermit(entry.limitRequest.limits)) Object.assign(entry, { granted: true, task: null });
  else tables.limiterEntries.delete(holder);
  const run = tables.runs.get(runId);
  if (holder !== runId || !run) return;
  given.runs.push(holder);
  Object.assign(run, { precondition: null, reason: null, wakeAt: run.owner === null ? now : run.wakeAt });
}

const inLimiter = ({ limiterEntries }: MemoryTables, limiter: string): LimiterEntry[] =>
  [...limiterEntries.values()].filter(({ limitRequest }) => limitRequest.limiter === limiter);

const queueOf = (tables: MemoryTables, limiter: string) =>
  inLimiter(tables, limiter)
    .filter(({ granted }) => !granted)
    .sort((a, b) => a.turn - b.turn || a.queuedAt - b.queuedAt || (a.holder < b.holder ? -1 : 1))
    .map(({ holder, runId, limitRequest }) => ({ holder, runId, limits: limitRequest.limits }));

const stateOf = (tables: MemoryTables, limiter: string) => ({
  granted: inLimiter(tables, limiter).filter(({ granted }) => granted).length,
  grants: tables.limiters.get(limiter)?.grants ?? [],
});

/** Preconditions in memory: other runs to wait for, and limiters with limits. */
export class InMemoryAdmissions extends InMemoryAdapter implements Admissions {
  async admit(runs: readonly ClaimedRun[]): ReturnType<Admissions['admit']> {
    const waiting = runs.filter(({ precondition }) => precondition === 'after');
    return this.tables.exclusively(async () => {
      const past = pastOthers(this.tables, waiting, this.clock.now());
      const limited = [...runs, ...past].filter(({ precondition }) => precondition === 'limiter');
      const { admitted, ...granted } = admitToLimiters(this.tables, limited, this.clock.now());
      return { admitted: [...past.filter(({ precondition }) => precondition === null), ...admitted], ...granted };
    });
  }

  grant(...[limiters, dispatching]: Parameters<Admissions['grant']>): ReturnType<Admissions['grant']> {
    return inMemoryTransaction(undefined, (tx) =>
      this.tables.exclusively(() => grantPermits(this.tables, limiters, this.clock.now(), dispatching, tx)),
    );
  }

  async waiting(): ReturnType<Admissions['waiting']> {
    return roomyLimiters(this.tables, this.clock.now());
  }

  async queued(stepIds: readonly string[]): Promise<string[]> {
    return stepIds.filter((stepId) => this.tables.limiterEntries.get(stepId)?.granted === false);
  }

  onFreed(listener: (limiters: readonly string[]) => void): () => void {
    this.tables.limiterListeners.add(listener);
    return () => void this.tables.limiterListeners.delete(listener);
  }
}
