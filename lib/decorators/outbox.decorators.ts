import { injectableOnce } from './workflow.decorators.js';
import { ON_OUTBOX_MESSAGE_METADATA, OUTBOX_PUBLISHER_METADATA } from './declarations.js';
import { checkChannelPatterns, checkConsumerOptions, checkPublisherOptions, methodRefusal } from './option-checks.js';
import type { OnOutboxMessageOptions, OutboxPublisherOptions } from './decorator-options.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import type { OutboxEvent } from '../outbox/model/outbox-event.js';
import type { EventPublisher } from '../outbox/publishers/event-publisher.js';

/** The second parameter, which is optional, is the transaction handle of the app's ORM. */
type MessageMethod = (event: OutboxEvent<never>, tx: never) => unknown;

/**
 * Calls a method with each event of a channel, or of all channels with a common prefix, in order. What it writes with
 * `tx` takes effect exactly once per event, because the consumer's position in the channel moves in the same
 * transaction. All other side effects may happen more than once.
 *
 * @example
 * \@OnOutboxMessage('posts:*', { consumer: 'post-counts' })
 * async count(event: OutboxEvent<Post>, tx: EntityManager): Promise<void> { … }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid channel or option.
 */
export function OnOutboxMessage(channels: string | readonly string[], options: OnOutboxMessageOptions = {}) {
  const patterns = typeof channels === 'string' ? [channels] : [...channels];
  checkChannelPatterns(patterns, 'The channel of @OnOutboxMessage');
  const what = `@OnOutboxMessage('${patterns.join("', '")}')`;
  checkConsumerOptions(options, what);
  return <Method extends MessageMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
    if (refusal) throw new ConfigurationError(`${what} decorates ${refusal}: use it on an instance method`);
    if (Reflect.hasOwnMetadata(ON_OUTBOX_MESSAGE_METADATA, target, key)) {
      const location = `${target.constructor.name}.${String(key)}`;
      throw new ConfigurationError(`${location} has @OnOutboxMessage twice: use it once, with a list of channels`);
    }
    Reflect.defineMetadata(ON_OUTBOX_MESSAGE_METADATA, { ...options, patterns }, target, key);
  };
}

type PublisherClass = abstract new (...args: never[]) => EventPublisher;

/**
 * Marks a class as a destination of the outbox: its `publish` receives every event, those of one channel in the order
 * in which their transactions committed. The decorator makes the class injectable; it must be a singleton.
 *
 * @example
 * \@OutboxPublisher({ name: 'search-index', batchSize: 20 })
 * export class SearchIndex implements EventPublisher {
 *   async publish(events: OutboxEvent[], { signal, idempotencyKey }: DeliveryContext): Promise<void> { … }
 * }
 *
 * @throws InvalidArgumentError for an invalid option, when the class is loaded.
 */
export function OutboxPublisher(options: OutboxPublisherOptions = {}) {
  return (target: PublisherClass): void => {
    const { name = target.name } = options;
    checkPublisherOptions({ ...options, name }, `@OutboxPublisher on ${target.name}`);
    injectableOnce(target);
    Reflect.defineMetadata(OUTBOX_PUBLISHER_METADATA, { ...options, name }, target);
  };
}
