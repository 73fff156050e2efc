import type { DeliveryContext } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';

/** What a class with `@OutboxPublisher()` implements, and the publishers that come with this package are. */
export interface EventPublisher {
  /**
   * Resolves once all of these events, which are of one channel and in order, are where they should be. Called again
   * with the same events after a crash, so whoever receives them should drop what comes twice by its number.
   *
   * @throws RetryAfterError to say when to try again, NonRetryablePublishError when that would not help; after
   *   anything else it is tried again with backoff.
   */
  publish(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> | void;
}
