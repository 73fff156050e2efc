import { NonRetryablePublishError } from '../../errors/outbox-errors.js';
import type { DeliveryContext } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { EventPublisher } from './event-publisher.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

/** The used part of `ClientProxy` of `@nestjs/microservices`, so that it stays an optional peer. */
export interface EventEmittingClient {
  emit(pattern: unknown, data: unknown): EmittedEvent;
}

/** The used part of an `Observable`. */
export interface EmittedEvent {
  subscribe(observer: { complete: () => void; error: (error: unknown) => void }): { unsubscribe(): void };
}

export interface ClientProxyOptions {
  /** The pattern to emit. Default: the event's name. */
  pattern?: (event: OutboxEvent) => unknown;
  /**
   * The payload to emit. Default: the whole event with its headers; receivers need its number to drop duplicates. May
   * be a record of the transport, for example of `NatsRecordBuilder` or `RmqRecordBuilder`, to set its headers.
   */
  payload?: (event: OutboxEvent) => unknown;
}

const OPTIONS = { pattern: true, payload: true } satisfies KnownOptions<ClientProxyOptions>;

/**
 * Emits events with a client of `@nestjs/microservices`, one at a time: the next once the transport has accepted the
 * previous one. Delivery is only as reliable as the acknowledgement of the transport.
 *
 * @example
 * \@OutboxPublisher({ name: 'events' })
 * export class Events implements EventPublisher {
 *   readonly publish: EventPublisher['publish'];
 *
 *   constructor(\@Inject('BROKER') client: ClientProxy) {
 *     this.publish = clientProxyPublisher(client).publish;
 *   }
 * }
 */
export function clientProxyPublisher(client: EventEmittingClient, options: ClientProxyOptions = {}): EventPublisher {
  const { pattern = ({ name }: OutboxEvent) => name, payload = (event: OutboxEvent) => event } = checkedOptions(
    options,
    OPTIONS,
    'clientProxyPublisher',
  );
  return {
    publish: async (events: readonly OutboxEvent[], { signal }: DeliveryContext): Promise<void> => {
      for (const event of events) {
        const what = present('pattern', pattern(event), event);
        const content = present('payload', payload(event), event);
        await taken(() => client.emit(what, content), signal);
      }
    },
  };
}

/** Clients refuse to emit null and undefined. */
function present(what: string, value: unknown, { sequenceId, name }: OutboxEvent): unknown {
  if (value !== undefined && value !== null) return value;
  const text = `The event ${sequenceId} has no ${what} to emit: look at the option "${what}" for events named "${name}"`;
  throw new NonRetryablePublishError(text);
}

/** Resolves once what `emit` returns has completed; rejects when it fails or `signal` aborts. */
async function taken(emit: () => EmittedEvent, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const ended = new AbortController();
  let subscription: { unsubscribe(): void } | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: ended.signal });
      subscription = emit().subscribe({ complete: resolve, error: (error) => reject(asError(error)) });
    });
  } finally {
    ended.abort();
    subscription?.unsubscribe();
  }
}

/** The Redis client rejects with strings while it reconnects. */
const asError = (error: unknown): Error =>
  typeof error === 'object' && error !== null ? (error as Error) : new Error(String(error));
