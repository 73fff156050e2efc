import { isA } from '../core/brand.js';
import type { Codec, CodecContext, StoredTexts } from '../core/codec.js';
import {
  ConfigurationError,
  EffectTimeoutError,
  InvalidArgumentError,
  NonRetryableEffectError,
  UnknownEffectHandlerError,
  UnreadablePayloadError,
} from '../core/errors.js';
import type { Cancellation } from '../core/leasing.js';
import { RetryAfterError } from '../core/run-errors.js';
import { Telemetry, type TraceCarrier, type TracedWork } from '../core/telemetry.js';
import { readably } from '../core/thrown.js';
import { askedDelayMs, backoffMs, type BackoffOptions } from '../core/time.js';
import type { ClaimedEffect, Settlement } from './entries.js';

export interface EffectPolicy {
  /** The maximum number of tries before an entry is abandoned, including the first. */
  readonly attempts: number;
  /** The timeout of one try. */
  readonly timeoutMs: number;
  /** How long a process holds its claim without renewing it; it is renewed while the call runs. */
  readonly leaseMs: number;
  /** The wait after each failed try. */
  readonly backoff: BackoffOptions;
}

/** A method of the app that makes calls of one kind. */
export interface EffectHandler {
  /** The name under which the database stores its calls; 1 to 191 characters. */
  readonly name: string;
  readonly policy: EffectPolicy;
  /**
   * Makes the call. It may have been made before with the same idempotency key and must then have the same effect.
   *
   * @returns a value that {@link outcomeOf} reads: anything, `alreadyAbsent()` or `scheduleUntil(date)`.
   * @throws NonRetryableEffectError when another try would not help; RetryAfterError to set the time of the next try;
   *   after any other error the call is retried with backoff.
   */
  call(ref: unknown, context: EffectContext): unknown;
}

/** What a handler receives besides the ref. */
export interface EffectContext {
  /** The id of the entry: the same on every attempt, unique to this call. Services can use it to drop duplicates. */
  readonly idempotencyKey: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** Aborts when the attempt has timed out, its claim was lost, or the process stops. */
  readonly signal: AbortSignal;
  readonly subject: string;
  readonly operation: string;
  /** The payload that was enqueued with the call; undefined when there is none. */
  readonly payload: unknown;
  /**
   * Reads what the run that enqueued the call carries: the trace context of its starter, and what the module option
   * `contextFrom` named. For a call that the app enqueued, the span that was active there. Empty without either, or if the
   * run was deleted.
   */
  readonly context: () => Promise<Readonly<Record<string, unknown>>>;
}

/** The handlers of this process. It claims calls of these handlers only. */
export class EffectHandlers {
  private readonly byName = new Map<string, EffectHandler>();

  /** @throws ConfigurationError when a handler with this name is already registered. */
  register(handler: EffectHandler): void {
    const { name } = handler;
    if (this.byName.has(name))
      throw new ConfigurationError(`Two methods handle the effect "${name}": give one of them another name`);
    this.byName.set(name, handler);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** @throws UnknownEffectHandlerError */
  get(name: string): EffectHandler {
    const handler = this.byName.get(name);
    if (!handler) throw new UnknownEffectHandlerError(name);
    return handler;
  }

  all(): readonly EffectHandler[] {
    return [...this.byName.values()];
  }
}

/** The listeners that are called when operations complete or calls are abandoned, in the order of registration. */
export class EffectListeners {
  private readonly completion: CompletionListener[] = [];
  private readonly abandonment: AbandonmentListener[] = [];

  onComplete(listener: CompletionListener): void {
    this.completion.push(listener);
  }

  onAbandoned(listener: AbandonmentListener): void {
    this.abandonment.push(listener);
  }

  completionOf(operation: string): readonly CompletionListener[] {
    return this.completion.filter((listener) => listener.operation === operation);
  }

  abandonmentOf(operation: string): readonly AbandonmentListener[] {
    return this.abandonment.filter((listener) => listener.operation === operation);
  }
}

/** A method of the app that is called when all calls of an operation for a subject have succeeded. */
export interface CompletionListener {
  readonly operation: string;
  /**
   * Called inside the transaction that settles the last call, at most once each time that the last open call of the
   * group succeeds. `tx` is the transaction handle of the app's ORM. When it throws, the settlement rolls back: the
   * entry stays in flight until its lease expires.
   */
  onComplete(subject: string, tx: unknown, operation: string): unknown;
}

/** A call that is not made again. */
export interface AbandonedEffect {
  readonly entryId: string;
  readonly subject: string;
  readonly handler: string;
  readonly operation: string;
  readonly attempts: number;
  /** The class of the last try's error, never its message. */
  readonly error: string;
}

/** A method of the app that is called when a call of an operation was abandoned. */
export interface AbandonmentListener {
  readonly operation: string;
  /** Called once the abandonment is committed. Errors that it throws are logged and have no other effect. */
  onAbandoned(entry: AbandonedEffect): unknown;
}

const LONGEST = 191;

/** The class name of an error. Only this is stored: a message may contain confidential data. Never throws. */
export function errorClassOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  try {
    return classNameOf(error) || 'Error';
  } catch {
    // Any value can be thrown, including one whose getters throw.
    return 'Error';
  }
}

function classNameOf(error: object): string {
  const { constructor } = error as { constructor?: { name?: unknown } };
  const name = typeof constructor?.name === 'string' ? constructor.name : '';
  const storable = name.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
  // Cuts between code points.
  return [...storable].slice(0, LONGEST).join('');
}

/** A global symbol, because the package, and with it its classes, may be installed twice. */
const MARK = Symbol.for('nest-durable.effect-outcome');

/** The result of a call. */
export type EffectOutcome =
  | { readonly kind: 'done' }
  /** There was nothing left to do, which counts as a success. */
  | { readonly kind: 'already-absent' }
  /** The handler is called again at the given time, epoch ms. */
  | { readonly kind: 'scheduled'; readonly until: number };

/** Opaque: a handler returns it for an outcome other than `done`. */
export interface MarkedOutcome {
  readonly [MARK]: EffectOutcome;
}

const DONE: EffectOutcome = { kind: 'done' };

/**
 * A handler returns this when its target no longer exists. The call counts as a success and is recorded as such.
 *
 * @example if (response.status === 404) return alreadyAbsent();
 */
export function alreadyAbsent(): MarkedOutcome {
  return { [MARK]: { kind: 'already-absent' } };
}

/**
 * A handler returns this when the other side finishes later, by `date`, a `Date` or epoch ms. The handler is called
 * again then, with its attempts counted from zero; until then the operation is not complete.
 *
 * @throws InvalidArgumentError when it is not a valid date.
 * @example return scheduleUntil(job.expiresAt);
 */
export function scheduleUntil(date: Date | number): MarkedOutcome {
  const until = typeof date === 'number' ? date : date instanceof Date ? date.getTime() : Number.NaN;
  if (!Number.isFinite(until) || Math.abs(until) > 8.64e15)
    throw new InvalidArgumentError('date', date, 'a valid Date, or epoch milliseconds');
  return { [MARK]: { kind: 'scheduled', until: Math.round(until) } };
}

/** The outcome that a handler's return value stands for. */
export function outcomeOf(returned: unknown): EffectOutcome {
  if (typeof returned !== 'object' || returned === null || !(MARK in returned)) return DONE;
  return (returned as MarkedOutcome)[MARK];
}

/** The settlement of an entry whose handler returned. */
function afterOutcome(outcome: EffectOutcome, { backoff }: EffectPolicy): Settlement {
  if (outcome.kind !== 'scheduled') return { status: 'succeeded', alreadyAbsent: outcome.kind === 'already-absent' };
  // A minimum delay, so that a handler that keeps returning past dates is not called in a tight loop.
  return { status: 'scheduled', until: outcome.until, delayMs: backoffMs(1, { ...backoff, jitter: 'none' }) };
}

/** What a settlement says of an error. */
type Failure = Pick<Extract<Settlement, { status: 'abandoned' }>, 'error' | 'recorded'>;

/** The settlement of an entry whose n-th try failed. Every failure counts: the claim has counted it already. */
function afterFailure(thrown: unknown, failure: Failure, attempt: number, policy: EffectPolicy): Settlement {
  if (isFinal(thrown) || attempt >= policy.attempts) return { status: 'abandoned', ...failure };
  return { status: 'failed', ...failure, delayMs: delayAskedBy(thrown) ?? backoffMs(attempt, policy.backoff) };
}

/** Another try would not help. */
const isFinal = (thrown: unknown): boolean => isA(thrown, NonRetryableEffectError);

function delayAskedBy(thrown: unknown): number | undefined {
  if (!isA(thrown, RetryAfterError)) return undefined;
  try {
    return askedDelayMs(thrown.delay);
  } catch {
    return undefined;
  }
}

const contextOf = ({ subject, ref }: ClaimedEffect): CodecContext => ({ subject, input: ref });

const tracedOf = (
  { claim: { entryId: stepId }, attempt, runId }: ClaimedEffect,
  name: string,
  carrier: TraceCarrier | undefined,
): Omit<TracedWork, 'kind'> => ({ name, stepId, attempt, runId: runId ?? undefined, carrier, links: [carrier] });

/** `interrupted`: the call was asked to stop, and stopped. */
export type CallEnd = Settlement | 'interrupted';

export type CarriedBy = (runId: string) => Promise<Readonly<Record<string, unknown>>>;

/** Makes one call and always resolves, whatever the handler throws, returns or ignores. */
export class EffectCaller {
  constructor(
    private readonly codec: Codec,
    /** Undefined: only the classes of errors are recorded. */
    private readonly texts: StoredTexts | undefined,
    /** Reads what a run carries. */
    private readonly carriedBy: CarriedBy = () => Promise.resolve({}),
    private readonly telemetry = new Telemetry(),
  ) {}

  async call(claimed: ClaimedEffect, handler: EffectHandler, control: Cancellation): Promise<CallEnd> {
    const { name, policy } = handler;
    const { timeoutMs } = policy;
    try {
      const ref = this.read(claimed, claimed.ref, 'ref');
      const context = this.contextOf(claimed, control.signal);
      const late = () => new EffectTimeoutError(name, timeoutMs);
      const attempt = () => control.outliveWithin(timeoutMs, () => readably(() => handler.call(ref, context)), late);
      // Within `control`: the lease may be lost meanwhile.
      const carried = () => context.context().catch(() => undefined);
      const carrier = this.telemetry.tracing && (await control.outlive(carried));
      if (control.asked) return 'interrupted';
      const returned = await this.telemetry.around('effect', () => tracedOf(claimed, name, carrier), attempt);
      return afterOutcome(outcomeOf(returned), policy);
    } catch (error) {
      if (control.asked) return 'interrupted';
      return afterFailure(error, this.failureOf(claimed, error), claimed.attempt, policy);
    }
  }

  /** The settlement of a call that has failed for good. */
  abandoned(claimed: ClaimedEffect, error: unknown): Settlement {
    return { status: 'abandoned', ...this.failureOf(claimed, error) };
  }

  failureOf(claimed: ClaimedEffect, thrown: unknown): Failure {
    const error = errorClassOf(thrown);
    return this.texts ? { error, recorded: JSON.stringify(this.texts.error(thrown, contextOf(claimed))) } : { error };
  }

  private contextOf(claimed: ClaimedEffect, signal: AbortSignal) {
    const { claim, attempt, subject, operation, payload, runId, trace } = claimed;
    const plain = payload === null ? undefined : this.read(claimed, payload, 'payload');
    const { entryId: idempotencyKey } = claim;
    const context = async () =>
      runId !== null ? this.carriedBy(runId) : ((trace ? JSON.parse(trace) : {}) as Readonly<Record<string, unknown>>);
    return { idempotencyKey, attempt, signal, subject, operation, payload: plain, context } satisfies EffectContext;
  }

  /** Counts as a normal failure: a later version, or one with the right keys, may be able to read it. */
  read(claimed: ClaimedEffect, text: string, what: string): unknown {
    try {
      return this.codec.decode(text, contextOf(claimed));
    } catch (cause) {
      throw new UnreadablePayloadError(`The ${what} of the call`, { cause });
    }
  }
}
