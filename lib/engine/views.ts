import { cursorText, type KnownOptions, readCursor } from '../core/options.js';
import { isStorable, type LogLevel } from '../core/protocol.js';
import {
  CompensationFailedError,
  WorkflowCancelledError,
  WorkflowFailedError,
  WorkflowTerminatedError,
} from '../core/run-errors.js';
import { parseWireError, revivedError, revivedParts, type WireError } from '../core/wire-error.js';
import { TERMINATED } from './control.js';
import { PUBLISHED } from './erasure.js';
import { type AttemptRecord, type ListPosition, MOST_ATTEMPTS } from './insight.js';
import type { Payloads } from './payloads.js';
import {
  type Attributes,
  type Closing,
  type ParentClose,
  readDetail,
  type RunMismatch,
  type RunReason,
  type RunRecord,
  type RunStatus,
  writeDetail,
} from './run.js';
import type { LogLine } from './runs.js';
import { readPublished, requestedAt, type StepKind, type StepRecord, type StepStatus } from './step.js';

export interface StatusOptions {
  /**
   * Include every recorded position, its attempts and its log lines, or the first `limit` positions (at most 10,000). Of a
   * run, at most 20,000 attempts and as many lines are read. Default false.
   */
  history?: boolean | { limit?: number };
  /**
   * With `history`: also the inputs of remote steps, children, `ctx.effects` and `ctx.publish`. Where they are not kept,
   * today's code of this process is replayed with the recorded outcomes, which executes the code between steps, and its
   * inputs are noted. `recomputed` says whether the code still fits.
   */
  inputs?: 'replay';
  /** Include the runs it started: the first `limit`, default 100, at most 1,000; `list({ parent })` returns all. */
  children?: boolean | { limit?: number };
}

export const STATUS_OPTIONS = {
  history: { limit: true },
  inputs: true,
  children: { limit: true },
} satisfies KnownOptions<StatusOptions>;

/** The stored fields of an error. */
export interface ErrorView {
  name?: string;
  message: string;
  code?: string;
  /** False: it has ended the retries of its step. */
  retryable?: boolean;
  cause?: ErrorView;
  /** The errors of an `AggregateError`; of a failed compensation, its own cause. */
  errors?: readonly ErrorView[];
  /** The frames, one per line, those of the app first. Recorded as the option `errors.stack` says. */
  stack?: string;
}

/** The state of a run. Values are decoded, times are dates. */
export interface WorkflowRunStatus {
  id: string;
  workflow: string;
  version: number;
  status: RunStatus;
  /** Why the run is blocked, or why it has not begun; null otherwise. */
  reason: RunReason | null;
  reasonDetail: string | null;
  /** With `non_determinism`: the position at which its code and its history differ. */
  mismatch: RunMismatch | null;
  /** The error that blocks it, with its stack: `reasonDetail` is its text. */
  blockedBy: ErrorView | null;
  /** How the run will end, while it is being compensated or closed. */
  closing: Closing | null;
  /** The last value that its code passed to `ctx.setStatus`. */
  customStatus: string | null;
  attributes: Attributes;
  /** The id of the run that started it. */
  parentId: string | null;
  scheduleId: string | null;
  /** The run that it was forked from, and the first position that it does not share with it. */
  forkedFrom: { id: string; seq: number } | null;
  priority: number;
  input: unknown;
  output: unknown;
  /**
   * The error with which the run failed, or because of which it is being compensated. With `compensation_failed`: the
   * error of the compensation, and as its `cause` the error with which the run had failed.
   */
  error: ErrorView | null;
  /** When a timer continues the run; null while it waits for something else. */
  wakeAt: Date | null;
  /** When it times out. */
  deadline: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Its payloads, or a part of its history, were erased: it can no longer be replayed. */
  erased: boolean;
  /** With `history: true`: every recorded position, in order. */
  history?: WorkflowStepStatus[];
  /** With a `limit` of the history: there are more positions. */
  moreHistory?: true;
  /** With `inputs: 'replay'`: whether the inputs in the history are complete. */
  recomputed?: RecomputedInputs;
  /** With `history: true`: the log lines of its code, without those of its steps. */
  logs?: WorkflowLogLine[];
  /** With `children`: the runs it has started, oldest first. */
  children?: WorkflowChildStatus[];
}

/** How the inputs in a history were found. */
export interface RecomputedInputs {
  /** Whether the code fits the whole history. If not, positions after the mismatch have no input. */
  fits: boolean;
  /** Where the code parts from the history; null if it fits, threw an error, or is not there. */
  mismatch: RunMismatch | null;
  /** Why it does not fit; null if it does. */
  detail: string | null;
}

/** One recorded position. */
export interface WorkflowStepStatus {
  seq: number;
  kind: StepKind;
  name: string;
  status: StepStatus;
  /** How many attempts have failed. */
  failures: number;
  /**
   * What the step was asked with last, if it was kept (`keepInputs`). Else with `inputs: 'replay'`: as today's code asks for
   * it. Undefined: neither, or the step has none.
   */
  input?: unknown;
  output: unknown;
  error: ErrorView | null;
  wakeAt: Date | null;
  createdAt: Date;
  /** When the last attempt was requested. */
  askedAt: Date;
  /** When the last attempt began; null while that is not known. */
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Who ran the last attempt: a worker, or the process that played the run. Null if that is not known. */
  worker: string | null;
  /** Every attempt that has ended, in order. */
  attempts: WorkflowAttempt[];
  /** In the order in which they were written, at most 1,000 per attempt. */
  logs: WorkflowLogLine[];
}

/** One call of a step's function or handler. Times that are not known are null. */
export interface WorkflowAttempt {
  /** The number of the attempt, from 1, which its handler saw and its log lines have. */
  attempt: number;
  /** `lost`: its worker did not renew its lease: it died, or lost its connection. */
  outcome: 'completed' | 'failed' | 'lost' | 'deferred';
  /** When it was requested. */
  askedAt: Date | null;
  /** When it began. */
  startedAt: Date | null;
  /** When it ended; for a lost attempt, when another worker took over its task. */
  finishedAt: Date | null;
  /** From the end of the attempt before it until it was requested, in ms. */
  backedOffMs: number | null;
  /** From its request until it began, in ms. */
  waitedMs: number | null;
  /** From its beginning to its end, in ms. */
  ranMs: number | null;
  /** The worker, or the process that played the run; null if a worker did not tell its name. */
  worker: string | null;
  error: ErrorView | null;
}

export interface WorkflowLogLine {
  level: LogLevel;
  message: string;
  fields?: Record<string, unknown>;
  /** For a line of a step: the number of the attempt that wrote it. */
  attempt: number | null;
  loggedAt: Date;
}

export interface WorkflowChildStatus extends WorkflowRunStatus {
  /** What happens to the run when its parent ends first. */
  parentClose: ParentClose | null;
}

/** Converts a run's record to its public view. */
export function viewRun(run: RunRecord, all: Payloads, attributes: Attributes = {}): WorkflowRunStatus {
  const { id, workflow, version, status, reason, closing, parentId, scheduleId, priority } = run;
  const payloads = all.ofRun(run, attributes);
  const { texts, context } = payloads;
  const { detail, mismatch, blockedBy } = readDetail(run.reasonDetail);
  const [input, output] = [payloads.readValue(run.input), payloads.readValue(run.output)];
  const values = { input, output, error: readError(run.error, payloads) };
  const times = {
    wakeAt: date(run.wakeAt),
    deadline: date(run.deadline),
    createdAt: new Date(run.createdAt),
    startedAt: date(run.startedAt),
    finishedAt: date(run.finishedAt),
    erased: run.erasedAt !== null,
  };
  const text = (stored: string | null) => (stored === null ? null : texts.readText(stored, context));
  const blocked = { mismatch, blockedBy: blockedBy && texts.readable(blockedBy, context) };
  const why = { reason, reasonDetail: text(detail), ...blocked, closing };
  const forkedFrom = run.forkedFrom === null ? null : { id: run.forkedFrom, seq: run.forkedSeq ?? 0 };
  const seen = { customStatus: text(run.customStatus), attributes, parentId, scheduleId, forkedFrom, priority };
  return { id, workflow, version, status, ...why, ...seen, ...values, ...times };
}

/** The texts of a run and its steps as people read them. */
export function readableRun(
  run: RunRecord,
  steps: readonly StepRecord[],
  all: Payloads,
): { run: RunRecord; steps: StepRecord[] } {
  const payloads = all.ofRun(run);
  const { texts, context } = payloads;
  const read = (error: string | null) => error && JSON.stringify(payloads.readError(error));
  const { detail, mismatch, blockedBy } = readDetail(run.reasonDetail);
  const text = detail === null ? undefined : texts.readText(detail, context);
  const error = blockedBy ? texts.readable(blockedBy, context) : undefined;
  const reasonDetail = writeDetail(text, mismatch ?? undefined, error);
  const readable = { ...run, error: read(run.error), reasonDetail };
  return { run: readable, steps: steps.map((step) => ({ ...step, error: read(step.error) })) };
}

export function viewStep(step: StepRecord, payloads: Payloads, notes: Partial<StepNotes> = {}): WorkflowStepStatus {
  const { seq, kind, name, status, failures, worker } = step;
  const isWaiting = kind === 'signal' && step.settled === null;
  const isPublished = kind === 'marker' && step.ref === PUBLISHED;
  const text = isWaiting ? null : step.output;
  const output = isPublished ? readPublished(text) : payloads.readValue(text);
  const input = step.input === undefined ? {} : { input: payloads.readValue(step.input) };
  const values = { ...input, output, error: readError(step.error, payloads) };
  const times = {
    wakeAt: date(step.wakeAt),
    createdAt: new Date(step.createdAt),
    askedAt: new Date(step.askedAt ?? step.createdAt),
    startedAt: date(step.startedAt),
    finishedAt: date(step.finishedAt),
  };
  const told = { attempts: [...(notes.attempts ?? [])], logs: notBeforeAsked(step, notes) };
  return { seq, kind, name, status, failures, worker, ...values, ...times, ...told };
}

/** Lines of a worker go by another clock than its requests. An attempt that was given back has begun several times. */
function notBeforeAsked(step: StepRecord, { attempts = [], logs = [] }: Partial<StepNotes>): WorkflowLogLine[] {
  const asked = new Map(attempts.map(({ attempt, askedAt }) => [attempt, Number(askedAt)]));
  const requested = requestedAt(step);
  return logs.map((line) => {
    const attempt = line.attempt ?? 0;
    const from = asked.get(attempt) ?? (attempt > step.attempt ? requested : 0);
    const at = Math.max(Number(line.loggedAt), from, step.createdAt);
    return { ...line, loggedAt: new Date(at) };
  });
}

/** A step whose payloads were not read. */
export function viewFacts(
  step: StepRecord,
  payloads: Payloads,
  told: Pick<WorkflowStepFacts, 'attempts' | 'logLines'>,
): WorkflowStepFacts {
  const { output: _output, attempts: _attempts, logs: _logs, ...facts } = viewStep({ ...step, output: null }, payloads);
  return { ...facts, ...told, ...(step.kind === 'child' && step.ref !== null && { childId: step.ref }) };
}

/** The stored data of a step besides its record. */
export interface StepNotes {
  attempts: readonly WorkflowAttempt[];
  logs: readonly WorkflowLogLine[];
}

export function viewLine(line: LogLine, { texts, context }: Payloads): WorkflowLogLine {
  const { level, message, fields, attempt, loggedAt } = texts.readLine(line, context);
  const values = fields === null ? {} : { fields: JSON.parse(fields) as Record<string, unknown> };
  return { level, message, ...values, attempt, loggedAt: new Date(loggedAt) };
}

/** The error that is thrown to callers who wait for the output of a run that did not complete. */
export function errorOf({ id, status, error }: RunRecord, payloads: Payloads): Error {
  if (status === 'cancelled') {
    const isTerminated = error !== null && parseWireError(error).code === TERMINATED.code;
    return isTerminated ? new WorkflowTerminatedError(id) : new WorkflowCancelledError(id);
  }
  const wire = payloads.readError(error);
  if (status !== 'compensation_failed') return failed(id, wire);
  const cause = wire.cause && { cause: failed(id, wire.cause) };
  return new CompensationFailedError(id, fieldsOf(wire), cause);
}

const failed = (id: string, wire: WireError): Error =>
  new WorkflowFailedError(id, fieldsOf(wire), wire.cause && { cause: revivedError(wire.cause) });

function fieldsOf({ name = 'WorkflowFailedError', ...wire }: WireError) {
  const { message, code } = wire;
  const { stack, errors } = revivedParts({ ...wire, name });
  return { name, message, stack, ...(errors && { errors }), ...(code !== undefined && { code }) };
}

/** The end of a page as a cursor. */
export const cursorOf = ({ at, id }: ListPosition): string => cursorText([at, id]);

/** @throws InvalidArgumentError when the text is not from {@link cursorOf}. */
export function parseCursor(cursor: string): ListPosition {
  const isMeant = ([at, id]: [number, string]) => Number.isSafeInteger(at) && isStorable(id);
  const [at, id] = readCursor(cursor, isMeant);
  return { at, id };
}

export const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

export const readError = (text: string | null, payloads: Payloads): WorkflowRunStatus['error'] =>
  text === null ? null : payloads.readError(text);

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

/** A recorded position without its payloads, and with the number of its log lines. */
export interface WorkflowStepFacts extends Omit<WorkflowStepStatus, 'input' | 'output' | 'logs'> {
  /** Among the first 20,000 lines of the run. */
  logLines: number;
  /** The id of the run that it has started. */
  childId?: string;
}

/** A step among those of many runs. */
export interface ListedStep extends Omit<WorkflowStepFacts, 'attempts' | 'logLines'> {
  workflowId: string;
  workflow: string;
}

export interface ListedStepsPage {
  /** By run, and within it by position. */
  steps: ListedStep[];
  /**
   * Pass it to the next call; undefined on the last page. A page with a cursor may have fewer steps than `limit`, or none:
   * one call looks at as many runs as it can in about a tenth of a second.
   */
  cursor?: string;
  /** Of how many runs the steps were looked at for this page. */
  lookedAt: number;
}

export interface StepsOptions {
  /** The position after which the page begins: the `cursor` of the page before. Default: the first position. */
  after?: number;
  /**
   * The `mark` of the last answer: then only what may have changed since is returned. First the positions after those that
   * were known; once these are all, the steps that have got an outcome, and of those without one the 100 that were asked
   * last. After an operator has acted on the run, read it from the beginning. Not together with `after`.
   */
  mark?: string;
  /** Steps per page, from 1 to 1,000. Default 200. */
  limit?: number;
}

export const STEPS_OPTIONS = { after: true, mark: true, limit: true } satisfies KnownOptions<StepsOptions>;

export interface WorkflowStepPage {
  workflow: string;
  /** In the order of their positions; with `mark`, those that have changed come after those that are new. */
  steps: WorkflowStepFacts[];
  /** There are more. Pass it as `after`; or ask with the `mark`, which goes on there as well. */
  cursor?: number;
  /** Pass it, to get what has changed. */
  mark: string;
  /**
   * The run has begun another life (`continueAsNew`, `restart`), or lost outcomes (`retry`), so what `after` or `mark`
   * belongs to is gone. These are the first steps of what it has now: forget the others.
   */
  anew?: true;
}

/** What was known when a page was read. */
export interface StepsMark {
  /** The first position of the run's life. */
  firstSeq: number;
  /** The last position. */
  seq: number;
  /** The last outcome. */
  settled: number;
}

export const markText = ({ firstSeq, settled, seq }: StepsMark): string => cursorText([firstSeq, settled, seq]);

/** @throws InvalidArgumentError when the text is not from {@link markText}. */
export function parseMark(mark: string): StepsMark {
  const isMeant = (parts: [number, number, number]) =>
    parts.length === 3 && parts.every((part) => Number.isInteger(part) && Math.abs(part) <= 2 ** 31);
  const [firstSeq, settled, seq] = readCursor(mark, isMeant, 'the mark of an answer before', 'mark');
  return { firstSeq, settled, seq };
}
