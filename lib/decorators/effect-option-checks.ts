import { checkName } from '../engine/model/names.js';
import { InvalidArgumentError } from '../errors.js';
import { backoffMs } from '../time/backoff.js';
import { toMs } from '../time/duration.js';
import type { EffectOptions } from './effect-options.js';
import { checkDuration, checkWhole } from './option-checks.js';

/** @throws InvalidArgumentError */
export function checkEffectOptions(options: EffectOptions, what: string): void {
  if (typeof options !== 'object' || options === null)
    throw new InvalidArgumentError(what, options, '{ attempts, timeout, leaseDuration, backoff }');
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
  // Without a pause between them all tries would be over before the other side has drawn breath.
  checkDuration(delay, `${what}.delay`);
  checkDuration(maxDelay, `${what}.maxDelay`);
  if (jitter !== undefined && jitter !== 'none' && jitter !== 'full')
    throw new InvalidArgumentError(`${what}.jitter`, jitter, "'none' or 'full'");
  if (delay !== undefined && maxDelay !== undefined && toMs(maxDelay) < toMs(delay))
    throw new InvalidArgumentError(`${what}.maxDelay`, maxDelay, 'at least its delay');
  try {
    backoffMs(1, backoff);
  } catch (error) {
    throw new InvalidArgumentError(what, backoff, `usable options: ${(error as Error).message}`);
  }
}

/** The operations that a decorator names, as a list, each once. @throws InvalidArgumentError */
export function checkedOperations(given: string | readonly string[], what: string): readonly string[] {
  const operations: readonly unknown[] = Array.isArray(given) ? [...(given as readonly unknown[])] : [given];
  if (operations.length === 0) throw new InvalidArgumentError(what, given, 'at least one operation');
  return [...new Set(operations.map((operation) => checkName(operation, what)))];
}
