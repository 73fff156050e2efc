import { checkDuration, checkEffectOptions, checkWhole } from '../decorators/option-checks.js';
import { type EffectOptions, checkOverrides } from '../decorators/decorator-options.js';
import type { AuditSink } from '../effects/audit-log.js';
import { checkName } from '../engine/model/names.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { type Duration, toMs } from '../time/duration.js';
import type { KnownOptions } from '../options/known-options.js';

/** Calls to the outside world that are made until they succeed or are abandoned. */
export interface EffectsModuleOptions {
  /** `false`: this process only enqueues calls; `EffectRunner.runOnce` still makes them. Default true. */
  run?: boolean;
  /** The maximum number of concurrent calls in this process. Default 50. */
  concurrency?: number;
  /** The maximum number of entries per claim. Default 50. */
  batchSize?: number;
  /** The maximum time between two polls for due calls. Default `'1s'`. */
  pollInterval?: Duration;
  /** How long a shutdown waits for running calls before it aborts their signals. Default `'10s'`. */
  shutdownTimeout?: Duration;
  /** Overrides the options of `@Effect`, by effect name. */
  handlers?: Record<string, EffectOptions>;
  /**
   * Names of handlers that only other processes declare. `Effects.enqueue` refuses a name that is neither declared in
   * this process, nor a key of `handlers`, nor in this list. `'any'` accepts every name, so typing errors go unnoticed.
   * Default: none.
   */
  remoteHandlers?: readonly string[] | 'any';
  /** The app's own store for audit events. Default: a table next to the calls, in the same transaction. */
  audit?: AuditSink;
}

export const EFFECTS_OPTIONS = {
  run: true,
  concurrency: true,
  batchSize: true,
  pollInterval: true,
  shutdownTimeout: true,
  handlers: true,
  remoteHandlers: true,
  audit: true,
} satisfies KnownOptions<EffectsModuleOptions>;

export interface EffectsSettings {
  run: boolean;
  concurrency: number;
  batchSize: number;
  pollMs: number;
  shutdownTimeoutMs: number;
  handlers: Record<string, EffectOptions>;
  remoteHandlers: ReadonlySet<string> | 'any';
  audit: AuditSink | undefined;
}

/** @throws InvalidArgumentError that names the option. */
export function effectsSettings(options: EffectsModuleOptions): EffectsSettings {
  const { run = true, concurrency = 50, batchSize = 50, handlers = {}, remoteHandlers = [], audit } = options;
  if (typeof run !== 'boolean') throw new InvalidArgumentError('effects.run', run, 'true or false');
  checkWhole(concurrency, 'effects.concurrency');
  checkWhole(batchSize, 'effects.batchSize');
  checkOverrides(handlers, 'effects.handlers', checkEffectOptions);
  if (audit !== undefined && typeof (audit as Partial<AuditSink> | null)?.append !== 'function')
    throw new InvalidArgumentError('effects.audit', audit, 'an object with a method append(events)');
  return {
    run,
    concurrency,
    batchSize,
    handlers,
    audit,
    remoteHandlers: checkedNames(remoteHandlers),
    pollMs: ms(options.pollInterval ?? '1s', 'effects.pollInterval'),
    shutdownTimeoutMs: ms(options.shutdownTimeout ?? '10s', 'effects.shutdownTimeout'),
  };
}

function checkedNames(names: readonly string[] | 'any'): EffectsSettings['remoteHandlers'] {
  if (names === 'any') return names;
  if (!Array.isArray(names))
    throw new InvalidArgumentError('effects.remoteHandlers', names, "a list of names, or 'any'");
  return new Set(names.map((name) => checkName(name, 'effects.remoteHandlers')));
}

function ms(duration: Duration, what: string): number {
  checkDuration(duration, what);
  return toMs(duration, what);
}
