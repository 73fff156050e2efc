import { decoratedMethods } from './decorated-methods.js';
import { ON_OUTBOX_MESSAGE_METADATA, OUTBOX_PUBLISHER_METADATA } from './metadata.js';
import type { OnOutboxMessageOptions, OutboxPublisherOptions } from './outbox-options.js';

export type DeclaredPublisher = OutboxPublisherOptions & { name: string };
export type DeclaredHandler = OnOutboxMessageOptions & { patterns: readonly string[] };

/** What `@OutboxPublisher` says of a class, or of one it extends. */
export const publisherOf = (target: object): DeclaredPublisher | undefined =>
  Reflect.getMetadata(OUTBOX_PUBLISHER_METADATA, target) as DeclaredPublisher | undefined;

/** The `@OnOutboxMessage` methods of a class by their names, inherited ones included. */
export const messageHandlersOf = (target: object): Map<string, DeclaredHandler> =>
  decoratedMethods<DeclaredHandler>(target, ON_OUTBOX_MESSAGE_METADATA);
