import type { OutboxEvent } from '../outbox/model/outbox-event.js';
import type { AcquiredShard, ShardLease } from '../outbox/relay/shard-leases.js';
import type { ChannelBatch } from '../outbox/relay/event-source.js';
import type { RelayStorage } from '../outbox/relay/relay-storage.js';
import type { ManualClock } from '../time/clock.js';

/** An empty outbox with a clock that the test controls. */
export interface OutboxRelayFixture {
  storage: RelayStorage;
  clock: ManualClock;
  /** Writes events in order, and returns their numbers. */
  write(...channels: string[]): Promise<string[]>;
  /** The greatest number in the table of events. */
  newest(): Promise<string>;
  shardOf(channel: string): number;
}

export const LEASE_MS = 30_000;
export const SHARDS = 64;
const ALL = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Takes every shard of a destination. */
export async function takeAll(
  { storage }: OutboxRelayFixture,
  owner = 'me',
  destination = 'broker',
): Promise<Map<number, AcquiredShard>> {
  await storage.destinations.register([destination], SHARDS);
  const taken = await storage.leases.acquire(owner, { destination, wanted: ALL, strays: 0, leaseMs: LEASE_MS });
  return new Map(taken.map((lease) => [lease.shard, lease]));
}

export async function fetchAll({ storage }: OutboxRelayFixture, more: object = {}): Promise<ChannelBatch[]> {
  const shards = ALL.map((shard) => ({ shard, after: '' }));
  const request = { destination: 'broker', shards, channels: 200, perChannel: 50, limit: 5_000, busy: [], ...more };
  const { batches } = await storage.source.fetch(request);
  return batches.sort((a, b) => (a.channel < b.channel ? -1 : 1));
}

export const idsOf = (events: readonly OutboxEvent[]): string[] => events.map(({ sequenceId }) => sequenceId);

/** Channels and numbers, for comparison. */
export const shown = (batches: readonly ChannelBatch[]): Record<string, string[]> =>
  Object.fromEntries(batches.map(({ channel, events }) => [channel, idsOf(events)]));

export interface Ack {
  lease: ShardLease;
  channel: string;
  ids: string[];
  clears: boolean;
}

export function ackOf(
  fixture: OutboxRelayFixture,
  leases: ReadonlyMap<number, ShardLease>,
  channel: string,
  ids: string[],
): Ack {
  return { lease: leases.get(fixture.shardOf(channel))!, channel, ids, clears: true };
}

export const failure = (delayMs: number, more: object = {}) => ({
  counts: 1 as const,
  delayMs,
  error: 'Error: no',
  blocks: false,
  ...more,
});

export const deadLettered = (event: OutboxEvent, more: object = {}) => ({
  event,
  attempts: 3,
  reason: 'failed' as const,
  error: 'Error: no',
  parksChannel: false,
  requeued: false,
  ...more,
});
