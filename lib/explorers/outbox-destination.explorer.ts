import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator } from '@nestjs/core';
import { checkName } from '../engine/model/names.js';
import { type DeclaredPublisher, messageHandlersOf, publisherOf } from '../decorators/declarations.js';
import { type OutboxPublisherOptions, overridden } from '../decorators/decorator-options.js';
import { checkOverriddenNames } from '../decorators/override-checks.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import type { Destination } from '../outbox/model/destination.js';
import type { EventCodec } from '../outbox/model/event-codec.js';
import { ConsumerDestination, type EventHandler, type Inbox } from '../outbox/inbox/inbox.js';
import { type EventPublisher, PublisherDestination } from '../outbox/publishers/event-publisher.js';
import { decoratedProviders } from './decorated-providers.js';
import { enhanced } from './enhanced-methods.js';

const DEFAULT_BATCH = 50;

type Overrides = Record<string, Omit<OutboxPublisherOptions, 'name'>>;

interface Found {
  destination: Destination;
  /** Where it is declared, for error messages. */
  location: string;
}

/** Finds every `@OutboxPublisher` and every `@OnOutboxMessage` method of every provider. */
@Injectable()
export class OutboxDestinationExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator,
  ) {}

  /**
   * A destination for each publisher and consumer; `inbox` stores consumers' positions. `overrides` are by name; `codec` opens
   * events for consumers.
   *
   * @throws ConfigurationError when two have the same name, or a declaration does not match its instance.
   */
  explore(inbox: Inbox, overrides: Overrides = {}, codec?: EventCodec): Destination[] {
    const found = new Map<string, Found>();
    for (const next of [...this.publishers(overrides), ...this.consumers(inbox, overrides, codec)]) {
      const { name } = next.destination;
      const other = found.get(name);
      if (other) throw duplicate(name, other.location, next.location);
      found.set(name, next);
    }
    checkOverriddenNames(overrides, found.keys(), 'outbox.destinations');
    return [...found.values()].map(({ destination }) => destination);
  }

  private publishers(overrides: Overrides): Found[] {
    return decoratedProviders(this.discovery, (type) => publisherOf(type) !== undefined).map(({ type, instance }) => {
      const declared = publisherOf(type) as DeclaredPublisher;
      const { name, batchSize = DEFAULT_BATCH, ...poison } = overridden(declared, overrides, declared.name);
      if (typeof instance['publish'] !== 'function') {
        throw new ConfigurationError(`${type.name} has @OutboxPublisher but no method publish(events, context)`);
      }
      const publish = enhanced(this.contexts, { type, instance, method: 'publish' });
      const publisher = { publish } as EventPublisher;
      return { destination: new PublisherDestination(publisher, name, batchSize, poison), location: type.name };
    });
  }

  /** Methods with the same consumer name form one destination, regardless of their classes. */
  private consumers(inbox: Inbox, overrides: Overrides, codec: EventCodec | undefined): Found[] {
    const consumers = new Map<string, Map<string, EventHandler>>();
    for (const { type, instance } of decoratedProviders(this.discovery, (type) => messageHandlersOf(type).size > 0)) {
      for (const [method, { consumer, patterns }] of messageHandlersOf(type)) {
        const location = `${type.name}.${method}`;
        if (typeof instance[method] !== 'function') {
          // A test's replacement of the class need not be complete.
          if (!(instance instanceof type)) continue;
          throw new ConfigurationError(`${location} has @OnOutboxMessage but is not a method of its instance`);
        }
        const name = consumer ?? checkName(location, `The consumer of ${location}`);
        const handlers = consumers.get(name) ?? new Map<string, EventHandler>();
        if (handlers.has(location)) throw duplicate(name, location, location);
        const run: EventHandler['run'] = enhanced(this.contexts, { type, instance, method });
        consumers.set(name, handlers.set(location, { patterns, run }));
      }
    }
    return [...consumers].map(([name, handlers]) => ({
      destination: new ConsumerDestination(
        inbox,
        name,
        [...handlers.values()],
        overridden({}, overrides, name),
        undefined,
        codec,
      ),
      location: [...handlers.keys()].join(', '),
    }));
  }
}

function duplicate(name: string, first: string, second: string): ConfigurationError {
  const advice =
    first === second
      ? `${first} exists twice: provide its class in one module and export it from there`
      : `it is declared by ${first} and by ${second}: rename one`;
  return new ConfigurationError(`Two destinations of the outbox are called "${name}": ${advice}`);
}
