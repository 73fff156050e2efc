import { NonRetryablePublishError } from '../../errors.js';
import type { DeliveryContext } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { EventPublisher } from './event-publisher.js';

/** The part of `ClientProxy` of `@nestjs/microservices` that is used, so that it stays an optional peer. */
export interface EventEmittingClient {
  emit(pattern: unknown, data: unknown): EmittedEvent;
}

/** The part of an `Observable` that is used. */
export interface EmittedEvent {
  subscribe(observer: { complete: () => void; error: (error: unknown) => void }): { unsubscribe(): void };
}

export interface ClientProxyOptions {
  /** Default: the event's name. */
  pattern?: (event: OutboxEvent) => unknown;
  /**
   * What is sent. Default: the whole event, whose number a receiver needs to drop what comes twice, with its headers.
   * A record of the transport, as of `NatsRecordBuilder` or `RmqRecordBuilder`, for headers of its own.
   */
  payload?: (event: OutboxEvent) => unknown;
}

/**
 * Emits events by a client of `@nestjs/microservices`, one after another, the next once the transport has taken the one
 * before: whatever its acknowledgement is worth is what delivery is worth.
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
  const { pattern = ({ name }: OutboxEvent) => name, payload = (event: OutboxEvent) => event } = options;
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

/** Clients refuse to emit nothing. */
function present(what: string, value: unknown, { sequenceId, name }: OutboxEvent): unknown {
  if (value !== undefined && value !== null) return value;
  const text = `The event ${sequenceId} has no ${what} to emit: look at the option "${what}" for events named "${name}"`;
  throw new NonRetryablePublishError(text);
}

/** Resolves once what `emit` answers has completed; rejects when it fails, or when the time is over. */
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

/** The client for Redis fails with texts while it connects again. */
const asError = (error: unknown): Error =>
  typeof error === 'object' && error !== null ? (error as Error) : new Error(String(error));
