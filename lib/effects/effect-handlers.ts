import { InvalidArgumentError } from '../errors/argument-errors.js';
import { UnknownEffectHandlerError } from '../errors/effect-errors.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { backoffMs, type BackoffOptions } from '../time/backoff.js';
import { toMs } from '../time/duration.js';

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

  /**
   * @throws ConfigurationError when a handler with this name is already registered.
   * @throws InvalidArgumentError when its policy is invalid.
   */
  register(handler: EffectHandler): void {
    const { name, policy } = handler;
    if (this.byName.has(name))
      throw new ConfigurationError(`Two methods handle the effect "${name}": give one of them another name`);
    checkPolicy(name, policy);
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

function checkPolicy(name: string, { attempts, timeoutMs, leaseMs, backoff }: EffectPolicy): void {
  const refuse = (field: string, value: unknown, expected: string): never => {
    throw new InvalidArgumentError(`effect "${name}": ${field}`, value, expected);
  };
  if (!Number.isSafeInteger(attempts) || attempts < 1) refuse('attempts', attempts, 'a whole number of at least 1');
  if (!(timeoutMs >= 1)) refuse('timeout', timeoutMs, 'at least 1 ms');
  if (!(leaseMs >= 1)) refuse('leaseDuration', leaseMs, 'at least 1 ms');
  checkBackoff(backoff, refuse);
}

function checkBackoff(
  backoff: EffectPolicy['backoff'],
  refuse: (field: string, value: unknown, expected: string) => never,
): void {
  try {
    backoffMs(1, backoff);
  } catch (error) {
    refuse('backoff', backoff, `usable options: ${(error as Error).message}`);
  }
  const [delay, maxDelay] = [toMs(backoff.delay ?? '1s'), toMs(backoff.maxDelay ?? '5m')];
  if (delay < 1) refuse('backoff.delay', backoff.delay, 'at least 1 ms');
  if (maxDelay < delay) refuse('backoff.maxDelay', backoff.maxDelay, 'at least backoff.delay');
}
