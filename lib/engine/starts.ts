import { InvalidArgumentError } from '../core/errors.js';
import type { KnownOptions } from '../core/options.js';
import { digestOf } from '../core/protocol.js';
import type { TraceCarrier, TracedWork, Tracing } from '../core/telemetry.js';
import { type Clock, type Duration, toMs } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import type { GivingUp } from './control.js';
import type { ListedRuns, ListRuns } from './insight.js';
import { limitRequestOf } from './limits.js';
import type { Payloads } from './payloads.js';
import {
  type Attributes,
  checkAttributes,
  checkName,
  checkRunId,
  checkVersion,
  type ClaimedRun,
  contextIn,
  contextTextWithTrace,
  type IdReuse,
  type NewRun,
  type RunContext,
  type RunRecord,
  type RunStatus,
} from './run.js';
import { readOperation } from './signals.js';
import type { StepRecord } from './step.js';
import type { KnownWorkflow } from './workflow.js';

/** The options of `start`. Durations are milliseconds, or strings like `'500ms'`, `'30s'`, `'7d'`. */
export interface StartOptions {
  /** The id of the run. Default: a UUID. At most 180 characters. */
  id?: string;
  /** The version of the workflow. Default: the highest one that this process knows, or 1. */
  version?: number;
  /** An open transaction of the app's ORM: the run exists if and when it commits. */
  transaction?: unknown;
  /** The run begins this long after the commit at the earliest. */
  delay?: Duration;
  /** The run begins at this time at the earliest. */
  startAt?: Date;
  /** Ids of at most 1,000 runs that must complete before this run begins. If one ends otherwise, this run fails. */
  after?: readonly string[];
  /** How long the run may take, counted from when it may begin. Default: what the workflow declares. */
  timeout?: Duration;
  /** Values that `list` can filter by. */
  attributes?: Attributes;
  /**
   * New runs of a workflow with a higher priority begin first, also in a limiter with a limit. A whole number from
   * -1,000 to 1,000, default 0. Runs with neither a priority nor a key begin before all runs that have one. A run that
   * is delayed or waits for other runs is queued only if there is a limit.
   */
  priority?: number;
  /**
   * Replaces the `key` of the workflow's limits. Without limits it gives each key a fair share: new runs of different
   * keys begin in turn, no matter how many runs of one key wait. A string of 1 to 191 characters.
   */
  concurrencyKey?: string;
  /**
   * What happens when a run with this `id` exists. `'reject-different'`, the default: returns that run if the input is
   * the same, else throws. `'allow-if-ended'`: like the default, but a run that has ended is replaced by the new run,
   * and everything stored for it is deleted. `'allow-if-failed'`: replaces only a run that did not complete.
   */
  idReuse?: 'reject-different' | 'allow-if-ended' | 'allow-if-failed';
  /**
   * At most one start per key of a workflow within the window; without a window, until the started run has ended.
   * Another start returns that run, with `created: false`.
   */
  singleton?: { key: string; window?: Duration };
  /**
   * The run begins `delay` after the last start of its workflow with this key, but at most `maxDelay` after the first.
   * Until then, another start replaces the run's input and returns the same run, with `created: false`.
   */
  debounce?: { key: string; delay: Duration; maxDelay?: Duration };
}

/** The names of all options. */
export const START_OPTIONS = {
  id: true,
  version: true,
  transaction: true,
  delay: true,
  startAt: true,
  after: true,
  timeout: true,
  attributes: true,
  priority: true,
  concurrencyKey: true,
  idReuse: true,
  singleton: { key: true, window: true },
  debounce: { key: true, delay: true, maxDelay: true },
} satisfies KnownOptions<StartOptions>;

const REUSE: Record<NonNullable<StartOptions['idReuse']>, IdReuse | undefined> = {
  'reject-different': undefined,
  'allow-if-ended': 'ended',
  'allow-if-failed': 'failed',
};

/** Translates the options that depend on existing runs. @throws InvalidArgumentError */
export function uniquenessOf(
  run: Pick<NewRun, 'namespace' | 'workflow'>,
  { idReuse = 'reject-different', singleton, debounce, ...options }: StartOptions,
): Pick<NewRun, 'reuse' | 'startKey'> & { delayMs?: number } {
  if (!Object.hasOwn(REUSE, idReuse))
    throw new InvalidArgumentError('idReuse', idReuse, `one of '${Object.keys(REUSE).join(`', '`)}'`);
  const reuse = REUSE[idReuse];
  if ([reuse, singleton, debounce].filter((option) => option !== undefined).length > 1)
    throw new InvalidArgumentError('singleton', singleton ?? debounce, 'only one of idReuse, singleton and debounce');
  if (singleton) {
    const windowMs = singleton.window === undefined ? undefined : durationOf(singleton.window, 'singleton.window', 1);
    const key = hashOf(run, 'singleton', singleton.key);
    return { startKey: { kind: 'singleton', key, ...(windowMs !== undefined && { windowMs }) } };
  }
  if (!debounce) return reuse ? { reuse } : {};
  if ((options.delay ?? options.startAt ?? options.after) !== undefined)
    throw new InvalidArgumentError('debounce', debounce, 'it without delay, startAt or after');
  const { maxDelay } = debounce;
  const maxDelayMs = maxDelay === undefined ? undefined : durationOf(maxDelay, 'debounce.maxDelay', 1);
  const delayMs = durationOf(debounce.delay, 'debounce.delay', 1);
  const key = hashOf(run, 'debounce', debounce.key);
  return { delayMs, startKey: { kind: 'debounce', key, ...(maxDelayMs !== undefined && { maxDelayMs }) } };
}

const hashOf = ({ namespace, workflow }: Pick<NewRun, 'namespace' | 'workflow'>, kind: string, key: unknown): string =>
  digestOf([namespace, kind, workflow, checkName(key, `${kind}.key`)]);

function durationOf(value: Duration, what: string, least: number): number {
  const ms = toMs(value, what);
  if (ms >= least) return ms;
  throw new InvalidArgumentError(what, value, `at least ${least} ms`);
}

/** The options of every new run, started by the app or by another run. */
export interface NewRunOptions {
  id: string;
  version?: number;
  delay?: Duration;
  startAt?: Date;
  timeout?: Duration;
  attributes?: Attributes;
  priority?: number;
  concurrencyKey?: string;
  after?: readonly string[];
}

export interface NewRunScope {
  payloads: Payloads;
  namespace: string;
  clock: Clock;
}

/**
 * Checks the options and returns the run of `workflow` to write.
 *
 * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError
 */
export function newRun(
  { payloads, namespace, clock }: NewRunScope,
  workflow: KnownWorkflow,
  input: unknown,
  options: NewRunOptions,
): NewRun {
  const { id, version = workflow.version, timeout, attributes, after, concurrencyKey } = options;
  const priority = checkPriority(options.priority);
  checkVersion(version, 'version');
  const timeoutMs = timeout === undefined ? workflow.timeoutMs : toMs(timeout, 'timeout');
  const name = checkName(workflow.name, 'The name of a workflow');
  const checked = attributes !== undefined && { attributes: checkAttributes(attributes) };
  // The input of its parent or schedule may name the key of its own.
  const context = { ...payloads.context, workflow: name, runId: id, ...checked };
  const limiter = limitRequestOf(namespace, workflow, input, { priority, concurrencyKey });
  return {
    id: checkRunId(id),
    namespace,
    workflow: name,
    version,
    input: payloads.of(context).encode(input ?? null, `The input of run "${id}"`),
    priority,
    delayMs: delayOf(options, clock.now()),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(limiter && { limiter }),
    ...checked,
    ...(after !== undefined && { after: checkAfter(after) }),
  };
}

const MOST_PRIORITY = 1_000;

/** @throws InvalidArgumentError unless it is a whole number from -1,000 to 1,000. Default 0. */
export function checkPriority(priority = 0): number {
  if (Number.isInteger(priority) && Math.abs(priority) <= MOST_PRIORITY) return priority === 0 ? 0 : priority;
  throw new InvalidArgumentError('priority', priority, 'a whole number from -1,000 to 1,000');
}

function delayOf({ delay, startAt }: NewRunOptions, now: number): number {
  if (delay !== undefined && startAt !== undefined)
    throw new InvalidArgumentError('delay', delay, 'either delay or startAt');
  if (startAt === undefined) return delay === undefined ? 0 : toMs(delay, 'delay');
  if (!(startAt instanceof Date) || Number.isNaN(startAt.getTime()))
    throw new InvalidArgumentError('startAt', startAt, "a valid Date, such as new Date('2026-01-31T09:00:00Z')");
  return Math.max(0, startAt.getTime() - now);
}

/** The limit of runs in `after`. */
const MOST_TARGETS = 1_000;

function checkAfter(after: unknown): readonly string[] {
  if (!Array.isArray(after)) throw new InvalidArgumentError('after', after, 'an array of the ids of runs');
  if (after.length > MOST_TARGETS)
    throw new InvalidArgumentError('after', `${after.length} ids`, `at most ${MOST_TARGETS}`);
  const ids = after.map((id) => checkRunId(id as string));
  if (new Set(ids).size < ids.length)
    throw new InvalidArgumentError(
      'after',
      ids.find((id, i) => ids.indexOf(id) < i),
      'each id once',
    );
  return ids;
}

/** The client's access to runs: creates and reads them. */
export interface RunCatalog {
  /**
   * Creates the runs whose id is free, in one statement. Returns for each the run with the id, and whether it is new.
   * Engines are notified with the commit.
   */
  create(runs: readonly NewRun[], tx?: Transaction): Promise<{ created: boolean; run: RunRecord }[]>;
  /** With `tx`, returns the runs that the transaction sees. */
  find(ids: readonly string[], tx?: Transaction): Promise<RunRecord[]>;
  /** What these runs carry, as JSON texts; nothing for runs that carry nothing. With `tx`, of those that it sees. */
  contexts(ids: readonly string[], tx?: Transaction): Promise<ReadonlyMap<string, string>>;
  /** The ids of the runs that it begins after, in the order given, also once they have ended or are deleted. */
  targets(runId: string): Promise<readonly string[]>;
  steps(runId: string): Promise<StepRecord[]>;
  /** Returns the step at a position. */
  step(runId: string, seq: number, tx?: Transaction): Promise<StepRecord | undefined>;
  /**
   * Returns a page of runs, ordered by creation time (in ms) and id. Over all pages each run comes once, even if runs
   * are created or changed meanwhile. The work per page is bounded.
   */
  list(query: ListRuns): Promise<ListedRuns>;
  /** Calls `listener` with runs that ended, or without ids when any may have. Returns a function that unsubscribes. */
  onFinished(listener: (ids?: readonly string[]) => void): () => void;
}

/** Joins the app's transactions for our writes, and opens our own transactions for the app's work. */
export interface Transactions {
  /** @throws InvalidTransactionError when it is no open transaction of the app's ORM. */
  join(handle: unknown): Transaction;
  /** The open transaction around the caller, if the ORM tracks it. */
  ambient(): Transaction | undefined;
  /**
   * Opens our own transaction for the app's work, which receives the ORM's handle. `work` is called once.
   *
   * @throws TransactionLostError when the database ended it after its begin. During COMMIT: it may be committed.
   */
  begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T>;
}

/** The transaction that the caller passed, else the one around it. */
export const transactionOf = (transactions: Transactions, handle: unknown): Transaction | undefined =>
  handle === undefined ? transactions.ambient() : transactions.join(handle);

export interface RestartRun {
  id: string;
  /** JSON text. Default: the input that the run has. */
  input?: string;
  /** Default: the version that the run has. */
  version?: number;
  /** JSON text of what it carries. Default: what the run carries. */
  context?: string;
}

export interface ForkRun {
  /** The run whose history is shared. */
  source: string;
  /** The first position that is not shared. */
  from: number;
  id: string;
  /** JSON text. Default: the input of the source. */
  input?: string;
  /** JSON text of what it carries. Default: what the source carries. */
  context?: string;
}

/**
 * Why a run cannot be forked there. `open`: a shared step has no outcome, and its work may still be done for the source.
 * `compensated`: a shared step was undone. `outside`: its history, from `first` to `last`, does not have the position.
 * `erasing`: it, or what one of its steps holds, waits for its erasure, which would not find the fork.
 */
type ForkRefusal =
  /** Without a name, the step is not recorded yet. */
  | { why: 'open'; step?: string; seq: number }
  | { why: 'compensated'; step: string; seq: number }
  | { why: 'outside'; first: number; last: number }
  | { why: 'erasing' };

/** `erased`: it has no input to begin with, and no history to share. */
export type ForkOutcome = 'forked' | 'repeated' | 'missing' | 'taken' | 'erased' | ForkRefusal;

/** Begins lives of runs that exist. Every method is atomic. Engines are notified with the commit. */
export interface RunLives {
  /**
   * Begins a new life of a run that has ended, which is due at once: its positions and epochs continue, so that none of
   * its step ids is used again. Its history, its log lines and signals that were sent to it are deleted, and its children
   * lose their parent. It keeps its attributes, its own parent, its key in a limiter, and its start key. Returns the
   * status of a run that has not ended, or `erased`, and changes nothing.
   */
  restart(
    request: RestartRun,
    givingUp: GivingUp,
    tx?: Transaction,
  ): Promise<'restarted' | 'missing' | 'erased' | RunStatus>;
  /**
   * Creates a run with the positions of another one before `from`, with their outcomes; the other run is not changed.
   * Timers keep their time, and open waits for signals are asked for anew. If the id is used already, nothing is changed:
   * `repeated`: by the fork of the same run from the same position; `taken`: by another run.
   */
  fork(request: ForkRun, tx?: Transaction): Promise<ForkOutcome>;
}

type Started = Pick<NewRun, 'id' | 'workflow' | 'version'> & { delayMs?: number | undefined };

/** The start of a run, as its span tells it; by default a child of the caller's span. */
export const startOf = ({ id: runId, workflow, version, delayMs }: Started, carrier?: TraceCarrier): TracedWork => ({
  kind: 'start',
  name: workflow,
  workflow,
  version,
  runId,
  delayMs,
  carrier,
});

/** What a run carries that another one starts: what that carries, continued by the span of this start. */
export const carriedOn = (tracing: Tracing, run: NewRun, context: RunContext): { context?: string } =>
  withOwnTrace(context, tracing.told(startOf(run, context)));

/** What a run carries from its `continueAsNew` on: a trace of its own, so that runs which never end have short ones. */
export function carriedAnew(tracing: Tracing, run: ClaimedRun): { context?: string } {
  const context = contextIn(run.context);
  return withOwnTrace(context, tracing.told({ ...startOf(run, context), anew: true }));
}

/** What a run carries that an operator begins again, or forks: a trace from his call, linked to the one before. */
export function carriedAgain(tracing: Tracing, run: Started, before: string | undefined): { context?: string } {
  const context = contextIn(before);
  return withOwnTrace(context, tracing.told({ ...startOf(run), links: [context] }));
}

/** Nothing changes if no span could be made. */
function withOwnTrace(context: RunContext, trace: TraceCarrier): { context?: string } {
  const { traceparent: _, tracestate: __, ...own } = context;
  const text = contextTextWithTrace(trace.traceparent === undefined ? context : own, trace);
  return text === undefined ? {} : { context: text };
}

/** How many positions of a run may be in flight at its end, unrecorded, without being used again. */
export const UNRECORDED = 1_000;

/**
 * Where the positions of an id's next life begin: after those of its last one, so that no late answer, and no idempotency
 * key, is taken for one of the new life. Local steps that are in flight have no record.
 */
export const nextLife = (old: { status: RunStatus; firstSeq: number }, lastSeq: number): number =>
  Math.max(old.firstSeq, lastSeq + 1) + (old.status === 'completed' ? 0 : UNRECORDED);

/** A step, as far as a fork needs it. */
export type ForkableStep = Pick<StepRecord, 'seq' | 'kind' | 'name' | 'settled' | 'output'>;

/** Whether the history can be shared up to `from`. `firstSeq` is the first position of the run's life. */
export function forkRefusal(
  steps: readonly ForkableStep[],
  { from, firstSeq }: { from: number; firstSeq: number },
): ForkRefusal | undefined {
  const last = steps.reduce((most, { seq }) => Math.max(most, seq), firstSeq - 1);
  if (from < firstSeq || from > last + 1) return { why: 'outside', first: firstSeq, last };
  const undone = steps.find(({ seq }) => seq < 0 && -1 - seq >= firstSeq && -1 - seq < from);
  if (undone) return { why: 'compensated', step: undone.name, seq: -1 - undone.seq };
  const open = steps.find((step) => isShared(step, from) && step.settled === null && !isHarmless(step));
  if (open) return { why: 'open', step: open.name, seq: open.seq };
  const seq = firstUnrecorded(steps, { from, firstSeq });
  return seq === undefined ? undefined : { why: 'open', seq };
}

/**
 * A local step has no record until its first attempt has ended. The code of a fork would call it again, under another
 * idempotency key, while the source may complete it.
 */
function firstUnrecorded(
  steps: readonly ForkableStep[],
  { from, firstSeq }: { from: number; firstSeq: number },
): number | undefined {
  const recorded = new Set(steps.map(({ seq }) => seq));
  for (let seq = firstSeq; seq < from; seq++) if (!recorded.has(seq)) return seq;
  return undefined;
}

const isShared = ({ seq }: Pick<StepRecord, 'seq'>, from: number): boolean => seq >= 0 && seq < from;

/**
 * A marker has no outcome to wait for; timers and waits for signals are no work that is done
 * for the source, but calls of `ctx.effects` are.
 */
const isHarmless = (step: ForkableStep): boolean =>
  step.kind === 'marker' || step.kind === 'sleep' || (step.kind === 'signal' && !readOperation(step.output));

/** The shared steps, for the fork. */
export const sharedSteps = (steps: readonly StepRecord[], from: number, id: string): StepRecord[] =>
  steps
    .filter((step) => isShared(step, from) && !(step.kind === 'signal' && step.settled === null))
    .map((step) => ({ ...step, runId: id }));
