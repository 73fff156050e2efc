import { moveInLimiters } from '../limits/in-memory-limiters.js';
import { isNote, leftIn, leftOver } from '../model/left-signals.js';
import type { Endings, KnownStep, LogLine, RefusedWrite, RunWrite } from '../model/run-store.js';
import { isFinal } from '../model/run.js';
import { olderThanAsked } from '../endings/resumption.js';
import { openIn, settleAnswers } from '../model/step-record.js';
import { freeLeft, keepSignalWaits } from '../signals/in-memory-signal-waits.js';
import { beginChildren } from '../starts/in-memory-run-starter.js';
import { isAnswerable } from '../tables/in-memory-run-states.js';
import { type MemoryExtrasWriter, type MemoryTables, changeAttributes, keepAttempts } from '../tables/memory-tables.js';
import type { StepAnswer } from '../../protocol/step.js';

/** Why a write is refused; undefined if it is accepted. */
export function refusalOf(tables: MemoryTables, write: RunWrite): RefusedWrite | undefined {
  const { runId, epoch, owner, known = [], once, steps } = write;
  const run = tables.runs.get(runId);
  if (run?.epoch !== epoch || run.owner === null || (owner !== undefined && run.owner !== owner)) return write;
  const history = tables.steps.get(runId);
  const stands = ({ seq, settled }: KnownStep) => {
    const step = history?.get(seq);
    return step !== undefined && (settled === null || step.settled === settled);
  };
  if (!known.every(stands)) return { ...write, because: 'ahead' };
  const hasOutcome = steps.some(({ seq }) => (history?.get(seq)?.settled ?? null) !== null);
  return once && hasOutcome ? { ...write, because: 'settled' } : undefined;
}

/** Applies answers to runs without an owner. Signals in answers that settle nothing are released. */
export function settleInto(tables: MemoryTables, now: number, answers: readonly StepAnswer[]): void {
  const ids = new Set(answers.filter((answer) => !isNote(answer)).map(({ runId }) => runId));
  const alive = [...ids].map((id) => tables.runs.get(id)!).filter(({ status }) => !isFinal(status));
  const open = alive.flatMap((run) => tables.history(run.id).filter(isAnswerable));
  const answerable = alive.flatMap((run) => openIn(tables.history(run.id).filter(isAnswerable), run.status));
  const settled = settleAnswers(alive, answerable, answers);
  for (const step of settled.steps) tables.steps.get(step.runId)!.set(step.seq, step);
  for (const { id, settled: order } of settled.runs) {
    const run = tables.runs.get(id)!;
    run.settled = order;
    if (run.reason === null) run.wakeAt = Math.min(run.wakeAt ?? now, now);
  }
  freeLeft(tables, leftIn(leftOver(answers, settled.steps, open)));
}

/** Without answers about ends of children that go on. */
export function withoutStale(tables: MemoryTables, answers: readonly StepAnswer[]): readonly StepAnswer[] {
  const open = answers.flatMap(({ runId }) => tables.history(runId).filter(isAnswerable));
  const stale = olderThanAsked(open, answers).filter(({ childId }) => {
    const child = tables.runs.get(childId);
    return child !== undefined && !isFinal(child.status);
  });
  return answers.filter((answer) => !stale.some((one) => one.answer === answer));
}

/** Attempts, logs, attributes and custom statuses. */
const keepNotes: MemoryExtrasWriter = (tables, writes) => ({
  apply: () => writes.forEach((write) => keep(tables, write)),
});

function keep(tables: MemoryTables, { runId, extras = {} }: RunWrite): void {
  const { attempts = [], logs = [], replacedLogs = [], attributes = {}, customStatus } = extras;
  if (attempts.length > 0) keepAttempts(tables, runId, attempts);
  if (logs.length + replacedLogs.length > 0) {
    const isSame = (a: LogLine) => (b: LogLine) => a.message === b.message && a.loggedAt === b.loggedAt;
    const before = (tables.logs.get(runId) ?? []).filter((line) => !replacedLogs.some(isSame(line)));
    tables.logs.set(runId, [...before, ...logs, ...replacedLogs]);
  }
  changeAttributes(tables, runId, attributes);
  const run = tables.runs.get(runId);
  if (run && customStatus !== undefined) run.customStatus = customStatus;
}

const WRITERS: readonly MemoryExtrasWriter[] = [beginChildren, keepSignalWaits, moveInLimiters, keepNotes];

/** The extras of writes that have passed the fencing. */
export function memoryExtras(
  tables: MemoryTables,
  writes: readonly RunWrite[],
  now: number,
): Endings & { woken: boolean; apply(): void } {
  const carrying = writes.filter(({ extras }) => extras !== undefined);
  const planned = carrying.length === 0 ? [] : WRITERS.map((plan) => plan(tables, carrying, now));
  return {
    answers: planned.flatMap(({ outcome }) => outcome?.answers ?? []),
    limiters: planned.flatMap(({ outcome }) => outcome?.limiters ?? []),
    woken: planned.some(({ outcome }) => outcome?.woken),
    apply: () => planned.forEach((part) => part.apply()),
  };
}
