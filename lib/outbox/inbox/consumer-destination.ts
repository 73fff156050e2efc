import { type OutboxEvent, matchesChannel } from '../model/outbox-event.js';
import type { DeliveryContext, Destination } from '../model/destination.js';
import type { Inbox } from './inbox.js';

/** A method of the app that wants the events of some channels. */
export interface EventHandler {
  /** Names of channels, or beginnings of them with a trailing `*`. */
  readonly patterns: readonly string[];
  /** `handle` is what the app's ORM writes with inside a transaction. */
  run(event: OutboxEvent, handle: unknown): unknown;
}

/**
 * Handlers of the app as a destination. Each event has a transaction of its own, in which the consumer's position in
 * the channel is moved and then all handlers that want it run, one after another: what they write with the handle takes
 * effect once, and in the channel's order, however often an event is delivered.
 */
export class ConsumerDestination implements Destination {
  /** One by one, so that when one fails it is known which. */
  readonly batchSize = 1;

  constructor(
    private readonly inbox: Inbox,
    readonly name: string,
    private readonly handlers: readonly EventHandler[],
    readonly poison: NonNullable<Destination['poison']> = {},
  ) {}

  async deliver(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> {
    for (const event of events) {
      const wanting = this.handlers.filter(({ patterns }) =>
        patterns.some((pattern) => matchesChannel(pattern, event.channel)),
      );
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
      // What took too long is undone: it may have been put aside, to be given back by hand.
      signal.throwIfAborted();
    });
  }
}
