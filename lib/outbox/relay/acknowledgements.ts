import type { ChannelState } from './event-source.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { ShardLease } from './shard-leases.js';

/** Everything about one channel goes under the lease of its shard. */
export interface ChannelWrite {
  readonly lease: ShardLease;
  readonly channel: string;
}

export interface Acknowledged extends ChannelWrite {
  /** The exact numbers that were delivered, in order. */
  readonly ids: readonly string[];
  /** Its row of failures or crashes is to go. */
  readonly clears: boolean;
}

export interface FailedHead extends ChannelWrite {
  /** How much the failure counts: 0 when it was told to come again later. */
  readonly counts: 0 | 1;
  readonly delayMs: number;
  /** The class of the error and a part of its message. */
  readonly error: string;
  /** True: nothing more until somebody decides. */
  readonly blocks: boolean;
}

export interface DeadLettered extends ChannelWrite {
  readonly event: OutboxEvent;
  readonly attempts: number;
  readonly reason: 'failed' | 'crashed' | 'refused' | 'behind' | 'skipped';
  readonly error: string | null;
  /** True: whatever follows in its channel joins it. */
  readonly parksChannel: boolean;
  /** True: it came back from the dead, so it is no longer in the outbox. */
  readonly requeued: boolean;
}

/**
 * What becomes of delivered and of failed events. Each writes under the lease of its shard, as checked by the same
 * statement or under its lock, and returns for each item whether it was written: false says that the shard is somebody
 * else's, or that an event was no longer there.
 */
export interface Acknowledgements {
  /**
   * These have been delivered. With one destination they are removed, or marked when they are to be retained; the
   * newest event of all stays as a mark, so that the greatest number never decreases. With several the position moves.
   */
  acknowledge(owner: string, items: readonly Acknowledged[]): Promise<boolean[]>;
  /**
   * The first event of each channel was not delivered. Crashes are forgotten: nobody died. Where dead events of the
   * channel have been given back meanwhile it is not blocked: they go first, and then this is tried anew.
   */
  fail(owner: string, items: readonly FailedHead[]): Promise<boolean[]>;
  /** Counts a crash in advance, before a delivery that may be the one that kills. Returns the counts; undefined: not ours. */
  countCrash(owner: string, items: readonly ChannelWrite[]): Promise<(number | undefined)[]>;
  /**
   * Puts events among the dead and acknowledges them, in one commit. Where dead events of the channel have been given
   * back meanwhile, what would queue behind them or park their channel is given back with them.
   */
  deadLetter(owner: string, items: readonly DeadLettered[]): Promise<boolean[]>;
  /**
   * Events that came back from the dead have been delivered: what was counted of them is not the next one's. After the
   * last of a channel that is being requeued what stands in its way is gone, unless others there are still queued behind
   * a dead one. Without ids only that is looked at.
   */
  acknowledgeRequeued(owner: string, items: readonly Acknowledged[]): Promise<boolean[]>;
  /** With several destinations: finishes what all have passed and nobody finished, in these shards. Returns how many. */
  tidy(shards: readonly number[]): Promise<number>;
}

/**
 * Whether an event that is to join the dead is given back with those of its channel that are being given back: it was
 * under way when somebody did that, and its own turn comes after theirs. As a dead one it would park the channel again
 * once they are through. One that was given back itself has had its turn.
 */
export const followsRequeued = (item: DeadLettered, state: ChannelState | null | undefined): boolean =>
  state === 'requeued' && !item.requeued && (item.reason === 'behind' || item.parksChannel);
