import { type OutboxEvent, matchesChannel } from '../model/outbox-event.js';
import type { DeliveryContext, Destination } from '../model/destination.js';
import type { Inbox } from './inbox.js';

/** A method of the app that receives the events of some channels. */
export interface EventHandler {
  /** Names of channels, or prefixes of them with a trailing `*`. */
  readonly patterns: readonly string[];
  /** `handle` is the transaction handle of the app's ORM. */
  run(event: OutboxEvent, handle: unknown): unknown;
}

/**
 * Delivers events to handlers of the app. Each event has its own transaction, which moves the consumer's position in
 * the channel and then runs all matching handlers one after another. What they write with the handle takes effect once
 * and in the channel's order, even if an event is delivered again.
 */
export class ConsumerDestination implements Destination {
  /** One event per call, so that a failure identifies its event. */
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
      // A late event is rolled back: it may have been set aside already, to be requeued by hand.
      signal.throwIfAborted();
    });
  }
}
