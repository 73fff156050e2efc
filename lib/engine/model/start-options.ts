import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { type Duration, toMs } from '../../time/duration.js';
import { checkName } from './names.js';
import type { Attributes, IdReuse, NewRun } from './run.js';
import type { KnownOptions } from '../../options/known-options.js';

/** The options of `start`. Durations are milliseconds, or strings like `'500ms'`, `'30s'`, `'7d'`. */
export interface StartOptions {
  /** The id of the run. Default: a UUID. At most 180 characters. */
  id?: string;
  /** The version of the workflow. Default: the highest one that this process knows, or 1. */
  version?: number;
  /** An open transaction of the app's ORM: the run exists if and when it commits. */
  transaction?: unknown;
  /** The run begins this long after the commit at the earliest. */
  delay?: Duration;
  /** The run begins at this time at the earliest. */
  startAt?: Date;
  /** Ids of at most 1,000 runs that must complete before this run begins. If one ends otherwise, this run fails. */
  after?: readonly string[];
  /** How long the run may take, counted from when it may begin. Default: what the workflow declares. */
  timeout?: Duration;
  /** Values that `list` can filter by. */
  attributes?: Attributes;
  /**
   * New runs of a workflow with a higher priority begin first, also in a limiter with a limit. A whole number from
   * -1,000 to 1,000, default 0. Runs with neither a priority nor a key begin before all runs that have one. A run that
   * is delayed or waits for other runs is queued only if there is a limit.
   */
  priority?: number;
  /**
   * Replaces the `key` of the workflow's limits. Without limits it gives each key a fair share: new runs of different
   * keys begin in turn, no matter how many runs of one key wait. A string of 1 to 191 characters.
   */
  concurrencyKey?: string;
  /**
   * What happens when a run with this `id` exists. `'reject-different'`, the default: returns that run if the input is
   * the same, else throws. `'allow-if-ended'`: like the default, but a run that has ended is replaced by the new run,
   * and everything stored for it is deleted. `'allow-if-failed'`: replaces only a run that did not complete.
   */
  idReuse?: 'reject-different' | 'allow-if-ended' | 'allow-if-failed';
  /**
   * At most one start per key of a workflow within the window; without a window, until the started run has ended.
   * Another start returns that run, with `created: false`.
   */
  singleton?: { key: string; window?: Duration };
  /**
   * The run begins `delay` after the last start of its workflow with this key, but at most `maxDelay` after the first.
   * Until then, another start replaces the run's input and returns the same run, with `created: false`.
   */
  debounce?: { key: string; delay: Duration; maxDelay?: Duration };
}

/** The names of all options. */
export const START_OPTIONS = {
  id: true,
  version: true,
  transaction: true,
  delay: true,
  startAt: true,
  after: true,
  timeout: true,
  attributes: true,
  priority: true,
  concurrencyKey: true,
  idReuse: true,
  singleton: { key: true, window: true },
  debounce: { key: true, delay: true, maxDelay: true },
} satisfies KnownOptions<StartOptions>;

const REUSE: Record<NonNullable<StartOptions['idReuse']>, IdReuse | undefined> = {
  'reject-different': undefined,
  'allow-if-ended': 'ended',
  'allow-if-failed': 'failed',
};

/** Translates the options that depend on existing runs. @throws InvalidArgumentError */
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
    throw new InvalidArgumentError('debounce', debounce, 'it without delay, startAt or after');
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
