import { InvalidArgumentError } from '../core/errors.js';
import { checkDuration, checkedOptions, checkWhole, type KnownOptions } from '../core/options.js';
import { type Duration, toMs, usualShutdown } from '../core/time.js';
import type { AuditSink } from '../effects/entries.js';
import { checkName, type RunStatus } from '../engine/run.js';
import type { RetentionPolicy } from '../engine/upkeep.js';
import type { OnPoison } from '../outbox/destinations.js';
import type { EventCodec, EventLimits, OutboxOrdering } from '../outbox/events.js';
import { AUTO_CREATE, type OutboxTableNames, outboxTableNames } from '../outbox/tables.sql.js';
import {
  checkDestinationOverrides,
  checkEffectOptions,
  checkOverrides,
  type EffectOptions,
  ON_POISON,
  type OutboxPublisherOptions,
} from './decorator-options.js';

/**
 * Events in commit order. If an option is omitted, the environment variable of the database connector named in its
 * comment applies, then the default.
 */
export interface OutboxModuleOptions {
  /**
   * The table that events are written to. `ADBC_OUTBOX_TABLE_TABLE_NAME`; with `ADBC_OUTBOX_TABLE_AUTO_CREATE=false` the
   * module does not create it. Default `'<prefix>_outbox'`.
   */
  table?: string;
  /**
   * The table where relay processes register. `ADBC_NODES_TABLE_TABLE_NAME`, `ADBC_NODES_TABLE_AUTO_CREATE`.
   * Default `'<prefix>_outbox_nodes'`.
   */
  nodesTable?: string;
  /** The schema of both tables. `ADBC_OUTBOX_TABLE_TABLE_SCHEMA`. Default: that of the other tables. */
  schema?: string;
  /** When events get their numbers. Default `'commit'`. */
  ordering?: OutboxOrdering;
  /** The number of shards that the channels are divided into. Only 64. */
  shards?: 64;
  /** How long a relay process holds a shard without renewing its lease. Default `'30s'`. */
  leaseDuration?: Duration;
  /** How long a relay process counts as alive without a heartbeat. `ADBC_HEARTBEAT_TIMEOUT`. Default `'30s'`. */
  heartbeatTimeout?: Duration;
  /** The timeout of one `publish` call: at most half of the lease. Default `'10s'`. */
  publishTimeout?: Duration;
  /** True: polls every `pollInterval` and does not listen for notifications. `ADBC_POLL_FIXED_RATE`. Default false. */
  fixedRate?: boolean;
  /** The time between two polls. `ADBC_POLL_INTERVAL` if `fixedRate` is true. Default `'1s'`. */
  pollInterval?: Duration;
  /** How long notifications are collected before a poll. `ADBC_POLL_INTERVAL` without `fixedRate`. Default `'50ms'`. */
  debounce?: Duration;
  /**
   * How to handle an undeliverable event. Default `'block'`: its channel waits for `OutboxOperations.retry` or `skip`.
   */
  onPoison?: OnPoison;
  /** The maximum number of tries before `onPoison` applies. Default 10. */
  attempts?: number;
  /** How long published events are kept for `Outbox.channel`, from when they were written. Default 0: not at all. */
  retain?: Duration;
  /** Overrides the options of `@OutboxPublisher` and those above, by publisher or consumer name. */
  destinations?: Record<string, Omit<OutboxPublisherOptions, 'name'>>;
  /**
   * Seals the data of events, usually the same `sealedCodec` as that of the module: consumers, streams and operators
   * see it opened, publishers pass it on sealed. Every process that publishes, consumes or looks at events needs it.
   * Default: data is plain JSON.
   */
  codec?: EventCodec;
  /** `false`: this process writes events but does not publish them. Default true. */
  relay?: boolean;
}

export const OUTBOX_OPTIONS = {
  table: true,
  nodesTable: true,
  schema: true,
  ordering: true,
  shards: true,
  leaseDuration: true,
  heartbeatTimeout: true,
  publishTimeout: true,
  fixedRate: true,
  pollInterval: true,
  debounce: true,
  onPoison: true,
  attempts: true,
  retain: true,
  destinations: true,
  relay: true,
  codec: true,
} satisfies KnownOptions<OutboxModuleOptions>;

export interface OutboxSettings extends OutboxTableNames {
  ordering: OutboxOrdering;
  leaseMs: number;
  heartbeatTimeoutMs: number;
  publishTimeoutMs: number;
  fixedRate: boolean;
  pollMs: number;
  debounceMs: number;
  onPoison: OnPoison;
  attempts: number;
  retainMs: number;
  destinations: Record<string, Omit<OutboxPublisherOptions, 'name'>>;
  relay: boolean;
  createdByOthers: readonly (keyof typeof AUTO_CREATE)[];
  codec?: EventCodec;
}

/** What an event may be, and how its data is stored. The start may lower the limits of the settings. */
export const eventLimits = (settings: { limits: EventLimits; outbox: OutboxSettings | false }): EventLimits => ({
  get payloadBytes() {
    return settings.limits.payloadBytes;
  },
  codec: settings.outbox ? settings.outbox.codec : undefined,
});

type Environment = Readonly<Record<string, string | undefined>>;

const ORDERINGS: readonly OutboxOrdering[] = ['commit', 'insert', 'none'];

/** @throws InvalidArgumentError that names the option; for times also the environment variable it came from. */
export function outboxSettings(
  options: OutboxModuleOptions,
  prefix: string,
  env: Environment = process.env,
): OutboxSettings {
  const {
    ordering = 'commit',
    onPoison = 'block',
    attempts = 10,
    retain = 0,
    relay = true,
    destinations = {},
    codec,
  } = options;
  checkOneOf(ordering, ORDERINGS, 'outbox.ordering');
  checkOneOf(onPoison, ON_POISON, 'outbox.onPoison');
  checkOneOf(options.shards ?? 64, [64], 'outbox.shards');
  checkOneOf(relay, [true, false], 'outbox.relay');
  checkWhole(attempts, 'outbox.attempts');
  if (codec !== undefined && !isEventCodec(codec))
    throw new InvalidArgumentError('outbox.codec', codec, 'an object with seal and open, such as a sealedCodec');
  checkOverrides(destinations, 'outbox.destinations', checkDestinationOverrides);
  return {
    ...outboxTableNames(options, prefix, env),
    ordering,
    onPoison,
    attempts,
    relay,
    destinations,
    createdByOthers: (['table', 'nodesTable'] as const).filter((table) => flag(env, AUTO_CREATE[table]) === false),
    ...(codec && { codec }),
    ...times(options, env),
    retainMs: retain === 0 ? 0 : ms(retain, 'outbox.retain'),
  };
}

const isEventCodec = ({ seal, open }: Partial<EventCodec>): boolean =>
  typeof seal === 'function' && typeof open === 'function';

function times(options: OutboxModuleOptions, env: Environment) {
  const fixedRate = options.fixedRate ?? flag(env, 'ADBC_POLL_FIXED_RATE') ?? false;
  checkOneOf(fixedRate, [true, false], 'outbox.fixedRate');
  const polled = (name: string, isMeant: boolean) => (isMeant ? variableMs(env, name) : undefined);
  const given = (name: 'heartbeatTimeout' | 'pollInterval' | 'debounce') => {
    const { [name]: duration } = options;
    return duration === undefined ? undefined : ms(duration, `outbox.${name}`);
  };
  const leaseMs = ms(options.leaseDuration ?? '30s', 'outbox.leaseDuration');
  const publishTimeoutMs = ms(options.publishTimeout ?? '10s', 'outbox.publishTimeout');
  if (publishTimeoutMs > leaseMs / 2)
    throw new InvalidArgumentError(
      'outbox.publishTimeout',
      options.publishTimeout,
      'at most half of outbox.leaseDuration',
    );
  return {
    fixedRate,
    leaseMs,
    publishTimeoutMs,
    heartbeatTimeoutMs: given('heartbeatTimeout') ?? variableMs(env, 'ADBC_HEARTBEAT_TIMEOUT') ?? 30_000,
    pollMs: given('pollInterval') ?? polled('ADBC_POLL_INTERVAL', fixedRate) ?? 1_000,
    debounceMs: given('debounce') ?? polled('ADBC_POLL_INTERVAL', !fixedRate) ?? 50,
  };
}

/** Durations as the connector, which is written in Go, formats them: `1m0s`. */
const PARTS = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

function variableMs(env: Environment, name: string): number | undefined {
  const { [name]: text } = env;
  if (!text) return undefined;
  if (!PARTS.test(text)) return ms(text as Duration, name);
  const parts = text.match(/[\d.]+[a-z]+/g) ?? [];
  return ms(
    parts.reduce((sum, part) => sum + toMs(part as Duration, name), 0),
    name,
  );
}

const YES = ['true', 't', '1'];

function flag(env: Environment, name: string): boolean | undefined {
  const text = env[name]?.toLowerCase();
  if (!text) return undefined;
  checkOneOf(text, [...YES, 'false', 'f', '0'], name);
  return YES.includes(text);
}

function checkOneOf<T>(value: unknown, among: readonly T[], what: string): asserts value is T {
  if (among.includes(value as T)) return;
  throw new InvalidArgumentError(what, value, among.map((each) => JSON.stringify(each)).join(' or '));
}

export function ms(duration: Duration, what: string): number {
  checkDuration(duration, what);
  return toMs(duration, what);
}

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
  /** How long a shutdown waits for running calls, whose signals it aborts. Default `'1s'`, in production `'10s'`. */
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
  /**
   * What is kept of the error of a call, and told of it in traces. `'class'`: the name of its class, since messages may
   * contain data of people. `'full'`: as of the error of a step, see `ErrorsModuleOptions`. Default `'class'`.
   */
  errors?: 'class' | 'full';
  /** `false`: `Effects.requeue`, the operator and the page refuse to bring an abandoned call back. Default true. */
  requeue?: boolean;
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
  errors: true,
  requeue: true,
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
  errors: NonNullable<EffectsModuleOptions['errors']>;
  requeue: boolean;
}

/** @throws InvalidArgumentError that names the option. */
export function effectsSettings(options: EffectsModuleOptions): EffectsSettings {
  const { run = true, concurrency = 50, batchSize = 50, handlers = {}, remoteHandlers = [], audit } = options;
  const { errors = 'class', requeue = true } = options;
  for (const [name, value] of Object.entries({ run, requeue }))
    if (typeof value !== 'boolean') throw new InvalidArgumentError(`effects.${name}`, value, 'true or false');
  checkWhole(concurrency, 'effects.concurrency');
  checkWhole(batchSize, 'effects.batchSize');
  checkOverrides(handlers, 'effects.handlers', checkEffectOptions);
  if (audit !== undefined && typeof (audit as Partial<AuditSink> | null)?.append !== 'function')
    throw new InvalidArgumentError('effects.audit', audit, 'an object with a method append(events)');
  checkOneOf(errors, ['class', 'full'] as const, 'effects.errors');
  return {
    run,
    concurrency,
    batchSize,
    handlers,
    audit,
    errors,
    requeue,
    remoteHandlers: checkedNames(remoteHandlers),
    pollMs: ms(options.pollInterval ?? '1s', 'effects.pollInterval'),
    shutdownTimeoutMs: ms(options.shutdownTimeout ?? usualShutdown(), 'effects.shutdownTimeout'),
  };
}

function checkedNames(names: readonly string[] | 'any'): EffectsSettings['remoteHandlers'] {
  if (names === 'any') return names;
  if (!Array.isArray(names))
    throw new InvalidArgumentError('effects.remoteHandlers', names, "a list of names, or 'any'");
  return new Set(names.map((name) => checkName(name, 'effects.remoteHandlers')));
}

/**
 * What is deleted automatically. Whatever is omitted or `false` is kept forever; by default everything is kept.
 *
 * @example
 * DurableModule.forRoot({ retention: { completed: '30d', cancelled: '30d', failed: '90d', signals: '30d', effects: '30d' } });
 */
export interface RetentionOptions {
  /** How long completed runs and all their data are kept after their end. */
  completed?: Duration | false;
  failed?: Duration | false;
  cancelled?: Duration | false;
  /** These wait for `retry`: once they are deleted, nothing shows which steps were not compensated. */
  compensation_failed?: Duration | false;
  /**
   * How long signals to keys are kept, consumed or not; and signals to runs that were consumed, or that nobody will
   * consume: the run does not exist, or was completed or cancelled at least as long ago.
   */
  signals?: Duration | false;
  /** How long effect calls are kept after they have succeeded. */
  effects?: Duration | false;
  /** How long abandoned effect calls are kept: once deleted, they cannot be requeued. */
  abandonedEffects?: Duration | false;
  /** How long the audit log of effects is kept. */
  effectAudit?: Duration | false;
  /** How long dead letters of the outbox are kept after they were set aside. Requeued ones stay until delivered. */
  deadLetters?: Duration | false;
  /** How long the acts of operators are kept, of all namespaces. */
  acts?: Duration | false;
  /** How long what processes counted is kept, for the graphs of the dashboard. At most 7 days, which is the default. */
  samples?: Duration;
  /** The maximum number of runs, or of other rows, deleted per transaction. Default 500. */
  batchSize?: number;
  /** The interval between two deletion passes. Default `'1m'`. */
  every?: Duration;
}

export const RETENTION_OPTIONS = {
  completed: true,
  failed: true,
  cancelled: true,
  compensation_failed: true,
  signals: true,
  effects: true,
  abandonedEffects: true,
  effectAudit: true,
  deadLetters: true,
  acts: true,
  samples: true,
  batchSize: true,
  every: true,
} satisfies KnownOptions<RetentionOptions>;

const STATUSES = ['completed', 'failed', 'cancelled', 'compensation_failed'] as const satisfies RunStatus[];
type Other = 'signals' | 'effects' | 'abandonedEffects' | 'effectAudit' | 'deadLetters' | 'acts';

/** The policy with what is deleted outside of the engine: how long it is kept, in ms; null: forever. */
export type RetentionSettings = RetentionPolicy & Record<`${Other}Ms`, number | null> & { samplesMs: number };

const MOST_SAMPLES_MS = 7 * 86_400_000;

/** @throws InvalidArgumentError that names the option. */
export function retentionOf(options: RetentionOptions): RetentionSettings {
  // A single time would not say which ends it is about.
  if (typeof options !== 'object' || options === null)
    throw new InvalidArgumentError(
      'retention',
      options,
      "an object that says what is kept for how long, such as { completed: '30d', failed: '90d' }",
    );
  checkedOptions(options, RETENTION_OPTIONS, 'retention');
  const { batchSize = 500, every = '1m', samples = MOST_SAMPLES_MS } = options;
  checkWhole(batchSize, 'retention.batchSize');
  const keptMs = (name: (typeof STATUSES)[number] | Other): number | null => {
    const { [name]: keep = false } = options;
    return keep === false ? null : ms(keep, `retention.${name}`);
  };
  const kept = STATUSES.flatMap((status) => {
    const keepMs = keptMs(status);
    return keepMs === null ? [] : [[status, keepMs] as const];
  });
  return {
    keepMs: Object.fromEntries(kept),
    signalsMs: keptMs('signals'),
    effectsMs: keptMs('effects'),
    abandonedEffectsMs: keptMs('abandonedEffects'),
    effectAuditMs: keptMs('effectAudit'),
    deadLettersMs: keptMs('deadLetters'),
    actsMs: keptMs('acts'),
    samplesMs: samplesMs(samples),
    batchSize,
    everyMs: ms(every, 'retention.every'),
  };
}

function samplesMs(kept: Duration): number {
  const keptMs = ms(kept, 'retention.samples');
  // One row per process and minute: more would be read for each graph.
  if (keptMs > MOST_SAMPLES_MS) throw new InvalidArgumentError('retention.samples', kept, 'at most 7 days');
  return keptMs;
}
