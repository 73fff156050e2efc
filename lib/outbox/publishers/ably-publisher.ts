import { type Clock, systemClock } from '../../time/clock.js';
import type { DeliveryContext } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import { type EventPublisher, refusal, retryAfterMs, unreached } from './event-publisher.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

/** The message for one event, in the wire format that clients know from the database connector. */
export interface AblyMessage {
  id: string;
  name: string;
  data: string | null;
  /** Set when `data` is JSON text; clients of Ably decode it. */
  encoding?: 'json';
  extras: { headers: Record<string, unknown> };
}

/** The used part of a response. */
export interface AblyAnswer {
  success: boolean;
  statusCode: number;
  errorMessage?: string;
  headers?: unknown;
}

/**
 * The used part of `Ably.Rest`, so that the library stays an optional peer. `Ably.Realtime` fits too. Its channel
 * objects are not used: the library keeps each of them forever and does not expose `Retry-After`.
 */
export interface AblyClient {
  request(method: string, path: string, version: number, params: object, body: AblyMessage): Promise<AblyAnswer>;
}

export interface AblyOptions {
  /** Used to read a date in `Retry-After`. Default: the system clock. */
  clock?: Clock;
}

const OPTIONS = { clock: true } satisfies KnownOptions<AblyOptions>;

/** The version of the REST interface. */
const VERSION = 3;

/** Ably's rate limits cover this window; it does not say when to retry. */
const RATE_WINDOW_MS = 6_000;

/**
 * Publishes to Ably channels with the app's own client, one message per event and request. The message's id is the
 * event's number, by which Ably drops duplicates within two minutes.
 *
 * After 429 it is retried after `Retry-After` or six seconds, without a limit; 401, 408, 425, 5xx and broken
 * connections are retried with backoff; for any other 4xx the poison policy applies at once. The client's
 * `httpRequestTimeout` should not be longer than `publishTimeout`.
 *
 * @example
 * \@OutboxPublisher({ name: 'ably' })
 * export class Live implements EventPublisher {
 *   publish = ablyPublisher(new Ably.Rest({ key })).publish;
 * }
 */
export function ablyPublisher(client: AblyClient, options: AblyOptions = {}): EventPublisher {
  const { clock = systemClock } = checkedOptions(options, OPTIONS, 'ablyPublisher');
  return {
    publish: async (events: readonly OutboxEvent[], { signal }: DeliveryContext): Promise<void> => {
      for (const event of events) {
        signal.throwIfAborted();
        const path = `/channels/${encodeURIComponent(event.channel)}/messages`;
        const answer = await unlessAborted(client.request('post', path, VERSION, {}, messageOf(event)), signal);
        if (!answer.success) throw refused(answer, clock.now());
      }
    },
  };
}

function messageOf({ sequenceId, mutationId, name, rejected, data, headers }: OutboxEvent): AblyMessage {
  const marks = { 'x-ably-models-event-uuid': mutationId, ...(rejected && { 'x-ably-models-reject': 'true' }) };
  return { id: sequenceId, name, ...encoded(data), extras: { headers: { ...headers, ...marks } } };
}

/** Ably accepts only text: other values are sent as JSON with an `encoding`. */
const encoded = (data: unknown): Pick<AblyMessage, 'data' | 'encoding'> =>
  typeof data === 'string' || data === null ? { data } : { data: JSON.stringify(data), encoding: 'json' };

/** The library cannot be cancelled: a result after the abort is ignored. */
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

/** The event is not at fault: the network failed, or the library could not get a token. */
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
