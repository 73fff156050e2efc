import type { Clock } from '../../time/clock.js';
import type { PoisonPolicy } from '../model/destination.js';

/** Where hints come from that there is something to deliver. Polling stands behind them. */
export interface RelaySignals {
  /** True while hints from other processes arrive. */
  readonly live: boolean;
  /** `listener` is also called whenever hints may have been lost. Returns a function that ends it. */
  subscribe(topic: string, listener: () => void): () => void;
}

/** What a relay tells about itself. Nobody waits for it. */
export interface RelayObserver {
  error?(error: unknown): void;
  /** Shards whose lease went to somebody else, or ran out. */
  lost?(shards: readonly { destination: string; shard: number }[]): void;
  failed?(failure: ChannelFailure & { delayMs: number }): void;
  /** A channel stands still, or an event was put aside, as its policy says. */
  poisoned?(failure: ChannelFailure & { outcome: 'block' | 'park' | 'park-channel' }): void;
  delivered?(delivery: { destination: string; events: number }): void;
  /** An event came with a number below one that was delivered of its channel before. */
  late?(event: { destination: string; channel: string; sequenceId: string }): void;
  /** Another server has taken over, and numbers could not be made to go on behind all that were given. */
  numbersStay?(why: 'denied' | 'narrow'): void;
  fetched?(look: { destination: string; events: number }): void;
}

export interface ChannelFailure {
  destination: string;
  channel: string;
  sequenceId: string;
  error: string;
}

export interface RelayOptions {
  /** Of this life of the process: see `relayNodeId`. */
  nodeId: string;
  /** In how many parts channels are published. */
  shards: number;
  /** For how long a shard is a process's without a word from it. Renewed every third of it. */
  leaseMs: number;
  /** For how long the process counts as alive without a word from it. Default: as its shards. */
  heartbeatTimeoutMs?: number;
  /** How long one call of a destination may take; at most half of the lease. */
  publishTimeoutMs: number;
  /** The most channels of one destination that are delivered at once. */
  concurrency: number;
  /** The most events that are in memory for one destination. */
  buffer: number;
  /** Channels looked at in each shard, and events read of each, by one look. */
  channelsPerShard: number;
  eventsPerChannel: number;
  /** How often is looked without a hint; ten times as rarely while hints arrive and there was nothing. */
  pollMs: number;
  /** Hints within so long of one another make one look. */
  debounceMs: number;
  /** Hints are not listened to: one look in each `pollMs`. */
  fixedRate: boolean;
  /** By the name of a destination; the rest have `policy`. */
  policies: ReadonlyMap<string, PoisonPolicy>;
  policy: PoisonPolicy;
  /** Tells how much time has passed. Default: this machine's, which goes on while the process is stopped. */
  elapsed?: Clock;
}
