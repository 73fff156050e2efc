import { DatabaseError, ProcessEndingError, TransactionLostError } from '../../core/errors.js';
import { Cancellation, type Patience, untilBack } from '../../core/leasing.js';
import { idempotencyKeyOf, type LogLevel, type LogText, logText, stepIdOf } from '../../core/protocol.js';
import { StepTimeoutError, TooManyDeferralsError } from '../../core/run-errors.js';
import type { TracedWork } from '../../core/telemetry.js';
import { backoffMs, LONGEST_DELAY_MS, toMs } from '../../core/time.js';
import { readably } from '../../core/thrown.js';
import type { Transaction } from '../../core/transaction.js';
import { type ErrorRules, isWithoutOutcome, toWireError, type WireError } from '../../core/wire-error.js';
import type { LocalStepContext, RunLog, StepOptions } from '../context.js';
import { contextIn } from '../run.js';
import type { EndedAttempt, LogLine, RunStore } from '../runs.js';
import { failedOnce, LINE_COUNT_SEQ, type StepRecord } from '../step.js';
import { caught, nextAttemptIn, type RetryPolicy } from '../workflow.js';
import type { Activation, Entry, RunAtEpoch } from './activation.js';
import { inCallback } from './code-scope.js';
import { standCorrected, standStill } from './departures.js';
import type { PlayedWrite } from './recorder.js';

const DATABASE_AWAY_MS = 250;

/**
 * How often the database may end the transaction of one attempt before that counts as a failure, since the code itself
 * may be the reason. The waits between 30 losses are longer than a server stays read-only, which may be minutes.
 */
const MOST = { conflict: 10, loss: 30 };
const AFTER_LOSS = { delay: 250, maxDelay: 30_000, jitter: 'full' } as const;
/** With jitter, so that both transactions do not conflict again. */
const AFTER_CONFLICT = { delay: 5, maxDelay: 500, jitter: 'full' } as const;

/**
 * Runs attempts of a local step until one settles it or the last one has failed. Failures and the time of the next
 * attempt are recorded, so a restart continues with the same count.
 */
export async function tryUntilSettled(
  activation: Activation,
  first: StepRecord,
  policy: RetryPolicy,
  attempt: (step: StepRecord) => Promise<void>,
): Promise<void> {
  if (first.status === 'exhausted') return standStill(activation, first);
  let step: StepRecord | undefined = first;
  const losses = { conflict: 0, loss: 0 };
  const dueOf = ({ seq, wakeAt }: StepRecord) => (wakeAt === null ? undefined : activation.until(seq, wakeAt));
  let due = dueOf(first);
  while (step) {
    if (due) await due;
    const current: StepRecord = { ...step, wakeAt: null };
    step = due = undefined;
    await activation.work(async () => {
      if (!(await activation.durable())) return;
      current.startedAt = activation.moments.now();
      current.worker = activation.shared.process;
      const succeeded = () => tellEnded(activation, current);
      await attempt(current).then(succeeded, (thrown: unknown) => {
        // Given back, without a trace: perhaps it failed because parts of the app are gone.
        if (activation.interrupted && isUndone(activation, current, thrown)) return;
        const how = thrown instanceof TransactionLostError && thrown.conflict ? 'conflict' : 'loss';
        if (thrown instanceof TransactionLostError && losses[how] < MOST[how])
          return void (step = afterLoss(activation, current, ++losses[how], thrown));
        Object.assign(losses, { conflict: 0, loss: 0 });
        step = failed(activation, current, policy, thrown);
      });
      // Before the run comes to rest: it would be parked for as long as another branch sleeps.
      if (step) due = dueOf(step);
    });
  }
}

/** Whether the work has failed, and not only what it has returned; a transaction is rolled back in any case. */
const isUndone = ({ payloads, shared }: Activation, { kind }: StepRecord, thrown: unknown): boolean =>
  kind === 'transaction' || !isWithoutOutcome(caught(thrown, payloads, shared.clock).wire);

/** The attempt was rolled back but did not fail: it is repeated with the same number. */
function afterLoss(
  activation: Activation,
  step: StepRecord,
  losses: number,
  error: TransactionLostError,
): StepRecord | undefined {
  if (activation.closed) return undefined;
  const { shared, run } = activation;
  const retryInMs = backoffMs(losses, error.conflict ? AFTER_CONFLICT : AFTER_LOSS);
  const stepId = stepIdOf(step.runId, step.seq);
  if (!error.conflict)
    shared.telemetry?.emit('transaction.lost', { stepId, name: step.name, workflow: run.workflow, error, retryInMs });
  return { ...step, wakeAt: shared.clock.now() + retryInMs };
}

/** Records a failed attempt; returns the step to retry, or undefined if it was the last attempt. */
function failed(
  activation: Activation,
  step: StepRecord,
  policy: RetryPolicy,
  thrown: unknown,
): StepRecord | undefined {
  if (activation.closed) return undefined;
  // The database was unavailable: that is no failure of the step.
  if (thrown instanceof DatabaseError && thrown.transient && !(thrown instanceof TransactionLostError))
    return { ...step, wakeAt: activation.shared.clock.now() + DATABASE_AWAY_MS };
  const { clock } = activation.shared;
  const judgement = judge(activation, step, policy, caught(thrown, activation.payloads, clock));
  const { step: ended, outcome, next } = judgement;
  const retryInMs = outcome === 'deferred' && typeof next === 'number' ? next : undefined;
  tellEnded(activation, step, { thrown, retryInMs });
  if (next === 'wrong') {
    // Nothing is recorded: fixed code makes this attempt.
    standCorrected(activation, judgement.error);
    return undefined;
  }
  if (next === 'fail') {
    activation.settle({ ...ended, status: 'failed' });
    return undefined;
  }
  const extras = { attempts: [endedAttempt(activation, ended, outcome)] };
  if (next === 'block') {
    exhaust(activation, ended, { extras });
    return undefined;
  }
  const due = clock.now() + next;
  const again = { ...ended, wakeAt: due, askedAt: due, startedAt: null, worker: null };
  activation.keep(again, { extras });
  return again;
}

/** Records that a step has used all its attempts, and blocks its run until `retry`. */
export function exhaust(activation: Activation, step: StepRecord, also: Omit<Entry, 'steps'>): void {
  if (activation.closed) return;
  const last = { ...step, status: 'exhausted', wakeAt: null, finishedAt: activation.moments.now() } as const;
  activation.keep(last, also);
  standStill(activation, last);
}

/** An entry for the list of attempts; the attempt that settles a step is in the step's record. */
export const endedAttempt = (
  { moments }: Activation,
  { seq, attempt, askedAt, startedAt, worker, error }: StepRecord,
  outcome: EndedAttempt['outcome'],
): EndedAttempt => ({
  seq,
  attempt,
  outcome,
  askedAt,
  startedAt,
  worker,
  finishedAt: moments.now(),
  error: error ?? 'null',
});

/** What follows after an attempt that has thrown. */
export interface Judgement {
  /** The step after the attempt. */
  step: StepRecord;
  outcome: EndedAttempt['outcome'];
  /** The wait until the next attempt, in ms; or what follows when there is none. */
  next: number | 'fail' | 'block' | 'wrong';
  error: Error;
}

/** Counts the attempt: as a failure, or as deferred if it has asked for the time of the next one. */
export function judge(
  activation: Activation,
  step: StepRecord,
  policy: RetryPolicy,
  { error, wire }: { error: Error; wire: WireError },
): Judgement {
  const { retryAfterMs, retryable, withoutOutcome } = wire;
  const ended = { ...step, error: JSON.stringify(wire) };
  if (retryAfterMs === undefined || retryable === false) {
    const failure = failedOnce(ended);
    const failures = counted(activation, failure);
    try {
      const next = inCallback(activation, `the retryIf of "${step.name}"`, () =>
        nextAttemptIn(policy, failures, error, { retryable, withoutOutcome, isUndone: step.kind === 'transaction' }),
      );
      return { step: failure, outcome: 'failed', next, error };
    } catch (refusal) {
      const { error: why, wire: refused } = caught(refusal, activation.payloads, activation.shared.clock);
      const next = step.kind === 'transaction' ? 'wrong' : 'block';
      return { step: failedOnce({ ...step, error: JSON.stringify(refused) }), outcome: 'failed', next, error: why };
    }
  }
  if (step.deferrals < policy.deferrals) {
    const deferred = { ...ended, attempt: step.attempt + 1, deferrals: step.deferrals + 1 };
    return { step: deferred, outcome: 'deferred', next: Math.ceil(Math.min(retryAfterMs, LONGEST_DELAY_MS)), error };
  }
  const tooMany = new TooManyDeferralsError(
    step.name,
    step.deferrals,
    toWireError(error, activation.payloads.texts.rules).message,
  );
  const failure = failedOnce({ ...step, error: JSON.stringify(activation.payloads.error(tooMany)) });
  return { step: failure, outcome: 'failed', next: policy.onExhausted, error: tooMany };
}

/** How many failed attempts of a step count: not those before a `retry`. */
const counted = ({ run }: Activation, { seq, failures }: StepRecord): number =>
  failures - (run.resume?.forgiven?.[seq] ?? 0);

/** Calls `work` with its context, as work of the app; after `timeout`, rejects and aborts the signal of the context. */
export async function withinTimeout<T>(
  activation: Activation,
  step: StepRecord,
  options: StepOptions,
  work: (context: LocalStepContext) => T | Promise<T>,
): Promise<T> {
  const { telemetry } = activation.shared;
  const attempt = () => limited(activation, step, options, work);
  // What an instrumentation sees of an undoing is named after its step.
  const kind = step.kind === 'transaction' ? 'transaction' : 'step';
  return telemetry ? telemetry.around(kind, () => tracedOf(activation, step), attempt) : attempt();
}

function tracedOf({ run }: Activation, { runId, seq, name, attempt }: StepRecord): Omit<TracedWork, 'kind'> {
  const { workflow, version, context } = run;
  const stepId = stepIdOf(runId, seq);
  return { name, runId, stepId, seq, attempt: attempt + 1, workflow, version, carrier: contextIn(context) };
}

async function limited<T>(
  activation: Activation,
  step: StepRecord,
  { timeout }: StepOptions,
  work: (context: LocalStepContext) => T | Promise<T>,
): Promise<T> {
  const called = (context: LocalStepContext) =>
    inCallback(activation, nameOf(step), () => readably(() => work(context)));
  if (timeout === undefined) return called(contextOf(activation, step, activation));
  const ms = toMs(timeout, 'timeout');
  const attempt = new Cancellation();
  const signal = AbortSignal.any([activation.signal, attempt.signal]);
  const working = () => called(contextOf(activation, step, { signal }));
  return attempt.outliveWithin(ms, working, () => new StepTimeoutError(step.name, ms));
}

const nameOf = ({ kind, name, seq }: StepRecord): string =>
  seq < 0 ? `the compensation of "${name}"` : `the callback of ${kind} "${name}"`;

/** `signal` and `log` are created on first use, since most steps do not use them. */
function contextOf(activation: Activation, step: StepRecord, ending: { signal: AbortSignal }): LocalStepContext {
  const { runId, seq, name } = step;
  const stepId = stepIdOf(runId, seq);
  const attempt = step.attempt + 1;
  let log: RunLog | undefined;
  return {
    workflowId: runId,
    stepId,
    seq,
    name,
    idempotencyKey: idempotencyKeyOf(stepId),
    attempt,
    get context() {
      return contextIn(activation.run.context);
    },
    get signal() {
      return ending.signal;
    },
    get log() {
      return (log ??= runLog(activation, { seq, name, attempt }));
    },
  };
}

interface AttemptFailure {
  thrown: unknown;
  /** It has asked for the time of the next one. */
  retryInMs: number | undefined;
}

/** Tells of an attempt of a local step that has ended, if somebody listens. */
function tellEnded({ shared, run, closed }: Activation, step: StepRecord, failure?: AttemptFailure): void {
  const { runId, name, kind, seq, attempt, startedAt } = step;
  // Undoing a step is no attempt of it, and what is written no more counts for nobody.
  if (closed || seq < 0 || startedAt === null || (kind !== 'step' && kind !== 'transaction')) return;
  const { retryInMs } = failure ?? {};
  if (!shared.telemetry?.hears(retryInMs === undefined ? 'step.ended' : 'step.deferred')) return;
  const times = { startedAt, durationMs: Math.max(0, shared.clock.now() - startedAt) };
  const error = failure && { error: classOf(failure.thrown, shared.payloads.texts.rules) };
  const ended = { runId, workflow: run.workflow, name, kind, seq, attempt: attempt + 1, ...times, ...error };
  if (retryInMs === undefined) shared.telemetry.emit('step.ended', ended);
  else shared.telemetry.emit('step.deferred', { ...ended, retryInMs });
}

function classOf(thrown: unknown, { redact }: ErrorRules): { name: string; code?: string } {
  const { name = 'Error', code } = toWireError(thrown, { redact });
  return { name, ...(code !== undefined && { code }) };
}

/** The run got another owner while the transaction was open: the transaction is rolled back. */
class RunLost extends Error {}

/** An earlier attempt was committed after all: this one is rolled back. */
class AlreadySettled extends Error {}

/** Runs the app's work and records it in one commit. */
export async function transact(
  activation: Activation,
  step: StepRecord,
  work: (handle: unknown) => unknown,
  options: StepOptions,
): Promise<void> {
  const { transactions } = activation.shared;
  const { footing } = activation.writer;
  let found = footing.known;
  let reserved = false;
  const giveBack = (settled?: StepRecord) => {
    if (settled) activation.compensations.extrasFor(settled);
    if (settled) footing.stepOnto([settled], found);
    if (reserved) activation.journal.release(settled);
    reserved = false;
  };
  try {
    const settled = await transactions.begin(async (handle, tx) => {
      if (activation.interrupted) throw new ProcessEndingError();
      const value = await withinTimeout(activation, step, options, () => work(handle));
      const order = await activation.journal.reserve();
      reserved = true;
      // The activation has ended meanwhile, and has written the order without this step.
      if (activation.closed) throw new RunLost();
      found = footing.known;
      return recordIn(tx, activation, step, value, order);
    });
    giveBack(settled);
  } catch (error) {
    if (error instanceof RunLost) return giveBack();
    // The outcome is unknown after a connection loss during COMMIT, or when a hook of the app throws after it. A
    // conflict may be with an earlier attempt that was committed after all. Only the record shows the outcome.
    const isOpen = error instanceof AlreadySettled || (error instanceof DatabaseError && (error.transient || reserved));
    const committed = isOpen ? await readBack(activation, step) : undefined;
    if (activation.closed && !committed) return giveBack();
    giveBack(committed);
    if (!committed) throw error;
  }
}

/** If this fails, the step is neither repeated nor recorded as failed: the next owner reads it from the history. */
async function readBack(activation: Activation, { runId, seq }: StepRecord): Promise<StepRecord | undefined> {
  try {
    return await activation.shared.readBack({ runId, epoch: activation.run.epoch }, seq);
  } catch (error) {
    activation.break(error);
    return undefined;
  }
}

/**
 * Reads the settled record at a position, and retries while the database fails: only the record shows the outcome of
 * the step. A commit whose reply was lost may still be running on the server, and holds the run's lock until it ends.
 * So this function first waits for that lock; the record that it reads then is final.
 */
export function readBackFrom(store: Pick<RunStore, 'commit' | 'histories'>, patience: Patience) {
  return (claim: RunAtEpoch, seq: number): Promise<StepRecord | undefined> =>
    untilBack(async () => {
      await store.commit([{ ...claim, steps: [], tasks: [], takes: [], withdraws: [] }], async () => {});
      const history = await store.histories([claim.runId], { latest: true });
      return history.find((step) => step.seq === seq && step.settled !== null);
    }, patience);
}

async function recordIn(
  tx: Transaction,
  activation: Activation,
  step: StepRecord,
  value: unknown,
  order: number,
): Promise<StepRecord> {
  const { recorder } = activation.shared;
  const output = activation.payloads.encode(value, `The output of transaction "${step.name}"`);
  const settled: StepRecord = {
    ...step,
    status: 'completed',
    output,
    error: null,
    settled: order,
    finishedAt: activation.moments.now(),
  };
  const { id: runId, epoch } = activation.run;
  // In this commit, since another write with the mark may never be committed.
  const unwinds = activation.compensations.has(step.seq) && !activation.run.unwinds;
  const extras = unwinds ? { extras: { unwinds: true as const } } : {};
  const { footing } = activation.writer;
  const write: PlayedWrite = { runId, epoch, steps: [settled], tasks: [], takes: [], withdraws: [], ...extras };
  const recorded = await recorder.recordIn(tx, { ...write, footing, once: true });
  if (recorded === 'written') return settled;
  if (recorded === 'settled') throw new AlreadySettled();
  activation.drop(recorded);
  throw new RunLost();
}

/** The most stored lines of a run (since `continueAsNew`), and of one attempt; later ones only go to the logger. */
const MOST_RUN_LINES = 10_000;
const MOST_STEP_LINES = 1_000;

/**
 * The log of the run itself, or of one attempt of a step. The run's lines are counted, and the count is recorded with
 * them: a replay logs the same lines in the same order, so lines up to the count are stored already. Lines take no
 * positions of the history. A step's lines are written with the next record of the run, and are lost only if the
 * process dies before.
 */
export const runLog = (activation: Activation, step?: Pick<StepRecord, 'seq' | 'name'> & { attempt: number }): RunLog =>
  logOf(step ? stepLines(activation, step) : runLines(activation));

type Write = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;

const logOf = (write: Write): RunLog => ({
  debug: (message, fields) => write('debug', message, fields),
  info: (message, fields) => write('info', message, fields),
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
});

function runLines(activation: Activation): Write {
  const { run, shared, journal } = activation;
  const recorded = Number(journal.get(LINE_COUNT_SEQ)?.output ?? 0);
  let said = 0;
  return (level, message, fields) => {
    said++;
    if (said <= recorded || activation.closed || activation.closing) return;
    const now = activation.moments.now();
    if (said <= MOST_RUN_LINES) {
      const line = lineAt(activation, last(level, message, fields, said === MOST_RUN_LINES), null);
      activation.record({ steps: [countOf(run.id, said, now)], extras: { logs: [line] } });
    }
    shared.telemetry?.emit('step.log', {
      level,
      message,
      ...(fields && { fields }),
      stepId: run.id,
      name: run.workflow,
    });
  };
}

function stepLines(
  activation: Activation,
  { seq, name, attempt }: Pick<StepRecord, 'seq' | 'name'> & { attempt: number },
): Write {
  const { run, shared } = activation;
  let said = 0;
  return (level, message, fields) => {
    said++;
    if (said <= MOST_STEP_LINES) {
      const text = last(level, message, fields, said === MOST_STEP_LINES);
      activation.writer.log(lineAt(activation, text, { seq, attempt }));
    }
    shared.telemetry?.emit('step.log', {
      level,
      message,
      ...(fields && { fields }),
      stepId: stepIdOf(run.id, seq),
      name,
    });
  };
}

function last(level: LogLevel, message: string, fields: Record<string, unknown> | undefined, isLast: boolean) {
  return isLast ? logText('warn', 'Too many lines: later lines are not stored') : logText(level, message, fields);
}

function lineAt(
  { payloads: { texts, context }, moments }: Activation,
  text: LogText,
  step: { seq: number; attempt: number } | null,
): LogLine {
  const { seq = null, attempt = null } = step ?? {};
  return { seq, attempt, ...texts.line(text, context), loggedAt: moments.now() };
}

function countOf(runId: string, said: number, now: number): StepRecord {
  const untried = { attempt: 0, failures: 0, deferrals: 0, askedAt: null, worker: null } as const;
  const open = { settled: null, error: null, ref: null, wakeAt: null, startedAt: now } as const;
  const what = { runId, seq: LINE_COUNT_SEQ, kind: 'marker', name: 'log', status: 'completed' } as const;
  return { ...what, ...untried, ...open, output: String(said), createdAt: now, finishedAt: now };
}
