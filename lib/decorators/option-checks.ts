import {
  type ConcurrencyLimit,
  CONSUMER_OPTIONS,
  EFFECT_OPTIONS,
  type EffectOptions,
  type OnOutboxMessageOptions,
  type OutboxPublisherOptions,
  PUBLISHER_OPTIONS,
  type RateLimit,
  REMOTE_STEP_OPTIONS,
  type RemoteStepOptions,
  WORKER_OPTIONS,
  type WorkerOptions,
  WORKFLOW_OPTIONS,
  type WorkflowOptions,
} from './decorator-options.js';
import { checkName } from '../engine/model/names.js';
import { isSchema, noSchema, validated } from '../engine/model/validated.js';
import { DECLARED_SCHEDULE, type DeclaredSchedule, scheduleSpecOf } from '../engine/model/schedule-spec.js';
import type { OnExhausted, Retry } from '../engine/model/step-options.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { OnPoison } from '../outbox/model/destination.js';
import { backoffMs } from '../time/backoff.js';
import { type Duration, toMs } from '../time/duration.js';
import { checkedOptions } from '../options/known-options.js';

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
}

function checkBackoff(backoff: EffectOptions['backoff'], what: string): void {
  if (backoff === undefined) return;
  if (typeof backoff !== 'object' || backoff === null)
    throw new InvalidArgumentError(what, backoff, '{ delay, factor, maxDelay, jitter }');
  const { delay, maxDelay, jitter } = backoff;
  // Without a pause between tries, all of them would fail before the other side has recovered.
  checkDuration(delay, `${what}.delay`);
  checkDuration(maxDelay, `${what}.maxDelay`);
  if (jitter !== undefined && jitter !== 'none' && jitter !== 'full')
    throw new InvalidArgumentError(`${what}.jitter`, jitter, "'none' or 'full'");
  if (delay !== undefined && maxDelay !== undefined && toMs(maxDelay) < toMs(delay))
    throw new InvalidArgumentError(`${what}.maxDelay`, maxDelay, 'at least the delay');
  try {
    backoffMs(1, backoff);
  } catch (error) {
    throw new InvalidArgumentError(what, backoff, `usable options: ${(error as Error).message}`);
  }
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
export function checkDeliveryOptions(options: DeliveryOptions, what: string): void {
  const { batchSize, onPoison, attempts } = options;
  checkWhole(batchSize, `${what}: batchSize`);
  checkWhole(attempts, `${what}: attempts`);
  if (onPoison !== undefined && !ON_POISON.includes(onPoison))
    throw new InvalidArgumentError(`${what}: onPoison`, onPoison, "'block', 'park' or 'park-channel'");
}

type DeliveryOptions = Omit<OutboxPublisherOptions, 'name'>;

const ON_POISON: readonly OnPoison[] = ['block', 'park', 'park-channel'];

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
export function checkWhole(value: unknown, what: string, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return;
  throw new InvalidArgumentError(what, value, `a whole number of at least ${least}`);
}

/** @throws InvalidArgumentError */
export function checkDuration(value: Duration | undefined, what: string): void {
  if (value === undefined) return;
  const expected = "milliseconds, at least 1, or a string like '500ms', '30s', '5m', '2h', '7d'";
  try {
    if (toMs(value) >= 1) return;
  } catch {
    // The error below names the option.
  }
  throw new InvalidArgumentError(what, value, expected);
}

/** @throws InvalidArgumentError */
export function checkRetry(retry: Retry | undefined, what: string): void {
  if (retry === undefined || retry === false) return;
  if (typeof retry === 'number') return checkWhole(retry, what);
  if (typeof retry !== 'object' || retry === null) {
    throw new InvalidArgumentError(what, retry, 'a number of attempts, false, or { attempts, backoff, retryIf }');
  }
  checkWhole(retry.attempts, `${what}.attempts`);
  checkWhole(retry.deferrals, `${what}.deferrals`, 0);
  if (retry.retryIf !== undefined && typeof retry.retryIf !== 'function') {
    throw new InvalidArgumentError(`${what}.retryIf`, retry.retryIf, 'a function');
  }
  try {
    backoffMs(1, retry.backoff);
  } catch (error) {
    throw new InvalidArgumentError(`${what}.backoff`, retry.backoff, `usable options: ${(error as Error).message}`);
  }
}

/** @throws InvalidArgumentError */
export function checkOnExhausted(onExhausted: OnExhausted | undefined, what: string): void {
  if (onExhausted === undefined || onExhausted === 'fail' || onExhausted === 'block') return;
  throw new InvalidArgumentError(what, onExhausted, "'fail' or 'block'");
}

/** @throws InvalidArgumentError */
export function checkKeepInputs(keepInputs: boolean | undefined, what: string): void {
  if (keepInputs !== undefined && typeof keepInputs !== 'boolean')
    throw new InvalidArgumentError(what, keepInputs, 'true or false');
}

/** @throws InvalidArgumentError */
export function checkWorkflowOptions(options: WorkflowOptions, what: string): void {
  checkedOptions(options, WORKFLOW_OPTIONS, what);
  const { version, retry, onExhausted, keepInputs, timeout, concurrency, rateLimit } = options;
  checkWhole(version, `${what}: version`);
  checkRetry(retry, `${what}: retry`);
  checkOnExhausted(onExhausted, `${what}: onExhausted`);
  checkKeepInputs(keepInputs, `${what}: keepInputs`);
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
  const { concurrency, group, partition, leaseDuration, retry, onExhausted, keepInputs } = options;
  checkWhole(concurrency, `${what}: concurrency`);
  if (group !== undefined) checkName(group, `${what}: group`);
  if (partition !== undefined && partition !== '') checkName(partition, `${what}: partition`);
  checkDuration(leaseDuration, `${what}: leaseDuration`);
  checkRetry(retry, `${what}: retry`);
  checkOnExhausted(onExhausted, `${what}: onExhausted`);
  checkKeepInputs(keepInputs, `${what}: keepInputs`);
}

/** @throws InvalidArgumentError */
export function checkStepOptions(options: RemoteStepOptions, what: string): void {
  checkedOptions(options, REMOTE_STEP_OPTIONS, what);
  const { retry, onExhausted, keepInputs, timeout, concurrency, rateLimit } = options;
  checkRetry(retry, `${what}: retry`);
  checkOnExhausted(onExhausted, `${what}: onExhausted`);
  checkKeepInputs(keepInputs, `${what}: keepInputs`);
  checkDuration(timeout, `${what}: timeout`);
  checkLimits({ concurrency, rateLimit }, what);
  checkSchema(options.input, `${what}: input`);
  checkSchema(options.output, `${what}: output`);
}
