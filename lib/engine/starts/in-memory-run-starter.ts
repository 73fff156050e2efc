import { addDependencies } from '../endings/in-memory-run-dependencies.js';
import { InMemoryRunRemoval } from '../endings/in-memory-run-removal.js';
import { answerOfConflict, isSameChild } from '../model/run-control.js';
import { endOfTurns, firstTurn, needsTurn } from '../model/limit-requests.js';
import { isLimited } from '../model/limiter.js';
import { NOTIFIES, type NewRun, isFinal } from '../model/run.js';
import {
  type HeldRun,
  type MemoryExtrasWriter,
  type MemoryTables,
  changeAttributes,
  writeAttributes,
} from '../tables/memory-tables.js';

/** The table row of a new run. */
export function heldRun(
  { delayMs, timeoutMs, parent, after, limiter, scheduleId, ...fields }: NewRun,
  now: number,
): HeldRun {
  const { attributes: _, reuse: __, startKey: ___, ...run } = fields;
  const limited = limiter !== undefined && isLimited(limiter.limits);
  const createdAt = now;
  const wakeAt = createdAt + delayMs;
  const open = { reason: null, reasonDetail: null, output: null, error: null, startedAt: null, finishedAt: null };
  const held = {
    owner: null,
    epoch: 0,
    settled: 0,
    crashes: 0,
    unwinds: false,
    firstSeq: 0,
    continuedAt: null,
    resume: null,
  };
  const family = { parentId: parent?.id ?? null, parentSeq: parent?.seq ?? null, parentClose: parent?.close ?? null };
  return {
    ...run,
    ...open,
    ...held,
    ...family,
    forkedFrom: null,
    forkedSeq: null,
    wakeAt,
    createdAt,
    status: 'pending',
    closing: null,
    customStatus: null,
    erasedAt: null,
    deadline: timeoutMs === undefined ? null : wakeAt + timeoutMs,
    timeoutMs: timeoutMs ?? null,
    notifies: (parent ? NOTIFIES.parent : 0) + (limited ? NOTIFIES.limiter : 0),
    limiter: limiter ?? null,
    turn: null,
    blockers: 0,
    precondition: after && after.length > 0 ? 'after' : limited ? 'limiter' : null,
    scheduleId: scheduleId ?? null,
  };
}

/** Creates child runs with the steps of their parents. */
export const beginChildren: MemoryExtrasWriter = (tables, writes, now) => {
  const children = writes.flatMap(({ extras }) => extras?.children ?? []);
  const begun = new Map<string, NewRun>();
  const conflicts = children.filter((child) => {
    const taken = tables.runs.get(child.id) ?? begunAs(begun.get(child.id));
    if (!taken) begun.set(child.id, child);
    return taken !== undefined && !isSameChild(child, taken);
  });
  return {
    outcome: { answers: conflicts.flatMap(answerOfConflict), woken: begun.size > 0 },
    apply: () => {
      for (const child of begun.values()) {
        tables.runs.set(child.id, runWithTurn(tables, child, now));
        writeAttributes(tables, child);
      }
    },
  };
};

const begunAs = (run: NewRun | undefined) =>
  run && { id: run.id, parentId: run.parent?.id ?? null, parentSeq: run.parent?.seq ?? null };

/** The row of a new run, with its turn if it needs one. */
function runWithTurn(tables: MemoryTables, run: NewRun, now: number): HeldRun {
  const held = heldRun(run, now);
  return needsTurn(run) ? { ...held, turn: turnOf(tables, run), wakeAt: held.deadline } : held;
}

/** The turn after all others of its key, and after the next turn of the workflow. */
function turnOf({ runs }: MemoryTables, { namespace, workflow, version, limiter, priority }: NewRun): number {
  const [first, end] = [firstTurn(priority), endOfTurns(priority)];
  const waiting = [...runs.values()].flatMap((run) =>
    run.turn !== null && run.turn >= first && run.turn < end ? [{ run, turn: run.turn }] : [],
  );
  const ofLimiter = waiting.filter(({ run }) => run.limiter?.limiter === limiter?.limiter).map(({ turn }) => turn);
  const ofWorkflow = waiting
    .filter(({ run }) => run.namespace === namespace && run.workflow === workflow && run.version === version)
    .map(({ turn }) => turn);
  const head = ofWorkflow.reduce((least, turn) => Math.min(least, turn), Number.POSITIVE_INFINITY);
  const last = ofLimiter.reduce((most, turn) => Math.max(most, turn), first);
  return Math.max(last, head === Number.POSITIVE_INFINITY ? first : head) + 1;
}

/** Creates a run in memory, or returns the existing one. */
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

/** The run that holds the key of this start; undefined if this start has taken the key. */
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
  const deadline = timeoutMs === undefined ? null : wakeAt + timeoutMs;
  return Object.assign(run, { input, wakeAt, deadline, timeoutMs: timeoutMs ?? null });
}

/** Deletes a replaceable run; returns the epoch and position at which the new run continues. */
function makeRoom(tables: MemoryTables, run: NewRun, now: number): Partial<HeldRun> {
  const old = tables.runs.get(run.id);
  if (!run.reuse || !old || !isFinal(old.status)) return {};
  if (old.namespace !== run.namespace || old.workflow !== run.workflow) return {};
  if (run.reuse === 'failed' && old.status === 'completed') return {};
  const last = Math.max(-1, ...tables.history(run.id).map(({ seq }) => seq));
  new InMemoryRunRemoval({ now: () => now }, tables).forget(new Set([run.id]));
  return { epoch: old.epoch + 1, firstSeq: Math.max(old.firstSeq, last + 1) };
}
