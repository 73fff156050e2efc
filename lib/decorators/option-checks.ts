import { checkName } from '../engine/names.js';
import type { Retry } from '../engine/workflow-context.js';
import { InvalidArgumentError } from '../errors.js';
import { backoffMs } from '../time/backoff.js';
import { type Duration, toMs } from '../time/duration.js';
import type { RemoteStepOptions, WorkerOptions, WorkflowOptions } from './decorator-options.js';

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
export function checkWorkflowOptions({ version, retry }: WorkflowOptions, what: string): void {
  checkWhole(version, `${what}: version`);
  checkRetry(retry, `${what}: retry`);
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
export function checkStepOptions({ retry, timeout }: RemoteStepOptions, what: string): void {
  checkRetry(retry, `${what}: retry`);
  checkDuration(timeout, `${what}: timeout`);
}
