import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator } from '@nestjs/core';
import { type DeclaredHook, runHooksOf } from '../decorators/declarations.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { RetryAfterError } from '../errors/step-errors.js';
import type { Destination } from '../outbox/model/destination.js';
import { ConsumerDestination, type Inbox } from '../outbox/inbox/inbox.js';
import { type OutboxEvent, RUN_CHANNELS } from '../outbox/model/outbox-event.js';
import { factOf, hooksFor, isWanted, type RunWish, wishesIn } from '../outbox/model/run-wishes.js';
import type { DestinationRoster } from '../outbox/relay/shard-leases.js';
import { decoratedProviders } from './decorated-providers.js';
import { enhanced } from './enhanced-methods.js';

export interface FoundHook {
  /** Where it is declared, for error messages. */
  location: string;
  declared: DeclaredHook;
  call: (...args: unknown[]) => unknown;
}

/** Finds every `@OnRunEnded` and `@OnRunBlocked` method of every provider. */
@Injectable()
export class RunHookExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator,
  ) {}

  /** @throws ConfigurationError when two have the same name, or a declaration is not a method of its instance. */
  explore(): FoundHook[] {
    const found = new Map<string, FoundHook>();
    for (const { type, instance } of decoratedProviders(this.discovery, (type) => runHooksOf(type).size > 0)) {
      for (const [method, declared] of runHooksOf(type)) {
        const location = `${type.name}.${method}`;
        if (typeof instance[method] !== 'function') {
          // A test's replacement of the class need not be complete.
          if (!(instance instanceof type)) continue;
          throw new ConfigurationError(`${location} is decorated as a hook but is not a method of its instance`);
        }
        const { name = location } = declared;
        const other = found.get(name);
        if (other) throw new ConfigurationError(`Two hooks "${name}": ${other.location} and ${location}: rename one`);
        found.set(name, { location, declared, call: enhanced(this.contexts, { type, instance, method }) });
      }
    }
    return [...found.values()];
  }
}

/** How soon a call that another version of a hook wants is offered again: versions change with deploys only. */
const LEFT_MS = 5_000;

interface HookPorts {
  inbox: Inbox;
  relay: { destinations: Pick<DestinationRoster, 'wants'> };
}

/** The destination of a hook: a consumer that gets events of runs only. */
export function destinationOf(
  { location, declared, call }: FoundHook,
  { inbox, relay }: HookPorts,
  namespace: string,
): Destination {
  const { name = location } = declared;
  // Every namespace has its own positions: its processes know nothing of hooks of others.
  const full = namespace === 'default' ? name : `${namespace}/${name}`;
  const wishes = declared.wishes.map((wish): RunWish => ({ ...wish, namespace }));
  const handler = {
    patterns: [`${RUN_CHANNELS}*`],
    wants: async (event: OutboxEvent) => {
      const fact = factOf(event);
      if (isWanted(fact, wishes) || !fact.hooks.includes(full)) return isWanted(fact, wishes);
      // Another version of the hook has wanted it. While that is there, the call waits for one of its processes.
      const elsewhere = hooksFor(fact, wishesIn(await relay.destinations.wants()));
      if (elsewhere.includes(full))
        throw new RetryAfterError(LEFT_MS, 'Another version of this hook wants it: left to a process that has it');
      return false;
    },
    run: (event: OutboxEvent, handle: unknown) => call(toldOf(event), handle),
  };
  return new ConsumerDestination(inbox, full, [handler], {}, JSON.stringify(wishes));
}

function toldOf(event: OutboxEvent): object {
  const { on, runId: workflowId, workflow, state } = factOf(event);
  return on === 'ended' ? { workflowId, workflow, status: state } : { workflowId, workflow, reason: state };
}
