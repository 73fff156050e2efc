import { PublishTimeoutError } from '../../errors.js';
import { Cancellation } from '../../leasing/cancellation.js';
import { type Clock, stopwatch } from '../../time/clock.js';
import { type Destination, type PoisonPolicy, type Verdict, isDeadly, verdictOn } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { DeadLettered } from './acknowledgements.js';
import { errorNote } from './error-note.js';
import type { ChannelBatch } from './event-source.js';
import type { HeldShard, HeldShards } from './held-shards.js';
import { howManyAtOnce, insist, type AcknowledgementBatcher } from './acknowledgement-batcher.js';
import type { RelayObserver } from './relay-options.js';

/** One channel's events on their way. */
export interface Delivery extends ChannelBatch {
  readonly held: HeldShard;
  readonly requeued: boolean;
  /** The last owner of its shard died, perhaps of this. */
  readonly suspect: boolean;
  /** The last number that was delivered and acknowledged. */
  reached?: string;
}

export interface DelivererOptions {
  publishTimeoutMs: number;
  policy: PoisonPolicy;
  elapsed?: Clock;
  /** A channel has more to deliver, in so long. */
  onDelay: (delayMs: number) => void;
}

/** Brings the events of channels to one destination, and sees to what does not arrive. */
export class Deliverer {
  /** Of events that may have killed a process only one is under way at a time, so that its neighbours are not blamed. */
  private alone: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly destination: Destination,
    private readonly batcher: AcknowledgementBatcher,
    private readonly shards: HeldShards,
    private readonly observer: RelayObserver,
    private readonly options: DelivererOptions,
  ) {}

  /** Whether a call that is begun now ends while the shard is ours. */
  mayStart({ lost, draining, endsAt }: HeldShard): boolean {
    return !lost && !draining && endsAt - this.elapsed.now() >= this.options.publishTimeoutMs;
  }

  /**
   * Resolves when the events are delivered, with a promise of their acknowledgements, so that others need not wait for
   * these. Never rejects.
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
        // What came before it is acknowledged first: the failure is the next one's.
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
    const callOff = held.whenLost(() => control.ask(new Error(`Shard ${held.lease.shard} went to another process`)));
    const context = {
      get signal() {
        return control.signal;
      },
      idempotencyKey: `${channel}:${events[0]?.sequenceId ?? ''}`,
      ...(requeued && { requeued }),
    };
    const late = () => new PublishTimeoutError(this.destination.name, publishTimeoutMs);
    try {
      await control.outliveWithin(publishTimeoutMs, () => this.destination.deliver(events, context), late);
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
    // What is not acknowledged is delivered again, and not late then.
    delivery.reached = ids.at(-1) ?? '0';
    this.observer.delivered?.({ destination: this.destination.name, events: events.length });
  }

  /** Counts a crash before it may happen. False: too many have, or it is not ours. */
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
    const failed = { lease: held.lease, channel, counts, delayMs, error: note, blocks: false };
    if (!(await this.write(held, () => this.batcher.fail(failed)))) return;
    this.options.onDelay(delayMs);
    this.observer.failed?.({ ...this.named(event), error: note, delayMs });
  }

  /** Of several events it is not known which: they are tried one by one before any is judged. */
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
      error,
      parksChannel: outcome === 'park-channel',
      requeued,
    };
    // What came back from the dead goes back to them: its channel cannot stand still before it.
    const blocks = outcome === 'block' && !requeued;
    const written = await this.write(held, () =>
      blocks
        ? this.batcher.fail({ lease, channel, counts: 1, delayMs: 0, error, blocks })
        : this.batcher.deadLetter([item]),
    );
    if (!written) return;
    if (requeued && !item.parksChannel) await this.settle(delivery);
    if (!blocks) this.options.onDelay(0);
    this.observer.poisoned?.({ ...this.named(event), error, outcome });
  }

  /** Lets a channel go on of which nothing is left that was given back, where that is so: its last one may be dead again. */
  private settle({ held, channel }: Delivery): Promise<boolean> {
    const nothing = { lease: held.lease, channel, ids: [], clears: false };
    return this.write(held, () => this.batcher.acknowledge(nothing, true));
  }

  /**
   * What follows a dead event in a parked channel. Each part only after the one before it: with several destinations the
   * position moves with it, and whoever has the shard next looks at nothing below that.
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

  /** Where a write finds that the shard is no longer ours, nothing more of it is begun. */
  private async write(held: HeldShard, write: () => Promise<boolean>): Promise<boolean> {
    const isOurs = () => !held.lost && held.endsAt > this.elapsed.now();
    const written = await insist(write, isOurs, (error) => this.observer.error?.(error));
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
