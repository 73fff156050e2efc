import { inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import { isRunChannel, matchesChannel, type OutboxEvent } from '../model/outbox-event.js';
import { type EventCodec, opened } from '../model/event-codec.js';
import type { DeliveryContext, Destination } from '../model/destination.js';

/** The in-memory counterpart of `SqlInbox`. Writes of `apply` are not undone when it throws. */
export class InMemoryInbox implements Inbox {
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(private readonly positions = new Map<string, bigint>()) {}

  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean> {
    const { consumer, sequenceId } = incoming;
    const key = JSON.stringify([consumer, positionKeyOf(incoming)]);
    const receive = async (): Promise<boolean> => {
      if ((this.positions.get(key) ?? -1n) >= BigInt(sequenceId)) return false;
      await inMemoryTransaction(undefined, async (tx) => {
        await apply(tx, tx);
        this.positions.set(key, BigInt(sequenceId));
      });
      return true;
    };
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(receive, receive);
    this.turns.set(key, turn);
    return turn;
  }
}

/** One event as its consumer's inbox identifies it. */
export interface Incoming {
  consumer: string;
  channel: string;
  /** A whole number as text. */
  sequenceId: string;
  /** A dead letter that was requeued by hand: it is applied once, regardless of the consumer's position. */
  requeued?: boolean;
}

/** The channel under which the position is stored. A requeued event has its own key, which no channel can have. */
export const positionKeyOf = ({ channel, sequenceId, requeued }: Incoming): string =>
  requeued ? `\u0001requeued\u0001${sequenceId}` : channel;

/** Stores the positions of consumers in each channel, so that an event that is delivered twice takes effect once. */
export interface Inbox {
  /**
   * Runs `apply` in a new transaction of the app, unless the consumer has already received this event of the channel or
   * a later one. The writes of `apply` commit together with the new position. Both roll back when `apply` throws, and
   * the error is rethrown; also when `apply` catches an error that has aborted the transaction. Concurrent calls for
   * one consumer and channel wait for each other. After a deadlock, `apply` runs again.
   *
   * @returns whether `apply` ran.
   */
  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean>;
}

/** A method of the app that receives the events of some channels. */
export interface EventHandler {
  /** Names of channels, or prefixes of them with a trailing `*`. Channels of runs only match their own prefix. */
  readonly patterns: readonly string[];
  /** Default: every event of these channels. @throws RetryAfterError if the event must wait for another process. */
  readonly wants?: (event: OutboxEvent) => boolean | Promise<boolean>;
  /** `handle` is the transaction handle of the app's ORM. */
  run(event: OutboxEvent, handle: unknown): unknown;
}

const isFor = ({ patterns }: EventHandler, { channel }: OutboxEvent): boolean =>
  patterns.some((pattern) => matchesChannel(pattern, channel) && isRunChannel(pattern) === isRunChannel(channel));

/**
 * Delivers events to handlers of the app. Each event has its own transaction, which moves the consumer's position in
 * the channel and then runs all matching handlers one after another. What they write with the handle takes effect once
 * and in the channel's order, even if an event is delivered again.
 */
export class ConsumerDestination implements Destination {
  declare readonly wants?: string;
  /** One event per call, so that a failure identifies its event. */
  readonly batchSize = 1;

  constructor(
    private readonly inbox: Inbox,
    readonly name: string,
    private readonly handlers: readonly EventHandler[],
    readonly poison: NonNullable<Destination['poison']> = {},
    wants?: string,
    /** Opens the data of events. */
    private readonly codec?: EventCodec,
  ) {
    if (wants !== undefined) this.wants = wants;
  }

  async deliver(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> {
    for (const stored of events) {
      const handlers = this.handlers.filter((handler) => isFor(handler, stored));
      if (handlers.length === 0) continue;
      const event = opened(this.codec, stored);
      const wanting: EventHandler[] = [];
      for (const handler of handlers) if (!handler.wants || (await handler.wants(event))) wanting.push(handler);
      if (wanting.length > 0) await this.receive(event, wanting, context);
    }
  }

  private async receive(
    event: OutboxEvent,
    handlers: readonly EventHandler[],
    { signal, requeued = false }: DeliveryContext,
  ): Promise<void> {
    signal.throwIfAborted();
    const { channel, sequenceId } = event;
    await this.inbox.receive({ consumer: this.name, channel, sequenceId, requeued }, async (handle) => {
      for (const handler of handlers) await handler.run(event, handle);
      // A late event is rolled back: it may have been set aside already, to be requeued by hand.
      signal.throwIfAborted();
    });
  }
}
