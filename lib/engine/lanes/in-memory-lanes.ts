import type { StepTask } from '../../protocol/step.js';
import type { Admissions, Dispatching, Granted } from '../model/admissions.js';
import { isLimited, keepsPlace, passing } from '../model/lane.js';
import type { HeldRun, LaneEntry, MemoryTables } from '../tables/memory-tables.js';
import { type ClaimedRun, NOTIFIES } from '../model/run.js';
import type { RunWrite } from '../model/run-store.js';

/** What was given, and why the next of each line does not pass. */
interface Given {
  runs: string[];
  tasks: StepTask[];
  closed: Map<string, ReturnType<typeof passing>>;
}

/** Of claimed runs that wait at a lane: those that are let in. */
export function admitToLanes(
  tables: MemoryTables,
  claimed: readonly ClaimedRun[],
  now: number,
): Granted & { admitted: ClaimedRun[] } {
  const held = claimed.flatMap((run) => {
    const there = tables.runs.get(run.id);
    return there?.epoch === run.epoch && there.owner !== null ? [{ run, there }] : [];
  });
  const waiting = held.filter(({ there }) => waits(there, now));
  for (const { there } of waiting) standInLine(tables, there);
  const lanes = [...new Set(waiting.map(({ there }) => there.lane!.lane))];
  const given = giveAll(tables, lanes, now);
  const passed = new Set(given.runs);
  for (const { there } of waiting) if (!passed.has(there.id)) park(there, given.closed.get(there.lane!.lane)?.reason);
  const admitted = held.filter((each) => !waiting.includes(each) || passed.has(each.there.id));
  for (const { there } of admitted) {
    const status = there.closing === null ? 'running' : there.status;
    Object.assign(there, { precondition: null, reason: null, status, startedAt: there.startedAt ?? now });
  }
  return {
    admitted: admitted.map(({ run }) => run),
    runs: given.runs.some((id) => !held.some(({ run }) => run.id === id)),
    opensAt: opensAt(given),
  };
}

export async function grantPlaces(
  tables: MemoryTables,
  lanes: readonly string[],
  now: number,
  dispatching: Dispatching,
): Promise<Granted> {
  const given = giveAll(tables, lanes, now);
  if (given.tasks.length > 0) await dispatching(given.tasks, {});
  return { runs: given.runs.length > 0, opensAt: opensAt(given) };
}

/** Lanes with room for the first of their line. */
export function roomyLanes(tables: MemoryTables, now: number): Awaited<ReturnType<Admissions['waiting']>> {
  const lanes = [...new Set([...tables.laneEntries.values()].map(({ ticket }) => ticket.lane))];
  const looked = lanes.map((lane) => ({
    lane,
    ...passing(stateOf(tables, lane), lineOf(tables, lane).slice(0, 1), now),
  }));
  const opening = looked.flatMap(({ opensAt: at }) => at ?? []);
  return {
    lanes: looked.filter(({ pass }) => pass.length > 0).map(({ lane }) => lane),
    opensAt: opening.length > 0 ? Math.min(...opening) : null,
    next: undefined,
  };
}

/** Steps that leave their lane, and begin to wait in one. */
export const moveInLanes = (tables: MemoryTables, writes: readonly RunWrite[], now: number): { apply(): void } => ({
  apply: () => {
    for (const { holder } of writes.flatMap(({ extras }) => extras?.leaves ?? [])) tables.laneEntries.delete(holder);
    for (const { task, ticket, priority } of writes.flatMap(({ extras }) => extras?.queues ?? [])) {
      const { stepId: holder, runId } = task;
      const queuedAt = tables.laneEntries.get(holder)?.queuedAt ?? now;
      tables.laneEntries.set(holder, { holder, runId, ticket, granted: false, place: -priority, queuedAt, task });
      const run = tables.runs.get(runId);
      if (run) run.notifies |= NOTIFIES.lane;
    }
  },
});

/** Places of these are free. Answers their lanes. */
export function leaveLanes({ laneEntries }: MemoryTables, holders: readonly string[]): string[] {
  const lanes = holders.flatMap((holder) => laneEntries.get(holder)?.ticket.lane ?? []);
  for (const holder of holders) laneEntries.delete(holder);
  return [...new Set(lanes)];
}

const waits = ({ precondition, lane, deadline }: HeldRun, now: number): boolean =>
  precondition === 'lane' && lane !== null && isLimited(lane.limits) && (deadline === null || deadline > now);

function standInLine({ laneEntries }: MemoryTables, { id: holder, lane, priority, createdAt }: HeldRun): void {
  if (laneEntries.has(holder)) return;
  const entry = { holder, runId: holder, ticket: lane!, granted: false, task: null };
  laneEntries.set(holder, { ...entry, place: -priority, queuedAt: createdAt });
}

function park(run: HeldRun, reason: 'concurrency_limit' | 'rate_limit' | null = null): void {
  const why = reason ?? 'concurrency_limit';
  Object.assign(run, { owner: null, status: 'pending', reason: why, wakeAt: run.deadline });
}

function giveAll(tables: MemoryTables, lanes: readonly string[], now: number): Given {
  const given: Given = { runs: [], tasks: [], closed: new Map() };
  for (const lane of lanes) {
    const decided = passing(stateOf(tables, lane), lineOf(tables, lane), now);
    given.closed.set(lane, decided);
    tables.lanes.set(lane, {
      grants: decided.grants.map(([at, count]) => [at, count]),
      openAt: decided.opensAt,
    });
    for (const entry of decided.pass) give(tables, entry, now, given);
  }
  return given;
}

function give(
  tables: MemoryTables,
  { holder, runId }: Pick<LaneEntry, 'holder' | 'runId'>,
  now: number,
  given: Given,
): void {
  const entry = tables.laneEntries.get(holder)!;
  if (entry.task) given.tasks.push(entry.task);
  if (keepsPlace(entry.ticket.limits)) Object.assign(entry, { granted: true, task: null });
  else tables.laneEntries.delete(holder);
  const run = tables.runs.get(runId);
  if (holder !== runId || !run) return;
  given.runs.push(holder);
  Object.assign(run, { precondition: null, reason: null, wakeAt: run.owner === null ? now : run.wakeAt });
}

const inLane = ({ laneEntries }: MemoryTables, lane: string): LaneEntry[] =>
  [...laneEntries.values()].filter(({ ticket }) => ticket.lane === lane);

const lineOf = (tables: MemoryTables, lane: string) =>
  inLane(tables, lane)
    .filter(({ granted }) => !granted)
    .sort((a, b) => a.place - b.place || a.queuedAt - b.queuedAt || (a.holder < b.holder ? -1 : 1))
    .map(({ holder, runId, ticket }) => ({ holder, runId, limits: ticket.limits }));

const stateOf = (tables: MemoryTables, lane: string) => ({
  granted: inLane(tables, lane).filter(({ granted }) => granted).length,
  grants: tables.lanes.get(lane)?.grants ?? [],
});

function opensAt({ closed }: Given): number | null {
  const times = [...closed.values()].flatMap(({ opensAt: at }) => at ?? []);
  return times.length > 0 ? Math.min(...times) : null;
}
