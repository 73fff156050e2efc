import { InvalidArgumentError, UnknownOptionError } from '../core/errors.js';
import {
  checkBackoff,
  checkDuration,
  checkedOptions,
  checkWhole,
  defined,
  type KnownOptions,
  nearest,
  type StandardSchema,
} from '../core/options.js';
import { BACKOFF_OPTIONS, backoffOf, type BackoffOptions, type Duration } from '../core/time.js';
import { type OnExhausted, type Retry, RETRY_OPTIONS } from '../engine/context.js';
import { isSchema, noSchema, validated } from '../engine/payloads.js';
import { checkName, checkVersion } from '../engine/run.js';
import { DECLARED_SCHEDULE, type DeclaredSchedule, scheduleSpecOf } from '../engine/schedules.js';
import { checkRetrying } from '../engine/workflow.js';
import type { OnPoison } from '../outbox/destinations.js';

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
  /** The wait after each failed try, or the first one. Default: 30 s, doubling, at most an hour, without jitter. */
  backoff?: BackoffOptions | Duration;
}

const EFFECT_OPTIONS = {
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

const PUBLISHER_OPTIONS = {
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

const CONSUMER_OPTIONS = { consumer: true } satisfies KnownOptions<OnOutboxMessageOptions>;

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
  return { ...declared, ...defined(options) } as Declared & Options;
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
interface ConcurrencyLimit {
  limit: number;
  key?: (input: never) => string;
}

/** `key` receives the input and returns a text of 1 to 191 characters. */
interface RateLimit {
  max: number;
  duration: Duration;
  key?: (input: never) => string;
}

const LIMIT_OPTIONS = {
  concurrency: { limit: true, key: true },
  rateLimit: { max: true, duration: true, key: true },
} satisfies KnownOptions<Pick<WorkflowOptions, 'concurrency' | 'rateLimit'>>;

const WORKFLOW_OPTIONS = {
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

const WORKER_OPTIONS = {
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

const REMOTE_STEP_OPTIONS = {
  retry: RETRY_OPTIONS,
  onExhausted: true,
  keepInputs: true,
  timeout: true,
  input: true,
  output: true,
  ...LIMIT_OPTIONS,
} satisfies KnownOptions<RemoteStepOptions>;

/** Describes the decorated member unless it is an instance method with a string name. */
export function methodRefusal(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<unknown> | undefined,
): string | undefined {
  if (typeof target === 'function') return `the static member ${target.name}.${String(key)}`;
  const member = `${target.constructor.name}.${String(key)}`;
  if (typeof key === 'symbol') return `${member}, whose name is a symbol`;
  return typeof descriptor?.value === 'function' ? undefined : `${member}, which is not a method`;
}

/** @throws InvalidArgumentError */
export function checkEffectOptions(options: EffectOptions, what: string): void {
  if (typeof options !== 'object' || options === null)
    throw new InvalidArgumentError(what, options, '{ attempts, timeout, leaseDuration, backoff }');
  checkedOptions(options, EFFECT_OPTIONS, what);
  checkWhole(options.attempts, `${what}: attempts`);
  checkDuration(options.timeout, `${what}: timeout`);
  checkDuration(options.leaseDuration, `${what}: leaseDuration`);
  checkBackoff(options.backoff, `${what}: backoff`);
  // Without a pause between tries, all of them would fail before the other side has recovered.
  const { delay, maxDelay } = backoffOf(options.backoff);
  checkDuration(delay, `${what}: backoff.delay`);
  checkDuration(maxDelay, `${what}: backoff.maxDelay`);
}

/** Returns the operations of a decorator as a list without duplicates. @throws InvalidArgumentError */
export function checkedOperations(given: string | readonly string[], what: string): readonly string[] {
  const operations: readonly unknown[] = Array.isArray(given) ? [...(given as readonly unknown[])] : [given];
  if (operations.length === 0) throw new InvalidArgumentError(what, given, 'at least one operation');
  return [...new Set(operations.map((operation) => checkName(operation, what)))];
}

/** @throws InvalidArgumentError */
export function checkPublisherOptions(options: OutboxPublisherOptions, what: string): void {
  const { name } = checkedOptions(options, PUBLISHER_OPTIONS, what);
  if (name !== undefined) checkName(name, `${what}: name`);
  checkDeliveryOptions(options, what);
}

/** @throws InvalidArgumentError */
function checkDeliveryOptions(options: DeliveryOptions, what: string): void {
  const { batchSize, onPoison, attempts } = options;
  checkWhole(batchSize, `${what}: batchSize`);
  checkWhole(attempts, `${what}: attempts`);
  if (onPoison !== undefined && !ON_POISON.includes(onPoison))
    throw new InvalidArgumentError(`${what}: onPoison`, onPoison, "'block', 'park' or 'park-channel'");
}

type DeliveryOptions = Omit<OutboxPublisherOptions, 'name'>;

export const ON_POISON: readonly OnPoison[] = ['block', 'park', 'park-channel'];

/** @throws InvalidArgumentError */
export function checkConsumerOptions(options: OnOutboxMessageOptions, what: string): void {
  const { consumer } = checkedOptions(options, CONSUMER_OPTIONS, what);
  if (consumer !== undefined) checkName(consumer, `${what}: consumer`);
}

/** The maximum length of a channel name. */
const LONGEST = 255;

/** @throws InvalidArgumentError */
export function checkChannelPatterns(patterns: readonly unknown[], what: string): void {
  if (patterns.length === 0) throw new InvalidArgumentError(what, patterns, 'at least one channel');
  for (const pattern of patterns) {
    const isUsable =
      typeof pattern === 'string' &&
      /^(?=.)[^*]*\*?$/su.test(pattern) &&
      [...pattern].length <= LONGEST + (pattern.endsWith('*') ? 1 : 0);
    if (isUsable) continue;
    const expected = `the name of a channel, or a prefix of channel names with a trailing *, for example 'posts:*'; at most ${LONGEST} characters`;
    throw new InvalidArgumentError(what, pattern, expected);
  }
}

/*
 * Options are checked early: those of a decorator when its class is loaded, those of the module when it is created.
 * `what` is the option's name in errors. Omitted options are valid.
 */

/** @throws InvalidArgumentError */
export function checkWorkflowOptions(options: WorkflowOptions, what: string): void {
  checkedOptions(options, WORKFLOW_OPTIONS, what);
  const { version, timeout, concurrency, rateLimit } = options;
  if (version !== undefined) checkVersion(version, `${what}: version`);
  checkRetrying(options, `${what}: `);
  checkDuration(timeout, `${what}: timeout`);
  checkLimits({ concurrency, rateLimit }, what);
  checkSchema(options.input, `${what}: input`);
  checkSchedules(options, `${what}: schedules`);
}

function checkSchema(schema: unknown, what: string): void {
  if (schema !== undefined && !isSchema(schema)) throw noSchema(what, schema);
}

function checkSchedules({ schedules, input }: WorkflowOptions, what: string): void {
  if (schedules === undefined) return;
  if (!Array.isArray(schedules)) throw new InvalidArgumentError(what, schedules, 'a list of schedules');
  (schedules as readonly DeclaredSchedule[]).forEach((declared, n) => {
    scheduleSpecOf(checkedOptions(declared, DECLARED_SCHEDULE, `${what}[${n}]`), `${what}[${n}]`);
    if (input) validated(input, declared.input, `${what}[${n}].input`);
    if (declared.id !== undefined) checkName(declared.id, `${what}[${n}].id`);
  });
}

/** @throws InvalidArgumentError */
function checkLimits(
  { concurrency, rateLimit }: { concurrency?: ConcurrencyLimit | undefined; rateLimit?: RateLimit | undefined },
  what: string,
): void {
  if (concurrency !== undefined) {
    checkShape(concurrency, `${what}: concurrency`, '{ limit, key? }');
    checkWhole(concurrency.limit ?? null, `${what}: concurrency.limit`);
  }
  if (rateLimit === undefined) return;
  checkShape(rateLimit, `${what}: rateLimit`, '{ max, duration, key? }');
  checkWhole(rateLimit.max ?? null, `${what}: rateLimit.max`);
  checkDuration(rateLimit.duration ?? Number.NaN, `${what}: rateLimit.duration`);
  if (concurrency && String(concurrency.key) !== String(rateLimit.key)) {
    const expected = 'the same function as concurrency.key, because both limits share one queue; or omit both';
    throw new InvalidArgumentError(`${what}: rateLimit.key`, rateLimit.key, expected);
  }
}

function checkShape(limit: { key?: unknown }, what: string, expected: string): void {
  if (typeof limit !== 'object' || limit === null) throw new InvalidArgumentError(what, limit, expected);
  if (limit.key !== undefined && typeof limit.key !== 'function')
    throw new InvalidArgumentError(`${what}.key`, limit.key, 'a function that takes the input and returns a string');
}

/** @throws InvalidArgumentError */
export function checkWorkerOptions(options: WorkerOptions, what: string): void {
  checkedOptions(options, WORKER_OPTIONS, what);
  const { concurrency, group, partition, leaseDuration } = options;
  checkWhole(concurrency, `${what}: concurrency`);
  if (group !== undefined) checkName(group, `${what}: group`);
  if (partition !== undefined && partition !== '') checkName(partition, `${what}: partition`);
  checkDuration(leaseDuration, `${what}: leaseDuration`);
  checkRetrying(options, `${what}: `);
}

/** @throws InvalidArgumentError */
export function checkStepOptions(options: RemoteStepOptions, what: string): void {
  checkedOptions(options, REMOTE_STEP_OPTIONS, what);
  const { timeout, concurrency, rateLimit } = options;
  checkRetrying(options, `${what}: `);
  checkDuration(timeout, `${what}: timeout`);
  checkLimits({ concurrency, rateLimit }, what);
  checkSchema(options.input, `${what}: input`);
  checkSchema(options.output, `${what}: output`);
}

/** What only the class itself can say: its code depends on it, or others know it by that name. */
const { version: _version, input: _input, ...OF_WORKFLOW } = WORKFLOW_OPTIONS;
const { input: _taken, output: _returned, ...OF_STEP } = REMOTE_STEP_OPTIONS;
const { name: _name, ...OF_DESTINATION } = PUBLISHER_OPTIONS;

/** @throws InvalidArgumentError */
export function checkWorkflowOverrides(options: Omit<WorkflowOptions, 'version' | 'input'>, what: string): void {
  checkWorkflowOptions(checkedOptions(options, OF_WORKFLOW, what), what);
}

/** @throws InvalidArgumentError */
export function checkStepOverrides(options: Omit<RemoteStepOptions, 'input' | 'output'>, what: string): void {
  checkStepOptions(checkedOptions(options, OF_STEP, what), what);
}

/** @throws InvalidArgumentError */
export function checkDestinationOverrides(options: Omit<OutboxPublisherOptions, 'name'>, what: string): void {
  checkDeliveryOptions(checkedOptions(options, OF_DESTINATION, what), what);
}

/**
 * Refuses options for names that nobody declares, for example because of a typing error: they would change nothing. A
 * process that declares nothing of the kind, such as a mere client, may have the configuration of the others.
 *
 * @throws UnknownOptionError
 */
export function checkOverriddenNames(overrides: object, declared: Iterable<string>, what: string): void {
  const known = [...new Set(declared)];
  const unknown = Object.keys(overrides).find((name) => !known.includes(name));
  if (unknown === undefined || known.length === 0) return;
  const meant = nearest(unknown, known);
  const guess = meant.length > 0 ? `did you mean ${quoted(meant)}? ` : '';
  const remedy = `${guess}No class of this app declares it; there are ${known.join(', ')}`;
  throw new UnknownOptionError(`DurableModule: ${what}`, unknown, meant, known, remedy);
}

/**
 * Names that look like one that is declared, with that one. Steps and their classes may be declared in other processes,
 * so they cannot be refused.
 */
export const misspelt = (overrides: object, declared: readonly string[]): { name: string; meant: string }[] =>
  Object.keys(overrides)
    .filter((name) => !declared.includes(name))
    .map((name) => ({ name, meant: quoted(nearest(name, declared)) }))
    .filter(({ meant }) => meant !== '');

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(' or ');
