import { checkDuration, checkWhole } from '../decorators/option-checks.js';
import { checkDestinationOverrides } from '../decorators/override-checks.js';
import { type OutboxPublisherOptions, checkOverrides } from '../decorators/decorator-options.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { EventLimits } from '../outbox/events/checked-event.js';
import type { EventCodec } from '../outbox/model/event-codec.js';
import type { OutboxOrdering } from '../outbox/model/outbox-event.js';
import { type OutboxTableNames, outboxTableNames } from '../outbox/tables/sql-outbox-tables.js';
import type { OnPoison } from '../outbox/model/destination.js';
import { type Duration, toMs } from '../time/duration.js';
import type { KnownOptions } from '../options/known-options.js';

/**
 * Events in commit order. If an option is omitted, the environment variable of the database connector named in its
 * comment applies, then the default.
 */
export interface OutboxModuleOptions {
  /** The table that events are written to. `ADBC_OUTBOX_TABLE_TABLE_NAME`. Default `'<prefix>_outbox'`. */
  table?: string;
  /** The table where relay processes register. `ADBC_NODES_TABLE_TABLE_NAME`. Default `'<prefix>_outbox_nodes'`. */
  nodesTable?: string;
  /** The schema of both tables. `ADBC_OUTBOX_TABLE_TABLE_SCHEMA`. Default: the connection's own. */
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
const POLICIES: readonly OnPoison[] = ['block', 'park', 'park-channel'];

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
  checkOneOf(onPoison, POLICIES, 'outbox.onPoison');
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

function ms(duration: Duration, what: string): number {
  checkDuration(duration, what);
  return toMs(duration, what);
}
