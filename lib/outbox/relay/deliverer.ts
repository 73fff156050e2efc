import { PublishTimeoutError } from '../../errors/outbox-errors.js';
import { Cancellation } from '../../leasing/cancellation.js';
import { type Clock, stopwatch } from '../../time/clock.js';
import { type Destination, isDeadly, type PoisonPolicy, type Verdict, verdictOn } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { ChannelBatch, DeadLettered } from './event-source.js';
import { errorNote } from './error-note.js';
import type { HeldShard, HeldShards } from './held-shards.js';
import { type AcknowledgementBatcher, howManyAtOnce, writeAgain } from './acknowledgement-batcher.js';
import type { RelayObserver } from './relay-options.js';

/** A batch of one channel's events in delivery. */
export interface Delivery extends ChannelBatch {
  readonly held: HeldShard;
  readonly requeued: boolean;
  /** The last owner of its shard died, perhaps because of these events. */
  readonly suspect: boolean;
  /** The last number that was delivered and acknowledged. */
  reached?: string;
}

export interface DelivererOptions {
  publishTimeoutMs: number;
  policy: PoisonPolicy;
  /** As in `RelayOptions`. */
  keepsMessages?: boolean;
  elapsed?: Clock;
  /** Called when a channel has more to deliver after this delay. */
  onDelay: (delayMs: number) => void;
}

/** Delivers events of channels to one destination and handles failures. */
export class Deliverer {
  /** Events that may have crashed a process are delivered one at a time, so that others are not blamed. */
  private alone: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly destination: Destination,
    private readonly batcher: AcknowledgementBatcher,
    private readonly shards: HeldShards,
    private readonly observer: RelayObserver,
    private readonly options: DelivererOptions,
  ) {}

  /** Whether a call that starts now would end before the shard's lease. */
  mayStart({ lost, draining, endsAt }: HeldShard): boolean {
    return !lost && !draining && endsAt - this.elapsed.now() >= this.options.publishTimeoutMs;
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
    if (delivery.suspect && !(await this.mayLive(delivery))) return { settled: Promise.resolve() };
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
    const callOff = held.whenLost(() => control.ask(new Error(`Another process has shard ${held.lease.shard}`)));
    const context = {
      get signal() {
        return control.signal;
      },
      idempotencyKey: `${channel}:${events[0]?.sequenceId ?? ''}`,
      ...(requeued && { requeued }),
    };
    const late = () => new PublishTimeoutError(this.destination.name, publishTimeoutMs);
    try {
      const { destination, observer } = this;
      const publish = () => control.outliveWithin(publishTimeoutMs, () => destination.deliver(events, context), late);
      await (observer.publishing?.({ destination: destination.name, events }, publish) ?? publish());
    } finally {
      callOff();
    }
  }

  private async acknowledge(delivery: Delivery, events: readonly OutboxEvent[]): Promise<void> {
    const { held, channel, requeued, attempts, crashes, suspect } = delivery;
    const ids = events.map(({ sequenceId }) => sequenceId);
    const clears = attempts > 0 || crashes > 0 || suspect;
    const item = { lease: held.lease, channel, ids, clears };
    if (!(await this.write(held, () => this.batcher.acknowledge(item, requeued)))) return;
    // An event that is not acknowledged is delivered again, and is not late then.
    delivery.reached = ids.at(-1) ?? '0';
    this.observer.delivered?.({ destination: this.destination.name, events: events.length });
  }

  /** Counts a crash before it may happen. False: too many crashes, or the lease was lost. */
  private async mayLive(delivery: Delivery): Promise<boolean> {
    const { held, channel, events } = delivery;
    let crashes: number | undefined;
    const counted = await this.write(held, async () => {
      crashes = await this.batcher.countCrash({ lease: held.lease, channel });
      return crashes !== undefined;
    });
    if (!counted || crashes === undefined) return false;
    if (!isDeadly(crashes, this.options.policy)) return true;
    const note = `${crashes} processes died while they delivered it`;
    await this.poison(delivery, events[0]!, delivery.attempts, note, this.options.policy.onPoison, 'crashed');
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
    const note = errorNote(error);
    const verdict = this.verdictOn(error, attempts, events);
    const [event] = events as [OutboxEvent];
    if (verdict.kind !== 'again')
      return this.poison(delivery, event, attempts + 1, note, verdict.kind, reasonOf(error));
    const { counts, delayMs } = verdict;
    const failed = { lease: held.lease, channel, counts, delayMs, error: this.stored(note), blocks: false };
    if (!(await this.write(held, () => this.batcher.fail(failed)))) return;
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
        ? this.batcher.fail({ lease, channel, counts: 1, delayMs: 0, error: item.error, blocks })
        : this.batcher.deadLetter([item]),
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
      if (!(await this.write(held, () => this.batcher.deadLetter(part)))) return;
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
  error instanceof Error && error.name === 'NonRetryablePublishError' ? 'refused' : 'failed';
