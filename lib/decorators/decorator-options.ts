import type { DeclaredSchedule } from '../engine/model/schedule-spec.js';
import type { OnExhausted, Retry } from '../engine/model/step-options.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { StandardSchema } from '../protocol/standard-schema.js';
import type { OnPoison } from '../outbox/model/destination.js';
import type { Duration } from '../time/duration.js';
import type { KnownOptions } from '../options/known-options.js';
import { BACKOFF_OPTIONS, type BackoffOptions } from '../time/backoff.js';
import { RETRY_OPTIONS } from '../engine/model/context-options.js';

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

export const EFFECT_OPTIONS = {
  attempts: true,
  timeout: true,
  leaseDuration: true,
  backoff: BACKOFF_OPTIONS,
} satisfies KnownOptions<EffectOptions>;

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

export const PUBLISHER_OPTIONS = {
  name: true,
  batchSize: true,
  onPoison: true,
  attempts: true,
} satisfies KnownOptions<OutboxPublisherOptions>;

/** The options of `@OnOutboxMessage`. */
export interface OnOutboxMessageOptions {
  /**
   * The name under which the database stores the consumer's positions. It must not change when code is renamed. Methods
   * of the same consumer share a transaction and succeed or fail together. 1 to 191 characters. Default `Class.method`.
   */
  consumer?: string;
}

export const CONSUMER_OPTIONS = { consumer: true } satisfies KnownOptions<OnOutboxMessageOptions>;

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
export interface WorkflowOptions<In = unknown, Input = unknown> {
  /**
   * A schema of zod, valibot, arktype, or another library of Standard Schema. What it returns is what is stored, and
   * what `run` takes; an input that it refuses starts nothing. It must accept what it returns.
   */
  input?: StandardSchema<In, Input>;
  /** Raise it when `run` no longer fits recorded histories; keep the old class until its runs have ended. Default 1. */
  version?: number;
  /** For steps that set no `retry` of their own. Default: the module's `retry`. */
  retry?: Retry;
  /** For steps that set no `onExhausted` of their own. Default: the module's `onExhausted`. */
  onExhausted?: OnExhausted;
  /** For remote steps that set no `keepInputs` of their own. Default: the module's `keepInputs`. */
  keepInputs?: boolean;
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

const LIMIT_OPTIONS = {
  concurrency: { limit: true, key: true },
  rateLimit: { max: true, duration: true, key: true },
} satisfies KnownOptions<Pick<WorkflowOptions, 'concurrency' | 'rateLimit'>>;

export const WORKFLOW_OPTIONS = {
  version: true,
  input: true,
  retry: RETRY_OPTIONS,
  onExhausted: true,
  keepInputs: true,
  timeout: true,
  schedules: true,
  ...LIMIT_OPTIONS,
} satisfies KnownOptions<WorkflowOptions>;

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
  /** For steps that set no `onExhausted` of their own. Default: the workflow's, then the module's. */
  onExhausted?: OnExhausted;
  /** For steps that set no `keepInputs` of their own. Default: the workflow's, then the module's. */
  keepInputs?: boolean;
}

export const WORKER_OPTIONS = {
  concurrency: true,
  group: true,
  partition: true,
  leaseDuration: true,
  retry: RETRY_OPTIONS,
  onExhausted: true,
  keepInputs: true,
} satisfies KnownOptions<WorkerOptions>;

/** The options of `@RemoteStep`. */
export interface RemoteStepOptions<In = unknown, Input = unknown, Out = unknown, Output = unknown> {
  /**
   * A schema of the input, of any library of Standard Schema: the method gets what it returns. An input that it refuses
   * fails the step with a `ValidationError`, without a retry. It must accept what it returns.
   */
  input?: StandardSchema<In, Input>;
  /** A schema of what the method returns: what it makes of it is stored. The step fails without a retry if it refuses. */
  output?: StandardSchema<Out, Output>;
  /** Default: that of the class, then that of the module. */
  retry?: Retry;
  /** Default: that of the class, then those of the workflow and the module; `'fail'`. */
  onExhausted?: OnExhausted;
  /** Stores the input with the record of the step. Default: as the class, then the workflow and the module; false. */
  keepInputs?: boolean;
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

export const REMOTE_STEP_OPTIONS = {
  retry: RETRY_OPTIONS,
  onExhausted: true,
  keepInputs: true,
  timeout: true,
  input: true,
  output: true,
  ...LIMIT_OPTIONS,
} satisfies KnownOptions<RemoteStepOptions>;
