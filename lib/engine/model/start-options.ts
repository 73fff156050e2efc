import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../../errors.js';
import { type Duration, toMs } from '../../time/duration.js';
import { checkName } from './names.js';
import type { Attributes, IdReuse, NewRun } from './run.js';

/** What `start` takes. Durations are milliseconds, or texts like `'500ms'`, `'30s'`, `'7d'`. */
export interface StartOptions {
  /** The run's identity. Default: a UUID. At most 180 characters. */
  id?: string;
  /** Default: the highest that this process knows, or 1. */
  version?: number;
  /** An open transaction of the app's ORM: the run exists if and when it commits. */
  transaction?: unknown;
  /** How long after the commit it may begin. */
  delay?: Duration;
  /** When it may begin. */
  startAt?: Date;
  /** Runs that have to complete before it begins, at most 1,000. When one of them does not, it fails. */
  after?: readonly string[];
  /** How long it may take from then on, counted from when it may begin. Default: what the workflow declares. */
  timeout?: Duration;
  /** Values that `list` can filter by. */
  attributes?: Attributes;
  /**
   * Among new runs of a workflow those with more go first, in a limiter with a limit too. A whole number from -1,000 to
   * 1,000, default 0. Runs without priority and key go before all that have one; a run that is delayed, or waits for
   * others, waits in a queue only where there is a limit.
   */
  priority?: number;
  /**
   * In place of the `key` of the workflow's limits, and without limits a fair share: new runs of different keys begin in
   * turn, however many of one key wait. A text of 1 to 191 characters.
   */
  concurrencyKey?: string;
  /**
   * What becomes of an `id` that a run has already. `'reject-different'`, the default: with the same input that run is
   * answered, with another the start is refused. `'allow-if-ended'`: one that has ended, however, makes room for the new
   * one, with all that is kept of it. `'allow-if-failed'`: only one that did not complete.
   */
  idReuse?: 'reject-different' | 'allow-if-ended' | 'allow-if-failed';
  /**
   * At most one start per key of a workflow within the window; without one, as long as the run that was started has not
   * ended. Another start is answered that run, with `created: false`.
   */
  singleton?: { key: string; window?: Duration };
  /**
   * The run begins `delay` after the last start with this key of its workflow, and no later than `maxDelay` after the
   * first: until then a start replaces its input and is answered the same run, with `created: false`.
   */
  debounce?: { key: string; delay: Duration; maxDelay?: Duration };
}

const REUSE: Record<NonNullable<StartOptions['idReuse']>, IdReuse | undefined> = {
  'reject-different': undefined,
  'allow-if-ended': 'ended',
  'allow-if-failed': 'failed',
};

/** What a start says of runs that are there. @throws InvalidArgumentError */
export function uniquenessOf(
  run: Pick<NewRun, 'namespace' | 'workflow'>,
  { idReuse = 'reject-different', singleton, debounce, ...options }: StartOptions,
): Pick<NewRun, 'reuse' | 'startKey'> & { delayMs?: number } {
  if (!Object.hasOwn(REUSE, idReuse))
    throw new InvalidArgumentError('idReuse', idReuse, `one of '${Object.keys(REUSE).join(`', '`)}'`);
  const reuse = REUSE[idReuse];
  if ([reuse, singleton, debounce].filter((option) => option !== undefined).length > 1)
    throw new InvalidArgumentError('singleton', singleton ?? debounce, 'only one of idReuse, singleton and debounce');
  if (singleton) {
    const windowMs = singleton.window === undefined ? undefined : durationOf(singleton.window, 'singleton.window', 1);
    const key = hashOf(run, 'singleton', singleton.key);
    return { startKey: { kind: 'singleton', key, ...(windowMs !== undefined && { windowMs }) } };
  }
  if (!debounce) return reuse ? { reuse } : {};
  if ((options.delay ?? options.startAt ?? options.after) !== undefined)
    throw new InvalidArgumentError('debounce', debounce, 'it without delay, startAt and after');
  const { maxDelay } = debounce;
  const maxDelayMs = maxDelay === undefined ? undefined : durationOf(maxDelay, 'debounce.maxDelay', 1);
  const delayMs = durationOf(debounce.delay, 'debounce.delay', 1);
  const key = hashOf(run, 'debounce', debounce.key);
  return { delayMs, startKey: { kind: 'debounce', key, ...(maxDelayMs !== undefined && { maxDelayMs }) } };
}

const hashOf = ({ namespace, workflow }: Pick<NewRun, 'namespace' | 'workflow'>, kind: string, key: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([namespace, kind, workflow, checkName(key, `${kind}.key`)]))
    .digest('base64url');

function durationOf(value: Duration, what: string, least: number): number {
  const ms = toMs(value, what);
  if (ms >= least) return ms;
  throw new InvalidArgumentError(what, value, `at least ${least} ms`);
}
