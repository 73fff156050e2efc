import type { OutboxEvent } from '../../lib/outbox/events.js';
import { OutboxRelay } from '../../lib/outbox/relay.js';
import { relayNodeId } from '../../lib/outbox/storage.js';
import { sqlRelayStorage } from '../../lib/outbox/storage.sql.js';
import { preciseNow, serve } from '../serve.js';
import type { Address } from '../server.js';
import { listening } from '../transport/storage.js';
import { openOutboxStorage, outboxOf, type OutboxStorage } from './storage.js';
import { type Publications, publishOneByOne } from './publications.js';

/** As of an app that chose none. */
const OPTIONS = {
  shards: 64,
  leaseMs: 30_000,
  publishTimeoutMs: 10_000,
  concurrency: 100,
  buffer: 4_000,
  channelsPerShard: 200,
  eventsPerChannel: 50,
  pollMs: 1_000,
  fixedRate: false,
  policies: new Map(),
  policy: { onPoison: 'block', attempts: 10, backoff: {}, crashes: 3 } as const,
};

let storage: OutboxStorage;
let relay: OutboxRelay;
/** When each event was handed to the publisher, by its mutation id; kept only while latencies are measured. */
const seen = new Map<string, number>();
let noting = false;
let acknowledged = 0;

const note = (events: readonly OutboxEvent[]): void => {
  const now = preciseNow();
  for (const { mutationId } of events) seen.set(mutationId, now);
};

serve({
  open: async ({ address, debounceMs }: { address: Address; debounceMs: number }) => {
    storage = await openOutboxStorage(address);
    const { executor, events, notifier } = storage;
    const destination = {
      name: 'broker',
      batchSize: 1,
      deliver: async (some: readonly OutboxEvent[]) => {
        if (noting) note(some);
      },
    };
    const observer = {
      error: console.error,
      delivered: ({ events: count }: { events: number }) => void (acknowledged += count),
    };
    const ports = sqlRelayStorage(executor, events, { retains: false });
    relay = new OutboxRelay(ports, [destination], notifier, observer, {
      ...OPTIONS,
      debounceMs,
      nodeId: relayNodeId('bench'),
    });
  },
  /** Returns the milliseconds from the start until so many are acknowledged. */
  drain: async ({ events }: { events: number }) => {
    const from = performance.now();
    const before = acknowledged;
    await relay.start();
    while (acknowledged - before < events) await new Promise((resolve) => setTimeout(resolve, 1));
    const ms = performance.now() - from;
    await relay.stop();
    return ms;
  },
  start: async () => {
    noting = true;
    await relay.start();
    await listening(storage);
  },
  /** Publishes from the process of the relay. */
  publish: (publications: Publications) => publishOneByOne(storage, outboxOf(storage), publications),
  seen: () => Object.fromEntries(seen),
  stop: async () => {
    await relay.stop();
    await storage.close();
  },
});
