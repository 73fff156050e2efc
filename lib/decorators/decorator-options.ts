import type { DeclaredSchedule } from '../engine/model/schedule-spec.js';
import type { Retry } from '../engine/model/workflow-context.js';
import { InvalidArgumentError } from '../errors.js';
import type { OnPoison } from '../outbox/model/destination.js';
import type { BackoffOptions } from '../time/backoff.js';
import type { Duration } from '../time/duration.js';

/** The options of `@Effect`. */
export interface EffectOptions {
  /** The maximum number of tries before a call is abandoned, including the first. Default 8. */
  attempts?: number;
  /** The timeout of one try. After it, the try's signal aborts and the try counts as failed. Default `'20s'`. */
  timeout?: Duration;
  /**
   * How long a process holds its claim on a call without renewing it, for example after a crash. While the call runs,
   * the claim is renewed at least every third of this time. Default `'5m'`.
   */
  leaseDuration?: Duration;
  /** The wait after each failed try. Default: 30 s, doubling, at most an hour, without jitter. */
  backoff?: BackoffOptions;
}

/** The options of `@OutboxPublisher`. */
export interface OutboxPublisherOptions {
  /**
   * The name under which the database stores the publisher's positions. It must not change when the class is renamed. 1
   * to 191 characters. Default: the name of the class.
   */
  name?: string;
  /** The maximum number of events, all of one channel, per call. Default 50. */
  batchSize?: number;
  /** How to handle an event that cannot be delivered. Default: the module's option `outbox.onPoison`. */
  onPoison?: OnPoison;
  /** The maximum number of tries before `onPoison` applies. Default: the module's option `outbox.attempts`. */
  attempts?: number;
}

/** The options of `@OnOutboxMessage`. */
export interface OnOutboxMessageOptions {
  /**
   * The name under which the database stores the consumer's positions. It must not change when code is renamed. Methods
   * of the same consumer share a transaction and succeed or fail together. 1 to 191 characters. Default `Class.method`.
   */
  consumer?: string;
}

/** Omits options whose value is undefined, for example because a variable is not set. */
export const given = <Options extends object>(options: Options | undefined): Partial<Options> =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as Partial<Options>;

/** Checks the options that the configuration sets for each name. @throws InvalidArgumentError that names the option */
export function checkOverrides<Options>(
  overrides: Readonly<Record<string, Options>>,
  option: string,
  check: (options: Options, what: string) => void,
): void {
  if (!isRecord(overrides)) throw new InvalidArgumentError(option, overrides, 'an object with options by name');
  for (const [name, options] of Object.entries(overrides)) {
    const what = `${option}['${name}']`;
    if (!isRecord(options)) throw new InvalidArgumentError(what, options, 'an object with options');
    check(options, what);
  }
}

/** The options of a decorator, overridden by those of the configuration; undefined values override nothing. */
export function overridden<Declared extends object, Options extends object>(
  declared: Declared,
  overrides: Readonly<Record<string, Options>>,
  name: string,
): Declared & Options {
  const options = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  return { ...declared, ...given(options) } as Declared & Options;
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The options of `@Workflow`. */
export interface WorkflowOptions {
  /** Raise it when `run` no longer fits recorded histories; keep the old class until its runs have ended. Default 1. */
  version?: number;
  /** For steps that set no `retry` of their own. Default: the module's `retry`. */
  retry?: Retry;
  /** The timeout of a run. After it, the run fails and its steps are compensated. Default: none. */
  timeout?: Duration;
  /** The maximum number of runs at the same time, each from its start to its end. With `key`: per key. */
  concurrency?: ConcurrencyLimit;
  /**
   * The maximum number of runs that may start within `duration`. With `key`: per key. If `concurrency` is also set,
   * both must use the same `key`.
   */
  rateLimit?: RateLimit;
  /**
   * When runs start automatically. Stored when an engine starts: changed schedules are replaced, and those removed from
   * the code are deleted when the next engine with this workflow starts. Paused schedules stay paused.
   */
  schedules?: readonly DeclaredSchedule[];
}

/** `key` receives the input and returns a text of 1 to 191 characters. */
export interface ConcurrencyLimit {
  limit: number;
  key?: (input: never) => string;
}

/** `key` receives the input and returns a text of 1 to 191 characters. */
export interface RateLimit {
  max: number;
  duration: Duration;
  key?: (input: never) => string;
}

/** The options of `@Worker`. They apply to all remote steps of the class. */
export interface WorkerOptions {
  /** The maximum number of these steps at the same time in this process. Default: only the limit of the process. */
  concurrency?: number;
  /** The queue token of the tasks. Default: each step's name with `:` replaced by `-`. */
  group?: string;
  /** Appended to the group as `@partition`, unless it is empty or `default`. */
  partition?: string;
  /** How long a claim holds without renewal; after that, other workers take the task over. Default: the module's. */
  leaseDuration?: Duration;
  /** For steps that set no `retry` of their own. Default: the module's `retry`. */
  retry?: Retry;
}

/** The options of `@RemoteStep`. */
export interface RemoteStepOptions {
  /** Default: that of the class, then that of the module. */
  retry?: Retry;
  /** The timeout of the handler per attempt; after it, its signal aborts and the attempt fails. Default: none. */
  timeout?: Duration;
  /**
   * The maximum number at the same time across all processes and languages, each from dispatch to answer. With `key`:
   * per key. The others wait in a queue, ordered by `priority`, then by arrival.
   */
  concurrency?: ConcurrencyLimit;
  /** The maximum number dispatched within `duration`. With `key`: per key; `concurrency` must use the same one. */
  rateLimit?: RateLimit;
}
