import { checkName } from '../engine/model/names.js';
import { type DeclaredSchedule, scheduleSpecOf } from '../engine/model/schedule-spec.js';
import type { Retry } from '../engine/model/workflow-context.js';
import { InvalidArgumentError } from '../errors.js';
import { backoffMs } from '../time/backoff.js';
import { type Duration, toMs } from '../time/duration.js';
import type {
  ConcurrencyLimit,
  RateLimit,
  RemoteStepOptions,
  WorkerOptions,
  WorkflowOptions,
} from './decorator-options.js';

/*
 * Options are checked where they are written: those of a decorator when its class is loaded, those of the module when
 * it is made. `what` is how the error names them. Options that are left out pass.
 */

/** @throws InvalidArgumentError */
export function checkWhole(value: unknown, what: string, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return;
  throw new InvalidArgumentError(what, value, `a whole number of at least ${least}`);
}

/** @throws InvalidArgumentError */
export function checkDuration(value: Duration | undefined, what: string): void {
  if (value === undefined) return;
  const expected = "milliseconds, at least 1, or a text like '500ms', '30s', '5m', '2h', '7d'";
  try {
    if (toMs(value) >= 1) return;
  } catch {
    // Said below, by the name of the option.
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
export function checkWorkflowOptions(options: WorkflowOptions, what: string): void {
  const { version, retry, timeout, concurrency, rateLimit, schedules } = options;
  checkWhole(version, `${what}: version`);
  checkRetry(retry, `${what}: retry`);
  checkDuration(timeout, `${what}: timeout`);
  checkLimits({ concurrency, rateLimit }, what);
  checkSchedules(schedules, `${what}: schedules`);
}

function checkSchedules(schedules: readonly DeclaredSchedule[] | undefined, what: string): void {
  if (schedules === undefined) return;
  if (!Array.isArray(schedules)) throw new InvalidArgumentError(what, schedules, 'a list of schedules');
  (schedules as readonly DeclaredSchedule[]).forEach((declared, n) => {
    scheduleSpecOf(declared, `${what}[${n}]`);
    if (declared.id !== undefined) checkName(declared.id, `${what}[${n}].id`);
  });
}

/** @throws InvalidArgumentError */
export function checkLimits(
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
    const expected = 'the same function as concurrency.key, since both limits are of one line, or leave out both';
    throw new InvalidArgumentError(`${what}: rateLimit.key`, rateLimit.key, expected);
  }
}

function checkShape(limit: { key?: unknown }, what: string, expected: string): void {
  if (typeof limit !== 'object' || limit === null) throw new InvalidArgumentError(what, limit, expected);
  if (limit.key !== undefined && typeof limit.key !== 'function')
    throw new InvalidArgumentError(`${what}.key`, limit.key, 'a function of the input that answers a text');
}

/** @throws InvalidArgumentError */
export function checkWorkerOptions(options: WorkerOptions, what: string): void {
  const { concurrency, group, partition, leaseDuration, retry } = options;
  checkWhole(concurrency, `${what}: concurrency`);
  if (group !== undefined) checkName(group, `${what}: group`);
  if (partition !== undefined && partition !== '') checkName(partition, `${what}: partition`);
  checkDuration(leaseDuration, `${what}: leaseDuration`);
  checkRetry(retry, `${what}: retry`);
}

/** @throws InvalidArgumentError */
export function checkStepOptions({ retry, timeout, concurrency, rateLimit }: RemoteStepOptions, what: string): void {
  checkRetry(retry, `${what}: retry`);
  checkDuration(timeout, `${what}: timeout`);
  checkLimits({ concurrency, rateLimit }, what);
}
