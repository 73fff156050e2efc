import { Injectable, type Provider } from '@nestjs/common';
import { type Held, Intake } from '../acts/holds.js';
import { ConfigurationError } from '../core/errors.js';
import type { Loops } from '../core/loops.js';
import { Telemetry, type TraceCarrier, type TracedWork } from '../core/telemetry.js';
import { systemClock, toMs, usualShutdown } from '../core/time.js';
import { Effects, type OperationRules } from '../effects/effects.js';
import { EFFECT_METHODS, type EffectStorage } from '../effects/entries.js';
import { EffectHandlers, EffectListeners } from '../effects/handlers.js';
import { EffectRunner } from '../effects/runner.js';
import { EffectCompletions } from '../engine/signals.js';
import { OutboxFeed, OutboxPruner } from '../outbox/channels.js';
import {
  ConsumerDestination,
  type Destination,
  type RelayObserver,
  type RelayOptions,
} from '../outbox/destinations.js';
import type { OutboxEvent } from '../outbox/events.js';
import { Outbox, OutboxOperations } from '../outbox/outbox.js';
import { OutboxRelay } from '../outbox/relay.js';
import {
  OUTBOX_METHODS,
  type OutboxStorage,
  RELAY_METHODS,
  relayNodeId,
  type RelayStorage,
} from '../outbox/storage.js';
import { contextsOf } from './engine.providers.js';
import { DurableLog } from './log.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE, type DurableSettings, nodeName, TRACE_API } from './options.js';
import { tellingRuns } from './outgoing.js';
import {
  type EffectsSettings,
  effectsSettings,
  eventLimits,
  type OutboxSettings,
  outboxSettings,
} from './slice-options.js';
import { refusing, refusingAll, type Storage } from './storage.providers.js';
import { type TraceApi, traceContextOf } from './trace-context.js';

/** The publishers and consumers of this process, known once the container has been explored. */
@Injectable()
export class DeclaredDestinations implements Iterable<Destination> {
  private destinations: readonly Destination[] = [];

  /** @throws ConfigurationError when two have the same name. */
  serve(destinations: readonly Destination[]): void {
    const names = new Set<string>();
    for (const { name } of destinations) {
      if (names.has(name))
        throw new ConfigurationError(`A hook and another destination of the outbox are named "${name}": rename one`);
      names.add(name);
    }
    this.destinations = destinations;
  }

  /** Whether any of them wants ends or blocks of runs. */
  get hasHooks(): boolean {
    return this.destinations.some(({ wants }) => wants !== undefined);
  }

  get count(): number {
    return this.destinations.length;
  }

  /** Whether any of them stores the greatest number of each channel that it has received. */
  get keepPositions(): boolean {
    return this.count > 1 || this.destinations.some((destination) => destination instanceof ConsumerDestination);
  }

  [Symbol.iterator](): Iterator<Destination> {
    return this.destinations[Symbol.iterator]();
  }
}

/** An event that becomes visible after a later one would be taken for a duplicate. */
const UNORDERED =
  "outbox.ordering 'none' is for an app with one @OutboxPublisher, no @OnOutboxMessage and no hooks: consumers, and publishers " +
  "next to others, store their positions and would miss events. Use 'commit' or 'insert'";

interface OutboxParts {
  outbox: Outbox;
  relay: OutboxRelay;
  operations: OutboxOperations;
  feed: OutboxFeed;
  pruner: OutboxPruner;
}

/** The outbox of a process: writes events, publishes them, and serves channel streams. */
export class OutboxRole {
  private publishes = false;
  private prunes = false;
  private streams = false;

  constructor(
    readonly parts: OutboxParts,
    /** False: the outbox is turned off. */
    private readonly settings: OutboxSettings | false,
    private readonly destinations: DeclaredDestinations,
    private readonly log: DurableLog,
  ) {}

  /** Makes hooks known, before the engine of this process ends a run. */
  async register(): Promise<void> {
    if (this.settings !== false && this.settings.relay && this.destinations.hasHooks) await this.parts.relay.register();
  }

  /** Of what was started. */
  get loops(): Loops {
    const { relay, feed, pruner } = this.parts;
    return { ...relay.loops, ...(this.streams && feed.loops), ...(this.prunes && pruner.loops) };
  }

  /**
   * @throws OutboxOccupiedError when another program publishes this outbox.
   * @throws ConfigurationError when the ordering would make destinations miss events.
   */
  async start(): Promise<void> {
    const { settings, destinations, parts } = this;
    if (settings === false) return;
    const { relay, retainMs, ordering } = settings;
    if (ordering === 'none' && destinations.keepPositions) throw new ConfigurationError(UNORDERED);
    this.publishes = relay && destinations.count > 0;
    this.prunes = relay && (destinations.count > 0 || retainMs > 0);
    if (this.publishes) await parts.relay.start();
    this.streams = retainMs > 0;
    if (this.streams) parts.feed.start();
    if (this.prunes) parts.pruner.start();
    if (relay && !this.publishes && retainMs > 0) this.log.nobodyPublishes();
  }

  /** Ends streams and waits for deliveries in progress. */
  async stop(): Promise<void> {
    const { feed, pruner, relay } = this.parts;
    await feed.stop();
    // Even if it was not started: the app may be publishing manually.
    await Promise.all([this.prunes && pruner.stop(), relay.stop()]);
  }
}

/** Forwards notifications of a relay to telemetry. */
const outboxObserver = (telemetry: Telemetry): RelayObserver => ({
  error: (error) => telemetry.emit('loop.error', { loop: 'the outbox', error }),
  lost: (shards) => telemetry.emit('outbox.shards-lost', { shards: shards.length }),
  failed: ({ delayMs, ...failure }) => telemetry.emit('outbox.failed', { ...failure, retryInMs: delayMs }),
  poisoned: (failure) => telemetry.emit('outbox.poisoned', failure),
  delivered: (delivery) => telemetry.emit('outbox.delivered', delivery),
  numbersStay: (why) => telemetry.emit('outbox.numbers-stay', { why }),
  late: (event) => telemetry.emit('outbox.late', event),
  publishing: ({ destination: name, events }, publish) =>
    telemetry.around('publish', () => ({ name, count: events.length, ...originsOf(events) }), publish),
});

/** Events of the same span continue its trace; a mixed batch has only links. */
function originsOf(events: readonly OutboxEvent[]): Pick<TracedWork, 'carrier' | 'links'> {
  const links = events.map(({ headers }): TraceCarrier => headers ?? {});
  const [carrier] = links;
  const isOne = links.every(({ traceparent }) => traceparent === carrier?.traceparent);
  return { links, ...(isOne && { carrier }) };
}

/** The limits per destination: measured with 2,000 channels on two cores. */
const BOUNDS = { concurrency: 100, buffer: 4_000, channelsPerShard: 200, eventsPerChannel: 50 } as const;
const BACKOFF = { delay: '1s', factor: 2, maxDelay: '5m' } as const;
/** The maximum number of processes that an event may crash. */
const CRASHES = 3;
/** Without retention, events left by killed processes are searched for at this interval. */
const LEFTOVERS_MS = 600_000;

export const outboxProviders: Provider[] = [
  DeclaredDestinations,
  {
    provide: OutboxRole,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE, Telemetry, DeclaredDestinations, DurableLog, Intake, TRACE_API],
    useFactory: createOutbox,
  },
  { provide: Outbox, inject: [OutboxRole], useFactory: ({ parts }: OutboxRole) => parts.outbox },
  { provide: OutboxRelay, inject: [OutboxRole], useFactory: ({ parts }: OutboxRole) => parts.relay },
  { provide: OutboxOperations, inject: [OutboxRole], useFactory: ({ parts }: OutboxRole) => parts.operations },
];

function createOutbox(
  settings: DurableSettings,
  storage: Storage,
  telemetry: Telemetry,
  destinations: DeclaredDestinations,
  log: DurableLog,
  intake: Intake,
  traces: TraceApi | undefined,
): OutboxRole {
  // Without an outbox its classes can still be injected; they throw when they are used.
  const ports = storage.outbox ?? NO_OUTBOX;
  const parts = partsOf(ports, settings, telemetry, destinations, intake, traces);
  return new OutboxRole(parts, settings.outbox, destinations, log);
}

function partsOf(
  ports: OutboxStorage,
  settings: DurableSettings,
  telemetry: Telemetry,
  destinations: DeclaredDestinations,
  intake: Intake,
  traces: TraceApi | undefined,
): OutboxParts {
  const { prefix } = settings;
  const outbox = settings.outbox || outboxSettings({}, prefix, {});
  const { retainMs, codec } = outbox;
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'the outbox', error });
  const node = relayNodeId(nodeName(settings).id, settings.backend ? undefined : prefix);
  const options = { ...relayOptions(outbox, node), errors: settings.errors, intake };
  const feed = new OutboxFeed(ports.reader, { onError, hints: ports.signals, ...(codec && { codec }) });
  const live = { feed, snapshots: ports.snapshots, retains: retainMs > 0 };
  return {
    outbox: new Outbox(ports.writer, eventLimits(settings), live, () => traceContextOf(traces)),
    relay: new OutboxRelay(ports.relay, destinations, ports.signals, outboxObserver(telemetry), options),
    operations: new OutboxOperations(ports.relay, () => ports.writer.wake([]), codec),
    feed,
    pruner: new OutboxPruner(ports.pruning, {
      retainMs,
      onError,
      sweeps: () => destinations.hasHooks,
      ...(retainMs === 0 && { pauseMs: LEFTOVERS_MS }),
    }),
  };
}

function relayOptions(settings: OutboxSettings, nodeId: string): RelayOptions {
  const { leaseMs, heartbeatTimeoutMs, publishTimeoutMs, pollMs, debounceMs, fixedRate } = settings;
  const { onPoison, attempts, codec } = settings;
  return {
    nodeId,
    leaseMs,
    heartbeatTimeoutMs,
    publishTimeoutMs,
    shutdownMs: Math.min(publishTimeoutMs, toMs(usualShutdown())),
    pollMs,
    debounceMs,
    fixedRate,
    keepsMessages: codec === undefined,
    ...BOUNDS,
    policy: { onPoison, attempts, backoff: BACKOFF, crashes: CRASHES },
  };
}

const OFF = 'This app has no outbox: its module sets `outbox: false`';

/** Ports of an outbox that was turned off. */
export const NO_OUTBOX: OutboxStorage = {
  ...refusingAll<Omit<OutboxStorage, 'relay' | 'signals'>>(OUTBOX_METHODS, OFF),
  relay: refusingAll<RelayStorage>(RELAY_METHODS, OFF),
  signals: refusing(OFF),
};

export interface EffectsParts {
  effects: Effects;
  runner: EffectRunner;
  /** Complete once the container has been explored. */
  handlers: EffectHandlers;
  listeners: EffectListeners;
  /** The rules for enqueued operations. */
  rules: OperationRules;
}

/** The effects of a process: enqueues calls, and makes those that it has handlers for. */
export class EffectsRole {
  constructor(
    readonly parts: EffectsParts,
    /** False: effects are turned off. */
    private readonly settings: EffectsSettings | false,
  ) {}

  start(): void {
    const { runner, handlers } = this.parts;
    if (this.settings !== false && this.settings.run && handlers.all().length > 0) runner.start();
  }

  get loops(): Loops {
    return this.parts.runner.loops;
  }

  /** Waits for calls to end or be abandoned. */
  stop(): Promise<void> {
    return this.parts.runner.stop();
  }
}

export const effectsProviders: Provider[] = [
  {
    provide: EffectsRole,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE, Telemetry, Intake, TRACE_API],
    useFactory: createEffects,
  },
  { provide: Effects, inject: [EffectsRole], useFactory: ({ parts }: EffectsRole) => parts.effects },
  { provide: EffectRunner, inject: [EffectsRole], useFactory: ({ parts }: EffectsRole) => parts.runner },
];

function createEffects(
  settings: DurableSettings,
  storage: Storage,
  telemetry: Telemetry,
  held: Intake,
  traces: TraceApi | undefined,
): EffectsRole {
  // Without effects its classes can still be injected; they throw when they are used.
  const ports = storage.effects ?? NO_EFFECTS;
  const effects = settings.effects || effectsSettings({});
  const { clock = systemClock, codec, limits } = settings;
  const [handlers, listeners] = [new EffectHandlers(), new EffectListeners()];
  const knows = (name: string) => !settings.effects || handlers.has(name) || isKnownElsewhere(name, effects);
  // A getter, because the start may lower the limit.
  const rules = {
    codec,
    knows,
    clock,
    caller: () => traceContextOf(traces),
    requeues: effects.requeue,
    get payloadBytes() {
      return limits.payloadBytes;
    },
  };
  const runner = createEffectRunner(settings, storage, telemetry, { handlers, listeners }, held);
  const parts = { effects: new Effects(ports, rules), runner, handlers, listeners, rules };
  return new EffectsRole(parts, settings.effects);
}

/** Completions resume waiting runs in the same transaction. */
export function createEffectRunner(
  settings: DurableSettings,
  storage: Pick<Storage, 'effects' | 'engine'>,
  telemetry: Telemetry,
  { handlers, listeners }: Pick<EffectsParts, 'handlers' | 'listeners'>,
  held?: Held,
): EffectRunner {
  const ports = storage.effects ?? NO_EFFECTS;
  const { concurrency, batchSize, pollMs, shutdownTimeoutMs, errors } = settings.effects || effectsSettings({});
  const settlements = tellingRuns(ports, new EffectCompletions(storage.engine));
  return new EffectRunner({ ...ports, settlements }, handlers, listeners, {
    nodeId: nodeName(settings).id,
    concurrency,
    batchSize,
    pollMs,
    shutdownTimeoutMs,
    codec: settings.codec,
    ...(errors === 'full' && { errors: settings.errors }),
    telemetry,
    held,
    carriedBy: contextsOf(storage.engine.catalog),
  });
}

const isKnownElsewhere = (name: string, { handlers, remoteHandlers }: EffectsSettings): boolean =>
  remoteHandlers === 'any' || remoteHandlers.has(name) || Object.hasOwn(handlers, name);

/** Ports of effects that were turned off. */
export const NO_EFFECTS = refusingAll<EffectStorage>(
  EFFECT_METHODS,
  'This app has no effects: its module sets `effects: false`',
);
