import type { DeliveryContext } from '../destination.js';
import type { OutboxEvent } from '../outbox-event.js';
import type { EventPublisher } from './event-publisher.js';
import { refusal } from './refusals.js';

/** What is published for an event: the wire format that its clients know from the database connector. */
export interface AblyMessage {
  id: string;
  name: string;
  data: unknown;
  extras: { headers: Record<string, unknown> };
}

/** The part of `Ably.Rest` that is used, so that the library stays an optional peer. `Ably.Realtime` fits too. */
export interface AblyClient {
  channels: {
    get(name: string): { publish(message: AblyMessage): Promise<unknown> };
  };
}

/**
 * Publishes to channels of Ably by a client of the app's own, one message per event and request. The message's id is
 * the event's number, by which Ably drops what comes twice within two minutes.
 *
 * @example
 * \@OutboxPublisher({ name: 'ably' })
 * export class Live implements EventPublisher {
 *   publish = ablyPublisher(new Ably.Rest({ key })).publish;
 * }
 */
export const ablyPublisher = (client: AblyClient): EventPublisher => ({
  publish: async (events: readonly OutboxEvent[], { signal }: DeliveryContext): Promise<void> => {
    for (const event of events) {
      signal.throwIfAborted();
      const answer = client.channels.get(event.channel).publish(messageOf(event));
      await unlessAborted(answer, signal).catch((error: unknown) => {
        throw refused(error);
      });
    }
  },
});

function messageOf({ sequenceId, mutationId, name, rejected, data, headers }: OutboxEvent): AblyMessage {
  const marks = { 'x-ably-models-event-uuid': mutationId, ...(rejected && { 'x-ably-models-reject': 'true' }) };
  return { id: sequenceId, name, data, extras: { headers: { ...headers, ...marks } } };
}

/** The library cannot be told to stop: what comes of it after that is ignored. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** The library's errors say which status the service answered with. */
function refused(error: unknown): unknown {
  const { statusCode, message } = (error ?? {}) as { statusCode?: unknown; message?: unknown };
  if (typeof statusCode !== 'number') return error;
  return Object.assign(refusal(statusCode, `Ably answered with status ${statusCode}: ${String(message)}`), {
    cause: error,
  });
}
