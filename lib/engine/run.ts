import { lostInJson } from '../core/codec.js';
import { ConfigurationError, InvalidArgumentError, UnknownOptionError } from '../core/errors.js';
import { shortText } from '../core/protocol.js';
import { NonDeterminismError } from '../core/run-errors.js';
import type { TraceCarrier } from '../core/telemetry.js';
import { asError, thrownAs } from '../core/thrown.js';
import { readWireError, type WireError } from '../core/wire-error.js';

export type RunStatus =
  'pending' | 'running' | 'suspended' | 'compensating' | 'completed' | 'failed' | 'cancelled' | 'compensation_failed';

/** The statuses in which a run has ended. */
export const FINAL_STATUSES: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'compensation_failed'];

export const isFinal = (status: RunStatus): boolean => FINAL_STATUSES.includes(status);

/**
 * Why a run is blocked. Each process with its workflow plays it again once after its start, and once after each end of
 * another engine, since it may have matching code.
 */
export type BlockReason = TriedReason | 'history_lost' | 'exhausted';

/** The reasons for which a run is played again without `retry`. */
export type TriedReason = 'non_determinism' | 'programming_error' | 'write_refused';

/** With `write_refused`, the database refuses the run's records, while it accepts writes of other runs. */
export const TRIED_REASONS: readonly TriedReason[] = ['non_determinism', 'programming_error', 'write_refused'];

/**
 * With `history_lost`, the database has lost commits of the run; with `exhausted`, a step with `onExhausted: 'block'` has
 * used all its attempts. It is played again only after `retry`.
 */
export const BLOCK_REASONS: readonly BlockReason[] = [...TRIED_REASONS, 'history_lost', 'exhausted'];

/** Why a run has not begun: other runs have not ended, or a limit is reached. */
export type WaitReason = 'waiting_for_runs' | 'concurrency_limit' | 'rate_limit';

export type RunReason = BlockReason | WaitReason;

/**
 * How a run is ended before its code completes: its steps are compensated, its children are closed, and then it has the
 * status of this name. `terminated` compensates nothing and ends as `cancelled`.
 */
export type Closing = 'failed' | 'cancelled' | 'terminated';

/** What happens to a child that has not ended when its parent ends. */
export type ParentClose = 'cancel' | 'terminate' | 'abandon';

/** Bit flags: who must be notified in the transaction that ends a run. */
export const NOTIFIES = { parent: 1, runs: 2, limiter: 4 } as const;

/** What a run waits for before it may be played: the end of other runs, or its turn in a limiter with a limit. */
export type Precondition = 'after' | 'limiter';

export interface Limits {
  concurrency?: number;
  rate?: { max: number; durationMs: number };
}

/** The queue that a limited run or step waits in. */
export interface LimitRequest {
  /** Hash of the namespace, the name and the key. */
  limiter: string;
  namespace: string;
  /** The name of the limited workflow or step, for people. */
  name: string;
  key: string;
  limits: Limits;
}

/** Values that `list` can filter by. */
export type AttributeValue = string | number | boolean | Date;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** What a run's row keeps for `retry`. */
export interface ResumePoint {
  /** For a failed run: the failed steps after whose failure its code did nothing more. */
  failed?: readonly number[];
  /** The last place in the order of outcomes that its code had received: later failures it does not know. */
  delivered?: number;
  /** The first position that its code took after the first of these failures; all from there on are markers. */
  after?: number;
  /** The failed step whose error ended the run, although its code took another position (`next`) in between. */
  passed?: { seq: number; name: string; next: number };
  /** The step whose failure ended the run; undefined if the code caught it, and threw an error of its own. */
  at?: number;
  /** The failed attempts of steps that no longer count, by position. */
  forgiven?: Readonly<Record<number, number>>;
}

/** One execution of a workflow, as the table holds it. Payloads are JSON texts; times are epoch ms. */
export interface RunRecord {
  id: string;
  namespace: string;
  workflow: string;
  version: number;
  status: RunStatus;
  reason: RunReason | null;
  reasonDetail: string | null;
  input: string | null;
  output: string | null;
  error: string | null;
  wakeAt: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  priority: number;
  parentId: string | null;
  parentSeq: number | null;
  closing: Closing | null;
  deadline: number | null;
  customStatus: string | null;
  scheduleId: string | null;
  /** The run whose history it shares up to `forkedSeq`. */
  forkedFrom: string | null;
  forkedSeq: number | null;
  /** The process that plays it. */
  owner: string | null;
  /** Since when its payloads are erased, or a part of its history is: it can no longer be replayed. */
  erasedAt: number | null;
}

/** Whether its outcome is erased: if only a step of it was, it still has one. */
export const isOutcomeErased = ({ status, output, error, erasedAt }: RunRecord): boolean =>
  erasedAt !== null && status !== 'cancelled' && output === null && error === null;

/** Which runs a new run with the same id may replace: all that have ended, or those that did not complete. */
export type IdReuse = 'ended' | 'failed';

/** A key by which only one of several starts creates a run. `key` is a hash. */
export type StartKey =
  { kind: 'singleton'; key: string; windowMs?: number } | { kind: 'debounce'; key: string; maxDelayMs?: number };

export interface NewRun {
  id: string;
  namespace: string;
  workflow: string;
  version: number;
  input: string;
  /** Higher goes first among new runs of a workflow, from -1,000 to 1,000. */
  priority: number;
  /** The run may begin this many ms from now. */
  delayMs: number;
  /** How long the run may take from then on, in ms. */
  timeoutMs?: number;
  /** The step of the parent run that waits for it, and what happens to it when the parent ends. */
  parent?: { id: string; seq: number; close: ParentClose };
  /** Runs that must complete before it begins. */
  after?: readonly string[];
  /** The queue of its key: applies the workflow's limits, if there are any, and fairness between keys. */
  limiter?: LimitRequest;
  attributes?: Attributes;
  /** JSON text; see `RunContext`. */
  context?: string;
  scheduleId?: string;
  reuse?: IdReuse;
  startKey?: StartKey;
}

/** A run claimed by this process. Its writes are accepted as long as the run still has this epoch. */
export interface ClaimedRun {
  id: string;
  workflow: string;
  version: number;
  input: string | null;
  /** Fencing number, raised by every claim. */
  epoch: number;
  /** How many owners in a row have ended before they recorded any progress of it, and how often playing it has broken. */
  crashes: number;
  /** The owners that were counted. Absent: none was. */
  crashed?: readonly string[];
  /** When the run began, or its last `continueAsNew`, epoch ms: older signals count only if no run has taken them. */
  since: number;
  /** When it was claimed, epoch ms: not before it was created, nor before it was started. 0 for one that is only looked at. */
  claimedAt: number;
  /** When it times out, epoch ms. */
  deadline: number | null;
  /** Set while the run is being closed. */
  closing: Closing | null;
  /** With `closing: 'failed'`: the error it ends with, as JSON. */
  error: string | null;
  /** See {@link NOTIFIES}. */
  notifies: number;
  /** Whether it has steps to compensate or children to close, so that it must be played to end it. */
  unwinds: boolean;
  /** What it must still wait for before it may be played. */
  precondition: Precondition | null;
  /** The first position of its history; lower ones are those of earlier lives. */
  firstSeq: number;
  resume: ResumePoint | null;
  /** JSON text; see `RunContext`. */
  context?: string;
  /** It was claimed although it is blocked, because this process may have matching code. */
  wasBlocked?: true;
  /** Steps at lower positions belong to the run that it was forked from: they are not compensated. */
  forkedSeq: number | null;
  /** A schedule has started it. */
  isScheduled?: true;
}

/** Not after any of them was claimed. */
export const firstClaim = (runs: readonly ClaimedRun[]): number => Math.min(...runs.map(({ claimedAt }) => claimedAt));

/** The state of a run after an activation. Statuses other than these three are final. */
export type RunTransition =
  | {
      status: 'suspended';
      wakeAt: number | null;
      settled: number;
      reason?: BlockReason;
      detail?: string;
      /** The error that blocks it, as it is stored; always with its stack. */
      blockedBy?: WireError;
      /** With `non_determinism`. */
      mismatch?: RunMismatch;
    }
  /** Due at once; the next owner compensates it. */
  | { status: 'compensating'; closing: Closing; error?: WireError; settled: number; resume?: ResumePoint }
  /** `continueAsNew`: another input, an empty history that begins at `firstSeq`, and what it carries if that changes. */
  | { status: 'pending'; input: string; firstSeq: number; context?: string }
  | FinalTransition;

/** `undoing`: the step that could not be compensated; for the log. */
export type FinalTransition =
  | { status: 'completed'; output: string }
  | { status: 'failed'; error: WireError; resume?: ResumePoint }
  | { status: 'cancelled'; error?: WireError }
  | { status: 'compensation_failed'; error: WireError; undoing?: { name: string; seq: number } };

export const isFinalTransition = (transition: RunTransition | undefined): transition is FinalTransition =>
  transition !== undefined && isFinal(transition.status);

/** What a run carries: a trace context, and what the app names. Plain JSON. */
export type RunContext = Readonly<Record<string, unknown>>;

/** The limit, in bytes of JSON: the context is read with every claim of its run. */
export const MOST_CONTEXT_BYTES = 4_096;

const NOTHING: RunContext = Object.freeze({});

/** The stored text of a context as an object that nobody can change; empty if there is none. */
export function contextIn(text: string | null | undefined): RunContext {
  return text ? (deepFrozen(JSON.parse(text)) as RunContext) : NOTHING;
}

/**
 * The text to store; undefined for an empty context.
 *
 * @throws InvalidArgumentError unless it is a plain object of at most 4 KiB that JSON keeps as it is.
 */
export function contextText(context: unknown): string | undefined {
  if (context === undefined || context === null) return undefined;
  if (!isStorable(context)) throw new InvalidArgumentError('contextFrom()', context, 'a plain object of JSON values');
  const text = JSON.stringify(context);
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_CONTEXT_BYTES)
    throw new InvalidArgumentError('contextFrom()', `${bytes} bytes of JSON`, `at most ${MOST_CONTEXT_BYTES}`);
  return text === '{}' ? undefined : text;
}

/**
 * The text of a context with as much of a trace as there is room for: first its `tracestate` is left out, then all of
 * it. A context that names a `traceparent` keeps its own. Errors are those of the context alone.
 *
 * @throws InvalidArgumentError as {@link contextText}
 */
export function contextTextWithTrace(context: unknown, trace: TraceCarrier): string | undefined {
  const alone = contextText(context);
  const own = (context ?? {}) as RunContext;
  const { traceparent } = trace;
  if (traceparent === undefined || own['traceparent'] !== undefined) return alone;
  const { tracestate: _, ...untraced } = own;
  const fitting = [
    { ...trace, ...own },
    { traceparent, ...untraced },
  ].find(fits);
  return fitting ? JSON.stringify(fitting) : alone;
}

const fits = (context: RunContext): boolean =>
  isStorable(context) && Buffer.byteLength(JSON.stringify(context)) <= MOST_CONTEXT_BYTES;

const isStorable = (context: unknown): boolean => isPlain(context) && survivesJson(context);

/** Not every database stores NUL and lone surrogates as text. */
const UNSTORABLE = /\0|\p{Cs}/u;

function survivesJson(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(survivesJson);
  // An omitted property is usual: `{ tenant: request?.tenant }`.
  return (
    isPlain(value) &&
    Object.entries(value).every(([key, one]) => !UNSTORABLE.test(key) && (one === undefined || survivesJson(one)))
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function deepFrozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) deepFrozen(one);
  return Object.freeze(value);
}

/** The length that fits a key column on every database. */
const LONGEST_NAME = 191;
/** Leaves room for `:<seq>` in a step id, whose column holds 191 characters. */
export const LONGEST_RUN_ID = 180;

/** @throws InvalidArgumentError unless `name` is a string of 1 to 191 characters without control characters. */
export const checkName = (name: unknown, what: string): string => check(name, what, LONGEST_NAME);

/** @throws InvalidArgumentError unless `id` is a string of 1 to 180 characters without control characters. */
export const checkRunId = (id: unknown): string => check(id, 'The run id', LONGEST_RUN_ID);

function check(text: unknown, what: string, longest: number): string {
  // Code points, as the databases count. Lone surrogates (Cs) cannot be stored as text.
  if (typeof text === 'string' && text.length > 0 && [...text].length <= longest && !/[\p{Cc}\p{Cs}]/u.test(text))
    return text;
  throw new InvalidArgumentError(what, text, `a string of 1 to ${longest} characters, without control characters`);
}

/** What the column of versions holds. */
const HIGHEST_VERSION = 2 ** 31 - 1;

/** For a declaration as for a start. @throws InvalidArgumentError unless it is a whole number from 1 to 2,147,483,647. */
export function checkVersion(version: unknown, what: string): void {
  if (Number.isInteger(version) && (version as number) >= 1 && (version as number) <= HIGHEST_VERSION) return;
  throw new InvalidArgumentError(what, version, `a whole number from 1 to ${HIGHEST_VERSION}`);
}

/** The limit of attributes at the start of a run, and of further names that its code may set. */
export const MOST_ATTRIBUTES = 50;
const LONGEST_ATTRIBUTE_NAME = 64;
const LONGEST_TEXT = 191;

/** A value as stored in indexed columns: texts are sorted by code points, all other types as numbers. */
export interface HeldAttribute {
  type: 'text' | 'number' | 'boolean' | 'date';
  text: string | null;
  number: number | null;
}

export function holdAttribute(value: AttributeValue): HeldAttribute {
  if (typeof value === 'string') return { type: 'text', text: value, number: null };
  if (typeof value === 'boolean') return { type: 'boolean', text: null, number: value ? 1 : 0 };
  if (typeof value === 'number') return { type: 'number', text: null, number: value };
  return { type: 'date', text: null, number: value.getTime() };
}

export function attributeOf({ type, text, number }: HeldAttribute): AttributeValue {
  switch (type) {
    case 'text':
      return text ?? '';
    case 'number':
      return number ?? 0;
    case 'boolean':
      return number === 1;
    case 'date':
      return new Date(number ?? 0);
  }
}

/** @throws InvalidArgumentError unless it is a text of 1 to 64 characters without control characters. */
export const checkAttributeName = (name: unknown): string =>
  check(name, 'The name of an attribute', LONGEST_ATTRIBUTE_NAME);

/** Returns the value as it is stored and compared: a text is cut. @throws InvalidArgumentError */
export function checkAttributeValue(name: string, value: unknown): AttributeValue {
  if (typeof value === 'boolean') return value;
  // Minus zero becomes zero, as in JSON.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  if (typeof value === 'string') return shortText(value, LONGEST_TEXT);
  throw new InvalidArgumentError(`Attribute "${name}"`, value, 'a string, a finite number, a boolean or a valid Date');
}

/** Checks the attributes of a start: null is invalid, since there is nothing to remove. @throws InvalidArgumentError */
export function checkAttributes(attributes: unknown): Record<string, AttributeValue> {
  return Object.fromEntries(entriesOf(attributes).map(([name, value]) => [name, checkAttributeValue(name, value)]));
}

/** Checks attributes that code sets: null removes one. @throws InvalidArgumentError */
export function checkAttributeChanges(attributes: unknown): Record<string, AttributeValue | null> {
  const changed = entriesOf(attributes).map(
    ([name, value]) => [name, value === null ? null : checkAttributeValue(name, value)] as const,
  );
  return Object.fromEntries(changed);
}

function entriesOf(attributes: unknown): [string, unknown][] {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes) || lostInJson(attributes))
    throw new InvalidArgumentError('attributes', attributes, 'an object of names and values');
  // Undefined means omitted.
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined);
  if (entries.length > MOST_ATTRIBUTES)
    throw new InvalidArgumentError('attributes', `${entries.length} of them`, `at most ${MOST_ATTRIBUTES}`);
  for (const [name] of entries) checkAttributeName(name);
  return entries;
}

/** Errors of wrong code rather than of failed business operations, whoever throws them. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, SyntaxError, RangeError, ConfigurationError, UnknownOptionError];

/** What `ctx` has thrown at a call, in place of a position or an outcome. */
const refusals = new WeakSet<Error>();

/** Our own frames, of which a call of `ctx` has more than Node keeps, so that those of the app are kept, too. */
const OUR_FRAMES = 20;

/** Calls what refuses wrong arguments: an error that it throws is one of the code, of whatever class. */
export function refusing<T>(call: () => T): T {
  const { stackTraceLimit: limit } = Error;
  if (limit > 0) Error.stackTraceLimit = limit + OUR_FRAMES;
  try {
    return call();
  } catch (thrown) {
    const error = thrownAs(asError(thrown));
    refusals.add(error);
    throw error;
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** So many errors are looked at, of those that an error was caused by. */
const MOST_ERRORS = 100;

/** Whether `ctx` has thrown this error at a call, also if code of the app has wrapped it. */
export function isRefusal(error: unknown, seen = new Set<unknown>()): boolean {
  if (!(error instanceof Error) || seen.has(error) || seen.size >= MOST_ERRORS) return false;
  if (refusals.has(thrownAs(error) as Error)) return true;
  seen.add(error);
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  return [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].some((one) => isRefusal(one, seen));
}

/** Such an error blocks a run until fixed code is deployed; it does not cause compensation. */
export const isProgrammingError = (error: unknown): boolean =>
  PROGRAMMING_ERRORS.some((type) => error instanceof type) || isRefusal(error);

/** The position at which a run's code and its history differ. */
export interface RunMismatch {
  /** The position. */
  seq: number;
  /** Kind and name of what is recorded there, such as `step "charge"`. */
  recorded: string;
  /** Kind and name of what the code asks for there, or `nothing`. */
  asked: string;
}

export const mismatchOf = (error: unknown): { mismatch?: RunMismatch } =>
  error instanceof NonDeterminismError
    ? { mismatch: { seq: error.seq, recorded: error.recorded, asked: error.asked } }
    : {};

/** Why a run is blocked. */
export interface Detail {
  /** For people. */
  detail: string | null;
  mismatch: RunMismatch | null;
  blockedBy: WireError | null;
}

/** As stored in the row of a run: a text for people, and JSON for programs, on lines of their own. */
export function writeDetail(detail?: string, mismatch?: RunMismatch, blockedBy?: WireError): string | null {
  const lines = [...(mismatch ? [mismatch] : []), ...(blockedBy ? [{ blockedBy }] : [])];
  return lines.length === 0
    ? (detail ?? null)
    : [detail ?? '', ...lines.map((line) => JSON.stringify(line))].join('\n');
}

export function readDetail(text: string | null): Detail {
  const error = lastLine(text, '\n{"blockedBy":');
  const why = lastLine(error.before, '\n{"seq":');
  const { blockedBy } = (error.value ?? {}) as { blockedBy?: Record<string, unknown> };
  const { recorded, asked } = (why.value ?? {}) as Partial<RunMismatch>;
  // Otherwise it is the end of an error's message.
  const isMismatch = typeof recorded === 'string' && typeof asked === 'string';
  return {
    detail: isMismatch ? why.before : error.before,
    mismatch: isMismatch ? (why.value as RunMismatch) : null,
    blockedBy: blockedBy ? readWireError(blockedBy) : null,
  };
}

/** The JSON after the last `start`, and the text before it. */
function lastLine(text: string | null, start: string): { before: string | null; value?: unknown } {
  const at = text?.lastIndexOf(start) ?? -1;
  if (text === null || at === -1) return { before: text };
  try {
    return { before: text.slice(0, at), value: JSON.parse(text.slice(at)) as unknown };
  } catch {
    return { before: text };
  }
}
