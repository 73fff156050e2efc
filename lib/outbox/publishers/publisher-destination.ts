import type { DeliveryContext, Destination } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { EventPublisher } from './event-publisher.js';

/** A publisher as the relay sees it. */
export class PublisherDestination implements Destination {
  constructor(
    private readonly publisher: EventPublisher,
    readonly name: string,
    readonly batchSize: number,
    readonly poison: NonNullable<Destination['poison']> = {},
  ) {}

  async deliver(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> {
    await this.publisher.publish(events, context);
  }
}
