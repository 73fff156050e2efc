import { type Clock, systemClock } from '../../time/clock.js';
import type { DeliveryContext } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import { type EventPublisher, refusal, retryAfterMs, unreached } from './event-publisher.js';

/** What is published for an event: the wire format that its clients know from the database connector. */
export interface AblyMessage {
  id: string;
  name: string;
  data: string | null;
  /** What `data` is as text; clients of Ably read it as what it was. */
  encoding?: 'json';
  extras: { headers: Record<string, unknown> };
}

/** The part of an answer that is looked at. */
export interface AblyAnswer {
  success: boolean;
  statusCode: number;
  errorMessage?: string;
  headers?: unknown;
}

/**
 * The part of `Ably.Rest` that is used, so that the library stays an optional peer. `Ably.Realtime` fits too. Not its
 * channels: the library keeps each for ever, and says nothing of `Retry-After`.
 */
export interface AblyClient {
  request(method: string, path: string, version: number, params: object, body: AblyMessage): Promise<AblyAnswer>;
}

export interface AblyOptions {
  /** By whose time a date in `Retry-After` is read. Default: the system's. */
  clock?: Clock;
}

/** Of the REST interface. */
const VERSION = 3;

/** Ably counts what comes at once over so long, and does not say when to come back. */
const RATE_WINDOW_MS = 6_000;

/**
 * Publishes to channels of Ably by a client of the app's own, one message per event and request. The message's id is
 * the event's number, by which Ably drops what comes twice within two minutes.
 *
 * After 429 it is tried again when `Retry-After` says, or in six seconds, as often as it takes; 401, 408, 425, 5xx and
 * broken connections are tried again with backoff; any other 4xx goes to the poison policy at once. The client's
 * `httpRequestTimeout` should be no longer than `publishTimeout`.
 *
 * @example
 * \@OutboxPublisher({ name: 'ably' })
 * export class Live implements EventPublisher {
 *   publish = ablyPublisher(new Ably.Rest({ key })).publish;
 * }
 */
export const ablyPublisher = (client: AblyClient, { clock = systemClock }: AblyOptions = {}): EventPublisher => ({
  publish: async (events: readonly OutboxEvent[], { signal }: DeliveryContext): Promise<void> => {
    for (const event of events) {
      signal.throwIfAborted();
      const path = `/channels/${encodeURIComponent(event.channel)}/messages`;
      const answer = await unlessAborted(client.request('post', path, VERSION, {}, messageOf(event)), signal);
      if (!answer.success) throw refused(answer, clock.now());
    }
  },
});

function messageOf({ sequenceId, mutationId, name, rejected, data, headers }: OutboxEvent): AblyMessage {
  const marks = { 'x-ably-models-event-uuid': mutationId, ...(rejected && { 'x-ably-models-reject': 'true' }) };
  return { id: sequenceId, name, ...encoded(data), extras: { headers: { ...headers, ...marks } } };
}

/** The service takes nothing but text; of other things JSON that says so. */
const encoded = (data: unknown): Pick<AblyMessage, 'data' | 'encoding'> =>
  typeof data === 'string' || data === null ? { data } : { data: JSON.stringify(data), encoding: 'json' };

/** The library cannot be told to stop: what comes of it after that is ignored. */
async function unlessAborted(answer: Promise<AblyAnswer>, signal: AbortSignal): Promise<AblyAnswer> {
  const ended = new AbortController();
  try {
    return await new Promise<AblyAnswer>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: ended.signal });
      answer.then(resolve, (error: unknown) => reject(unsent(error)));
    });
  } finally {
    ended.abort();
  }
}

/** Nothing is known against the event: it is the network, or a token that the library cannot get. */
function unsent(error: unknown): Error {
  const { message = error } = (error ?? {}) as { message?: unknown };
  return unreached('Ably', message, error);
}

function refused({ statusCode, errorMessage, headers }: AblyAnswer, now: number): Error {
  const header = (headers as Record<string, unknown> | undefined)?.['retry-after'];
  const asked = retryAfterMs(typeof header === 'string' ? header : null, now);
  const wait = asked ?? (statusCode === 429 ? RATE_WINDOW_MS : undefined);
  return refusal(statusCode, `Ably answered with status ${statusCode}: ${errorMessage ?? 'no reason'}`, wait);
}
