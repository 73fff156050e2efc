import type { EventPublisher } from '../outbox/publishers/event-publisher.js';
import { injectableOnce } from './injectable-once.js';
import { OUTBOX_PUBLISHER_METADATA } from './metadata.js';
import { checkPublisherOptions } from './outbox-option-checks.js';
import type { OutboxPublisherOptions } from './outbox-options.js';

type PublisherClass = abstract new (...args: never[]) => EventPublisher;

/**
 * Marks a class as a destination of the outbox: its `publish` gets every event, those of one channel in the order in
 * which their transactions committed. The class is injectable by this alone, and must be a singleton provider.
 *
 * @example
 * \@OutboxPublisher({ name: 'search-index', batchSize: 20 })
 * export class SearchIndex implements EventPublisher {
 *   async publish(events: OutboxEvent[], { signal, idempotencyKey }: DeliveryContext): Promise<void> { … }
 * }
 *
 * @throws InvalidArgumentError at once for an option that cannot be used.
 */
export function OutboxPublisher(options: OutboxPublisherOptions = {}) {
  return (target: PublisherClass): void => {
    const { name = target.name } = options;
    checkPublisherOptions({ ...options, name }, `@OutboxPublisher on ${target.name}`);
    injectableOnce(target);
    Reflect.defineMetadata(OUTBOX_PUBLISHER_METADATA, { ...options, name }, target);
  };
}
