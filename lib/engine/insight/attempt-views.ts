import type { Payloads } from '../model/payloads.js';
import { type AttemptRecord, MOST_ATTEMPTS } from '../model/run-insight.js';
import type { StepRecord } from '../model/step-record.js';
import { date, readError } from './run-views.js';
import type { WorkflowAttempt } from './workflow-status.js';

const TRIED: ReadonlySet<string> = new Set(['step', 'transaction', 'remote']);

/**
 * All attempts of a step that have ended, in order. Attempts that were followed by another have records of their own;
 * the attempt that settled a step is in the step's record.
 */
export function attemptsOf(step: StepRecord, { ended, isCut }: AttemptsRead, payloads: Payloads): WorkflowAttempt[] {
  const before = ended.filter((attempt) => attempt.attempt <= step.attempt || isLostNow(step, attempt));
  if (step.settled === null || !TRIED.has(step.kind)) return viewsOf(step, complete(before), payloads);
  const { runId, seq, askedAt, startedAt, finishedAt, worker } = step;
  const isFailed = step.status === 'failed';
  const attempt = isFailed ? step.attempt : step.attempt + 1;
  const outcome = isFailed ? 'failed' : 'completed';
  const times = { askedAt, startedAt, finishedAt };
  const last = { runId, seq, attempt, outcome, ...times, worker, error: isFailed ? step.error : null } as const;
  const known = before.filter((other) => other.attempt < attempt);
  return viewsOf(step, isCut ? [...complete(known), last] : complete([...known, last]), payloads);
}

/** Of one step. */
export interface AttemptsRead {
  ended: readonly AttemptRecord[];
  /** There are more than were read; attempts in between are not told of. */
  isCut: boolean;
}

/** What was read of each step; a read ends after a number of attempts. */
export function attemptsBySeq(read: readonly AttemptRecord[]): (seq: number) => AttemptsRead {
  const bySeq = grouped(read, ({ seq }) => seq);
  const last = read.length < MOST_ATTEMPTS ? Infinity : read.at(-1)!.seq;
  return (seq) => ({ ended: bySeq.get(seq) ?? [], isCut: seq >= last });
}

/** Whether a step can have attempts besides that of its record. */
export const wasTriedBefore = ({ attempt, settled, kind }: StepRecord): boolean =>
  attempt > 0 || (settled === null && kind === 'remote');

export function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

const requestedAt = ({ askedAt, createdAt }: StepRecord): number => askedAt ?? createdAt;

/** The task is held by another worker now, and the step learns of the loss with its answer. */
const isLostNow = (step: StepRecord, { outcome, finishedAt }: AttemptRecord): boolean =>
  outcome === 'lost' && step.settled === null && (finishedAt ?? 0) >= requestedAt(step);

/** Adds attempts of which nobody has a record: the worker that took over died before it could write one. */
const complete = (attempts: readonly AttemptRecord[]): AttemptRecord[] =>
  attempts.flatMap((attempt, i) => {
    const before = attempts[i - 1]?.attempt ?? 0;
    const missing = Array.from({ length: attempt.attempt - before - 1 }, (_, n) => before + 1 + n);
    return [...missing.map((number) => lostWithout(attempt, number)), attempt];
  });

const lostWithout = ({ runId, seq }: AttemptRecord, attempt: number): AttemptRecord => {
  const unknown = { askedAt: null, startedAt: null, finishedAt: null, worker: null, error: null };
  return { runId, seq, attempt, outcome: 'lost', ...unknown };
};

/** A lost attempt and those after it belong to one request: each begins to wait when the one before it was given up. */
function viewsOf(step: StepRecord, attempts: readonly AttemptRecord[], payloads: Payloads): WorkflowAttempt[] {
  let before: AttemptRecord | undefined;
  return attempts.map((attempt, i) => {
    const requested = attempts.slice(i).find(({ outcome }) => outcome !== 'lost');
    const first = requested ? (requested.askedAt ?? step.createdAt) : requestedAt(step);
    const askedAt = before?.outcome === 'lost' ? (before.finishedAt ?? attempt.startedAt) : first;
    const view = viewOf({ ...attempt, askedAt }, before?.finishedAt ?? null, payloads);
    before = attempt;
    return view;
  });
}

function viewOf(record: AttemptRecord, endBefore: number | null, payloads: Payloads): WorkflowAttempt {
  const { attempt, outcome, askedAt, startedAt, finishedAt, worker, error } = record;
  return {
    attempt,
    outcome,
    askedAt: date(askedAt),
    startedAt: date(startedAt),
    finishedAt: date(finishedAt),
    backedOffMs: attempt === 1 ? 0 : between(endBefore, askedAt),
    waitedMs: between(askedAt, startedAt),
    ranMs: between(startedAt, finishedAt),
    worker,
    error: readError(error, payloads),
  };
}

/** Workers in other languages may use clocks of their own, which may be behind. */
const between = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : Math.max(0, to - from);
