import type { DeclaredSchedule } from '../engine/model/schedule-spec.js';
import type { Retry } from '../engine/model/workflow-context.js';
import { InvalidArgumentError } from '../errors.js';
import type { OnPoison } from '../outbox/model/destination.js';
import type { BackoffOptions } from '../time/backoff.js';
import type { Duration } from '../time/duration.js';

/** What `@Effect` may say besides the name. */
export interface EffectOptions {
  /** How often a call is tried before it is abandoned, the first time included. Default 8. */
  attempts?: number;
  /** How long one try may take; then its signal aborts, and it has failed. Default `'20s'`. */
  timeout?: Duration;
  /**
   * For how long a call stays with a process that says nothing, as one that died; renewed while the call lasts, three
   * times as often. Default `'5m'`.
   */
  leaseDuration?: Duration;
  /** The wait after each failed try. Default: 30 s, doubling, at most an hour, without jitter. */
  backoff?: BackoffOptions;
}

/** What `@OutboxPublisher` may say. */
export interface OutboxPublisherOptions {
  /**
   * What the database knows its positions by; must outlive renames of the class. 1 to 191 characters. Default: the name
   * of the class.
   */
  name?: string;
  /** The most events of one channel for one call. Default 50. */
  batchSize?: number;
  /** What becomes of an event that it does not take. Default: as the module's option `outbox.onPoison` says. */
  onPoison?: OnPoison;
  /** How often an event is tried before that. Default: as the module's option `outbox.attempts` says. */
  attempts?: number;
}

/** What `@OnOutboxMessage` may say. */
export interface OnOutboxMessageOptions {
  /**
   * What the database knows its positions by; must outlive renames. Methods of the same consumer share a transaction
   * and succeed or fail together. 1 to 191 characters. Default `Class.method`.
   */
  consumer?: string;
}

/** Without options that are there and undefined, as those of a variable that is not set. */
export const given = <Options extends object>(options: Options | undefined): Partial<Options> =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as Partial<Options>;

/** Checks what the configuration says of each name. @throws InvalidArgumentError that names the option */
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

/** What a decorator says, with what the configuration says in its place; what is undefined there says nothing. */
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

/** What `@Workflow` may say besides the name. */
export interface WorkflowOptions {
  /** Raise it when `run` changes so that recorded histories no longer fit; keep the old class until its runs have ended. Default 1. */
  version?: number;
  /** For steps that say nothing themselves. Default: the module's `retry`. */
  retry?: Retry;
  /** How long a run may take; then it fails, and what it did is compensated. Default: as long as it likes. */
  timeout?: Duration;
  /** How many runs at once, from their beginning to their end; with `key` so many for each. */
  concurrency?: ConcurrencyLimit;
  /**
   * How many runs may begin in any time of this length; with `key` so many for each. Beside `concurrency` it has the
   * same key: both are of one line.
   */
  rateLimit?: RateLimit;
  /**
   * When runs begin by themselves. Written down when an engine starts: what changed is replaced, and what is gone from
   * the code is removed by the next engine with this workflow that starts. Paused ones stay paused.
   */
  schedules?: readonly DeclaredSchedule[];
}

/** `key` is given the input and returns a text of 1 to 191 characters. */
export interface ConcurrencyLimit {
  limit: number;
  key?: (input: never) => string;
}

/** `key` is given the input and returns a text of 1 to 191 characters. */
export interface RateLimit {
  max: number;
  duration: Duration;
  key?: (input: never) => string;
}

/** What `@Worker` may say, for all remote steps of one class. */
export interface WorkerOptions {
  /** How many of them run at once in this process. Default: as many as the process runs at all. */
  concurrency?: number;
  /** The queue token that their tasks wait in. Default: each step's name with `:` replaced by `-`. */
  group?: string;
  /** Appended to the group as `@partition`, unless it is empty or `default`. */
  partition?: string;
  /** How long a claim holds without being renewed; others take the task over after that. Default: the module's. */
  leaseDuration?: Duration;
  /** For steps that say nothing themselves. Default: the module's `retry`. */
  retry?: Retry;
}

/** What `@RemoteStep` may say besides the name. */
export interface RemoteStepOptions {
  /** Default: that of the class, then the module's. */
  retry?: Retry;
  /** How long the handler may take per attempt; then its signal aborts and the attempt has failed. Default: as long as it likes. */
  timeout?: Duration;
  /**
   * How many at once in the whole fleet, whatever processes and languages serve it, from being asked to the answer; with
   * `key` so many for each. The others wait in a queue: by `priority`, then first come, first served.
   */
  concurrency?: ConcurrencyLimit;
  /** How many may be asked in any time of this length; with `key` so many for each. Beside `concurrency` it has the same key. */
  rateLimit?: RateLimit;
}
