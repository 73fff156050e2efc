import type { Provider } from '@nestjs/common';
import type { DurableSettings } from './durable-options.js';
import { DurableLog } from './durable.log.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE, TRACE_API } from './durable.tokens.js';
import { type TraceApi, traceContextOf } from './trace-context.js';
import { Intake } from '../holds/intake.js';
import { nodeName } from './node-name.js';
import { DeclaredDestinations, type OutboxParts, OutboxRole } from './outbox-role.js';
import { eventLimits, type OutboxSettings, outboxSettings } from './outbox-options.js';
import { refusing } from './refusing-port.js';
import type { Storage } from './storage.providers.js';
import { OutboxOperations } from '../outbox/client/outbox-operations.js';
import { Outbox } from '../outbox/client/outbox.js';
import type { OutboxStorage } from '../outbox/compose/outbox-storage.js';
import { OutboxFeed } from '../outbox/live/outbox-feed.js';
import { OutboxPruner } from '../outbox/live/outbox-pruner.js';
import { OutboxRelay } from '../outbox/relay/outbox-relay.js';
import type { RelayObserver, RelayOptions } from '../outbox/relay/relay-options.js';
import { relayNodeId } from '../outbox/relay/relay-storage.js';
import type { OutboxEvent } from '../outbox/model/outbox-event.js';
import { Telemetry } from '../telemetry/telemetry.js';
import type { TraceCarrier, TracedWork } from '../telemetry/tracing.js';

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
  const options = { ...relayOptions(outbox, node), intake };
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
  const { leaseMs, heartbeatTimeoutMs, publishTimeoutMs, pollMs, debounceMs, fixedRate, onPoison, attempts, codec } =
    settings;
  return {
    nodeId,
    shards: 64,
    leaseMs,
    heartbeatTimeoutMs,
    publishTimeoutMs,
    pollMs,
    debounceMs,
    fixedRate,
    policies: new Map(),
    keepsMessages: codec === undefined,
    ...BOUNDS,
    policy: { onPoison, attempts, backoff: BACKOFF, crashes: CRASHES },
  };
}

const refused = <Port extends object>() => refusing<Port>('This app has no outbox: its module sets `outbox: false`');

/** Ports of an outbox that was turned off. */
const NO_OUTBOX: OutboxStorage = {
  writer: refused(),
  inbox: refused(),
  reader: refused(),
  snapshots: refused(),
  pruning: refused(),
  erasure: refused(),
  relay: {
    nodes: refused(),
    destinations: refused(),
    leases: refused(),
    source: refused(),
    acknowledgements: refused(),
    deadLetters: refused(),
    insight: refused(),
    deadLetterStory: refused(),
    deadLetterRemoval: refused(),
    acts: refused(),
  },
  signals: refused(),
};
