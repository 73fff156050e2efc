import { isA } from '../core/brand.js';
import { DatabaseError, NonRetryablePublishError, ProcessEndingError, PublishTimeoutError } from '../core/errors.js';
import { Cancellation, untilBack } from '../core/leasing.js';
import { Batcher, howManyFit } from '../core/loops.js';
import { idempotencyKeyOf } from '../core/protocol.js';
import { readably } from '../core/thrown.js';
import { type Clock, stopwatch } from '../core/time.js';
import type { ErrorRules } from '../core/wire-error.js';
import {
  type Destination,
  errorNote,
  isDeadly,
  type PoisonPolicy,
  type RelayObserver,
  type Verdict,
  verdictOn,
} from './destinations.js';
import type { OutboxEvent } from './events.js';
import type { HeldShard, HeldShards, ShardLease } from './shards.js';

/**
 * The state of a channel. `blocked`: it waits for `retry` or `skip`. `parked`: new events become dead letters.
 * `requeued`: requeued dead letters are delivered first.
 */
export type ChannelState = 'blocked' | 'parked' | 'requeued';

/** The first pending events of one channel, in order. */
export interface ChannelBatch {
  readonly shard: number;
  readonly channel: string;
  readonly events: readonly OutboxEvent[];
  /** How often its first event has failed. */
  readonly attempts: number;
  /** How many processes have begun to deliver it and may have died. */
  readonly crashes: number;
  /** These events must become dead letters instead of being delivered. */
  readonly parked: boolean;
}

export interface FetchRequest {
  destination: string;
  /** Each with the channel after which to start; `''` for the first. */
  shards: readonly { readonly shard: number; readonly after: string }[];
  /** The maximum number of channels to read per shard. */
  channels: number;
  /** The maximum number of events per channel. */
  perChannel: number;
  /** The approximate maximum number of events in total. */
  limit: number;
  /** Channels to skip. */
  busy: readonly string[];
}

export interface Fetched {
  batches: ChannelBatch[];
  /** The last channel read of each shard, or `''` at its end. Shards that were not reached are omitted. */
  after: ReadonlyMap<number, string>;
}

/** Reads events to deliver. A long or blocked channel does not slow others down. */
export interface EventSource {
  /**
   * The first events of channels that have some and are neither blocked nor waiting for a retry. Reads at most
   * `perChannel` events of a channel.
   */
  fetch(request: FetchRequest): Promise<Fetched>;
  /**
   * Requeued dead letters, by channel and in order, of at most `channels` channels of these shards. A requeued channel
   * without events is included too, for example when a process died before it cleared the state.
   */
  requeued(destination: string, shards: readonly number[], channels: number): Promise<ChannelBatch[]>;
}

/** Every write about a channel needs the lease of its shard. */
export interface ChannelWrite {
  readonly lease: ShardLease;
  readonly channel: string;
}

export interface Acknowledged extends ChannelWrite {
  /** The exact numbers that were delivered, in order. */
  readonly ids: readonly string[];
  /** Whether its row of failures or crashes must be deleted. */
  readonly clears: boolean;
}

export interface FailedHead extends ChannelWrite {
  /** How much the failure counts: 0 for a `RetryAfterError`. */
  readonly counts: 0 | 1;
  readonly delayMs: number;
  /** The class of the error and a part of its message. */
  readonly error: string;
  /** Whether the channel is blocked until it is retried or skipped. */
  readonly blocks: boolean;
  /** The other processes that died, for which it is blocked. They stay listed: one that comes back unblocks it. */
  readonly died?: readonly string[];
}

/** A delivery that may end the process. */
export interface DangerousDelivery extends ChannelWrite {
  /** The process that had the shard before and died, perhaps while it delivered the same event. */
  readonly abandonedBy?: string | undefined;
}

export interface DeadLettered extends ChannelWrite {
  readonly event: OutboxEvent;
  readonly attempts: number;
  readonly reason: 'failed' | 'crashed' | 'refused' | 'behind' | 'skipped';
  readonly error: string | null;
  /** Whether all later events of its channel are set aside too. */
  readonly parksChannel: boolean;
  /** Whether it was requeued, so that it is no longer in the outbox. */
  readonly requeued: boolean;
}

/**
 * Writes the results of deliveries. Each write needs the lease of its shard, checked by the same statement or under its
 * lock. Returns for each item whether it was written: false means that another process holds the shard, or that an
 * event no longer existed.
 */
export interface Acknowledgements {
  /**
   * Records deliveries. With one destination, events are removed, or marked if they are retained; the newest event of
   * all is kept as a mark, so that the greatest number never decreases. With several, the position moves.
   */
  acknowledge(owner: string, items: readonly Acknowledged[]): Promise<boolean[]>;
  /**
   * Records that the first event of each channel was not delivered. Resets crashes, because no process died. If dead
   * letters of the channel were requeued meanwhile, it is not blocked: they are delivered first, then this event.
   */
  fail(owner: string, items: readonly FailedHead[]): Promise<boolean[]>;
  /**
   * Lists `owner` as a process that the first event of the channel may have ended, before it is delivered. If none is
   * listed yet, who had the shard before is listed, too: that one listed nobody. Each is listed once, however often this
   * is repeated. Returns the others that are listed; undefined if the lease was lost.
   */
  countCrash(owner: string, items: readonly DangerousDelivery[]): Promise<(string[] | undefined)[]>;
  /**
   * `owner` has not died: it is removed from all lists, and channels that were blocked because of it are free again.
   * Returns the number of channels.
   */
  withdraw(owner: string): Promise<number>;
  /**
   * Stores dead letters and acknowledges the events, in one commit. If dead letters of the channel were requeued
   * meanwhile, events that would queue behind them or park the channel are requeued too.
   */
  deadLetter(owner: string, items: readonly DeadLettered[]): Promise<boolean[]>;
  /**
   * Records deliveries of requeued events and resets their failures. After the last one of a channel, the channel's
   * state is cleared, unless other events are still queued behind a dead letter. Without ids, only the state is
   * checked.
   */
  acknowledgeRequeued(owner: string, items: readonly Acknowledged[]): Promise<boolean[]>;
  /** With several destinations: ends events of these shards that all destinations have passed. Returns how many. */
  tidy(shards: readonly number[]): Promise<number>;
}

/**
 * Whether a new dead letter is requeued with others of its channel: it was in delivery when they were requeued, and its
 * turn comes after theirs. As a dead letter it would park the channel again after they are delivered. An event that was
 * itself requeued has had its turn.
 */
export const followsRequeued = (item: DeadLettered, state: ChannelState | null | undefined): boolean =>
  state === 'requeued' && !item.requeued && (item.reason === 'behind' || item.parksChannel);

/** A batch of one channel's events in delivery. */
export interface Delivery extends ChannelBatch {
  readonly held: HeldShard;
  readonly requeued: boolean;
  /** The last owner of its shard, which died, perhaps because of these events. */
  readonly abandonedBy: string | undefined;
  /** The last number that was delivered and acknowledged. */
  reached?: string;
}

export interface DelivererOptions {
  publishTimeoutMs: number;
  policy: PoisonPolicy;
  /** As in `RelayOptions`. */
  keepsMessages?: boolean;
  errors?: ErrorRules | undefined;
  elapsed?: Clock;
  /** Asks at once which processes are alive. */
  look: () => Promise<unknown>;
  /** Called when a channel has more to deliver after this delay. */
  onDelay: (delayMs: number) => void;
}

/** Delivers events of channels to one destination and handles failures. */
export class Deliverer {
  /** Events that may have crashed a process are delivered one at a time, so that others are not blamed. */
  private alone: Promise<unknown> = Promise.resolve();
  private readonly delivering = new Set<Cancellation>();
  /** Nothing more is delivered, and what fails is given back. */
  private ending = false;

  constructor(
    private readonly destination: Destination,
    private readonly batcher: AcknowledgementBatcher,
    private readonly shards: HeldShards,
    private readonly observer: RelayObserver,
    private readonly options: DelivererOptions,
  ) {}

  /** Delivers again after an end. */
  begin(): void {
    this.ending = false;
  }

  /** Delivers nothing more, and asks what is being delivered to end. */
  interrupt(): void {
    this.ending = true;
    for (const control of this.delivering) control.ask(new ProcessEndingError());
  }

  /** Waits for nothing any more: what is being delivered is given back. */
  abandon(): void {
    for (const control of this.delivering) control.end(new ProcessEndingError());
  }

  /** Whether a call that starts now would end before the shard's lease. */
  mayStart({ lost, draining, endsAt }: HeldShard): boolean {
    return !this.ending && !lost && !draining && endsAt - this.elapsed.now() >= this.options.publishTimeoutMs;
  }

  /**
   * Resolves when the events are delivered, with a promise of their acknowledgements, so that other batches need not
   * wait. Never rejects.
   */
  async deliverBatch(delivery: Delivery): Promise<{ settled: Promise<unknown> }> {
    if (delivery.events.length === 0) return { settled: this.settle(delivery) };
    if (delivery.parked) return { settled: this.join(delivery) };
    if (delivery.crashes > 0) {
      this.alone = this.alone.then(() => this.deliverAlone(delivery));
      await this.alone;
      return { settled: Promise.resolve() };
    }
    if (delivery.abandonedBy !== undefined && !(this.mayStart(delivery.held) && (await this.mayLive(delivery))))
      return { settled: Promise.resolve() };
    return this.deliverAll(delivery);
  }

  private async deliverAlone(delivery: Delivery): Promise<void> {
    if (!this.mayStart(delivery.held) || !(await this.mayLive(delivery))) return;
    const { settled } = await this.deliverAll({ ...delivery, events: delivery.events.slice(0, 1) });
    await settled;
    this.options.onDelay(0);
  }

  private async deliverAll(delivery: Delivery): Promise<{ settled: Promise<unknown> }> {
    const { events, held, attempts, crashes } = delivery;
    const size = attempts > 0 || crashes > 0 ? 1 : Math.max(1, this.destination.batchSize);
    const acks: Promise<unknown>[] = [];
    for (let at = 0; at < events.length && this.mayStart(held); at += size) {
      const some = events.slice(at, at + size);
      try {
        await this.deliver(delivery, some);
      } catch (error) {
        // The events before it are acknowledged first; then the failure counts for the next one.
        const settled = Promise.all(acks).then(() => this.fail(delivery, some, at === 0 ? attempts : 0, error));
        return { settled };
      }
      acks.push(this.acknowledge(delivery, some));
    }
    return { settled: Promise.all(acks) };
  }

  private async deliver({ held, channel, requeued }: Delivery, events: readonly OutboxEvent[]): Promise<void> {
    const { publishTimeoutMs } = this.options;
    const control = new Cancellation();
    this.delivering.add(control);
    const callOff = held.whenLost(() => control.ask(new Error(`Another process has shard ${held.lease.shard}`)));
    const context = {
      get signal() {
        return control.signal;
      },
      idempotencyKey: idempotencyKeyOf(`${channel}:${events[0]?.sequenceId ?? ''}`),
      ...(requeued && { requeued }),
    };
    const late = () => new PublishTimeoutError(this.destination.name, publishTimeoutMs);
    try {
      const { destination, observer } = this;
      const publish = () =>
        control.outliveWithin(publishTimeoutMs, () => readably(() => destination.deliver(events, context)), late);
      await (observer.publishing?.({ destination: destination.name, events }, publish) ?? publish());
    } finally {
      this.delivering.delete(control);
      callOff();
    }
  }

  private async acknowledge(delivery: Delivery, events: readonly OutboxEvent[]): Promise<void> {
    const { held, channel, requeued, attempts, crashes, abandonedBy } = delivery;
    const ids = events.map(({ sequenceId }) => sequenceId);
    const clears = attempts > 0 || crashes > 0 || abandonedBy !== undefined;
    const item = { lease: held.lease, channel, ids, clears };
    if (!(await this.write(held, () => this.batcher.acknowledge(item, requeued)))) return;
    // An event that is not acknowledged is delivered again, and is not late then.
    delivery.reached = ids.at(-1) ?? '0';
    this.observer.delivered?.({ destination: this.destination.name, events: events.length });
  }

  /** Counts a crash before it may happen, and those that happened. False: too many crashes, or the lease was lost. */
  private async mayLive(delivery: Delivery): Promise<boolean> {
    const { held, channel, events, abandonedBy } = delivery;
    let listed: string[] | undefined;
    const counted = await this.write(held, async () => {
      listed = await this.batcher.crashes.add({ lease: held.lease, channel, abandonedBy });
      return listed !== undefined;
    });
    if (!counted || listed === undefined) return false;
    // One that was cut off or stood still for longer than its lease has not died, and may have come back since the last beat.
    const died = () => listed!.filter((one) => !this.shards.live.includes(one)).length;
    if (isDeadly(died(), this.options.policy)) await this.options.look();
    if (!isDeadly(died(), this.options.policy)) return true;
    const note = `${died()} processes died while they delivered it`;
    await this.poison(delivery, events[0]!, delivery.attempts, note, this.options.policy.onPoison, 'crashed', listed);
    return false;
  }

  private async fail(
    delivery: Delivery,
    events: readonly OutboxEvent[],
    attempts: number,
    error: unknown,
  ): Promise<void> {
    const { held, channel } = delivery;
    if (held.lost) return;
    // Another process delivers it, and nothing of this one counts.
    if (this.ending) return;
    const note = errorNote(error, this.options.errors);
    const verdict = this.verdictOn(error, attempts, events);
    const [event] = events as [OutboxEvent];
    if (verdict.kind !== 'again')
      return this.poison(delivery, event, attempts + 1, note, verdict.kind, reasonOf(error));
    const { counts, delayMs } = verdict;
    const failed = { lease: held.lease, channel, counts, delayMs, error: this.stored(note), blocks: false };
    if (!(await this.write(held, () => this.batcher.failures.add(failed)))) return;
    this.options.onDelay(delayMs);
    this.observer.failed?.({ ...this.named(event), error: note, delayMs });
  }

  /** What the table keeps of the note; observers hear all of it. */
  private stored(note: string): string {
    return this.options.keepsMessages === false ? note.replace(/:.*/s, '') : note;
  }

  /** With several events the failing one is unknown: they are retried one by one before the policy applies. */
  private verdictOn(error: unknown, attempts: number, events: readonly OutboxEvent[]): Verdict {
    const verdict = verdictOn(error, attempts, this.options.policy);
    return verdict.kind !== 'again' && events.length > 1 ? { kind: 'again', counts: 1, delayMs: 0 } : verdict;
  }

  private async poison(
    delivery: Delivery,
    event: OutboxEvent,
    attempts: number,
    error: string,
    outcome: PoisonPolicy['onPoison'],
    reason: DeadLettered['reason'],
    died?: readonly string[],
  ): Promise<void> {
    const { held, channel, requeued } = delivery;
    const { lease } = held;
    const item = {
      lease,
      channel,
      event,
      attempts,
      reason,
      error: this.stored(error),
      parksChannel: outcome === 'park-channel',
      requeued,
    };
    // A requeued event becomes a dead letter again: its channel cannot be blocked by it.
    const blocks = outcome === 'block' && !requeued;
    const written = await this.write(held, () =>
      blocks
        ? this.batcher.failures.add({
            lease,
            channel,
            counts: died ? 0 : 1,
            delayMs: 0,
            error: item.error,
            blocks,
            ...(died && { died }),
          })
        : this.batcher.deadLetters.add([item]),
    );
    if (!written) return;
    if (requeued && !item.parksChannel) await this.settle(delivery);
    if (!blocks) this.options.onDelay(0);
    this.observer.poisoned?.({ ...this.named(event), error, outcome });
  }

  /** Clears a channel's state if no requeued event is left: the last one may be a dead letter again. */
  private settle({ held, channel }: Delivery): Promise<boolean> {
    const nothing = { lease: held.lease, channel, ids: [], clears: false };
    return this.write(held, () => this.batcher.acknowledge(nothing, true));
  }

  /**
   * Sets aside what follows a dead letter in a parked channel. Parts are written in order: with several destinations
   * the position moves with each, and the next owner of the shard reads nothing below it.
   */
  private async join({ held, channel, events }: Delivery): Promise<void> {
    const more = { attempts: 0, reason: 'behind' as const, error: null, parksChannel: false, requeued: false };
    let left = events.map((event) => ({ lease: held.lease, channel, event, ...more }));
    while (left.length > 0) {
      const part = left.slice(0, howManyAtOnce(left));
      if (!(await this.write(held, () => this.batcher.deadLetters.add(part)))) return;
      left = left.slice(part.length);
    }
  }

  /** When a write finds that the lease was lost, nothing more of the shard is started. */
  private async write(held: HeldShard, write: () => Promise<boolean>): Promise<boolean> {
    let written: boolean;
    // Nothing is allocated for retries before the first failure: there is one write per event.
    try {
      written = await write();
    } catch (error) {
      const isOurs = () => !held.lost && held.endsAt > this.elapsed.now();
      written = await writeAgain(error, write, { mayGoOn: isOurs, onError: (again) => this.observer.error?.(again) });
    }
    if (written || held.lost) return written;
    this.shards.lose(held);
    this.observer.lost?.([held.lease]);
    return false;
  }

  private named({ channel, sequenceId }: OutboxEvent) {
    return { destination: this.destination.name, channel, sequenceId };
  }

  private get elapsed(): Clock {
    return this.options.elapsed ?? stopwatch;
  }
}

const reasonOf = (error: unknown): DeadLettered['reason'] =>
  isA(error, NonRetryablePublishError) ? 'refused' : 'failed';

/** Writes deliveries and failures of a destination in batches. */
export class AcknowledgementBatcher {
  private readonly acks: Batcher<Acknowledged, boolean>;
  private readonly requeued: Batcher<Acknowledged, boolean>;
  readonly failures: Batcher<FailedHead, boolean>;
  /** Each list in one commit: whether all of it were written. */
  readonly deadLetters: Batcher<readonly DeadLettered[], boolean>;
  readonly crashes: Batcher<DangerousDelivery, string[] | undefined>;

  constructor(owner: string, ports: Acknowledgements) {
    this.acks = new Batcher((items) => ports.acknowledge(owner, items), { ...MANY, isolates });
    this.requeued = new Batcher((items) => ports.acknowledgeRequeued(owner, items), { isolates });
    this.failures = new Batcher((items) => ports.fail(owner, items), { isolates });
    this.deadLetters = new Batcher((parts) => deadLetterAll(ports, owner, parts), { sizeOf: sizeOfPart, isolates });
    this.crashes = new Batcher((items) => ports.countCrash(owner, items), { isolates });
  }

  acknowledge(item: Acknowledged, requeued: boolean): Promise<boolean> {
    return (requeued ? this.requeued : this.acks).add(item);
  }
}

/** The number of items that one statement handles fast, regardless of their number of events. */
const MANY = { maxItems: 1_000, sizeOf: ({ ids }: Acknowledged): number => ids.length * 400 };

/** A channel whose data the database rejects must not block the others. */
const isolates = (error: unknown): boolean => error instanceof DatabaseError && !error.transient;

/** Limits a batch to some hundred items, however short they are. */
const LEAST_SIZE = 4_000;

const sizeOfDeadLettered = ({ event }: DeadLettered): number =>
  LEAST_SIZE + JSON.stringify(event.data ?? null).length + JSON.stringify(event.headers ?? null).length;

const sizeOfPart = (part: readonly DeadLettered[]): number =>
  part.reduce((sum, item) => sum + sizeOfDeadLettered(item), 0);

/** How many of the first items one commit writes. */
const howManyAtOnce = (items: readonly DeadLettered[]): number => howManyFit(items, items.length, sizeOfDeadLettered);

async function deadLetterAll(
  ports: Acknowledgements,
  owner: string,
  parts: readonly (readonly DeadLettered[])[],
): Promise<boolean[]> {
  const written = await ports.deadLetter(owner, parts.flat());
  let at = 0;
  return parts.map((part) => written.slice(at, (at += part.length)).every(Boolean));
}

const EVERY_200_MS = { delay: 200, factor: 1 } as const;

/**
 * Retries a write that failed with `first` until it succeeds, because delivered events would otherwise be delivered
 * again. Returns false once `mayGoOn` returns false, or when the write found that the lease was lost.
 */
function writeAgain(
  first: unknown,
  write: () => Promise<boolean>,
  { mayGoOn, onError }: { mayGoOn: () => boolean; onError: (error: unknown) => void },
): Promise<boolean> {
  const again = async (failures: number) => {
    if (failures === 0) throw first;
    return mayGoOn() ? write() : false;
  };
  return untilBack(again, { passes: () => true, onFailure: onError, retry: EVERY_200_MS });
}
