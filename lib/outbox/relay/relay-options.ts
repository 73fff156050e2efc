import type { Clock } from '../../time/clock.js';
import type { PoisonPolicy } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';

/** Provides notifications of new events. They may be lost, so the relay also polls. */
export interface RelaySignals {
  /** True while hints from other processes arrive. */
  readonly live: boolean;
  /** `listener` is also called whenever notifications may have been lost. Returns a function to unsubscribe. */
  subscribe(topic: string, listener: () => void): () => void;
}

/** Receives events of a relay. The relay waits for `publishing` alone. */
export interface RelayObserver {
  error?(error: unknown): void;
  /** Shards whose leases expired or were taken by other processes. */
  lost?(shards: readonly { destination: string; shard: number }[]): void;
  failed?(failure: ChannelFailure & { delayMs: number }): void;
  /** A channel was blocked, or an event set aside, by its policy. */
  poisoned?(failure: ChannelFailure & { outcome: 'block' | 'park' | 'park-channel' }): void;
  delivered?(delivery: { destination: string; events: number }): void;
  /** An event appeared with a lower number than one already delivered of its channel. */
  late?(event: { destination: string; channel: string; sequenceId: string }): void;
  /** Another server has taken over, and the numbers could not jump beyond all that were assigned. */
  numbersStay?(why: 'denied' | 'narrow'): void;
  /** Calls `publish`, which passes these events to the destination. */
  publishing?<T>(
    batch: { destination: string; events: readonly OutboxEvent[] },
    publish: () => Promise<T>,
  ): T | Promise<T>;
  fetched?(look: { destination: string; events: number }): void;
}

export interface ChannelFailure {
  destination: string;
  channel: string;
  sequenceId: string;
  error: string;
}

/** Whether this process may begin anything new. */
export interface RelayIntake {
  readonly isDraining: boolean;
  /** Returns a function to unsubscribe. */
  onChanged(listener: () => void): () => void;
}

export interface RelayOptions {
  /** Unique per life of the process: see `relayNodeId`. */
  nodeId: string;
  /** The number of shards per destination. */
  shards: number;
  /** How long a process holds a shard without renewing its lease. Renewed every third of it. */
  leaseMs: number;
  /** How long the process counts as alive without a heartbeat. Default: `leaseMs`. */
  heartbeatTimeoutMs?: number;
  /** The timeout of one call of a destination; at most half of the lease. */
  publishTimeoutMs: number;
  /** The maximum number of concurrent channels per destination. */
  concurrency: number;
  /** The maximum number of events in memory per destination. */
  buffer: number;
  /** The limits of one poll: channels per shard, and events per channel. */
  channelsPerShard: number;
  eventsPerChannel: number;
  /** The poll interval without notifications; ten times as long while they arrive and the last poll found nothing. */
  pollMs: number;
  /** Notifications within this time cause one poll. */
  debounceMs: number;
  /** Ignores notifications: polls once every `pollMs`. */
  fixedRate: boolean;
  /** Policies by destination name; all others use `policy`. */
  policies: ReadonlyMap<string, PoisonPolicy>;
  policy: PoisonPolicy;
  /** Whether this process must take no shards, and publish nothing but what it has begun. Default: never. */
  intake?: RelayIntake | undefined;
  /** False: of an error only its class is stored, since its message may contain data that is sealed. Default true. */
  keepsMessages?: boolean;
  /** Measures elapsed time. Default: a clock that also counts while the process is suspended. */
  elapsed?: Clock;
}
