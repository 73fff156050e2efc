import { NonRetryablePublishError, RetryAfterError } from '../../errors.js';
import type { DeliveryContext, Destination } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';

/** A publisher as the relay sees it. */
export class PublisherDestination implements Destination {
  constructor(
    private readonly publisher: EventPublisher,
    readonly name: string,
    readonly batchSize: number,
    readonly poison: NonNullable<Destination['poison']> = {},
  ) {}

  async deliver(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> {
    await this.publisher.publish(events, context);
  }
}

/**
 * Not signed in, too slow, too early, too many: nothing that is wrong with the events, so the same request may well
 * succeed later.
 */
const LATER = new Set([401, 408, 425, 429]);

/** What a publisher throws when its receiver answered with a status that means failure. */
export function refusal(status: number, what: string, retryAfterMs?: number): Error {
  if ((status === 429 || status === 503) && retryAfterMs !== undefined) return new RetryAfterError(retryAfterMs, what);
  if (status >= 400 && status < 500 && !LATER.has(status)) return new NonRetryablePublishError(what);
  return new Error(what);
}

/** Nobody took the connection, so nothing of the event was seen. */
const AWAY = /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)\b/;
const AWAY_MS = 10_000;

/**
 * What a publisher throws when no answer came. A receiver that is away is waited for without counting attempts, or an
 * outage would put healthy events aside; one that breaks off may do so because of the event.
 */
export function unreached(who: string, reason: unknown, cause: unknown): Error {
  const text = `${who} was not reached: ${String(reason)}`;
  return AWAY.test(text) ? new RetryAfterError(AWAY_MS, text, { cause }) : new Error(text, { cause });
}

/** What a receiver may ask for: neither to be called again at once for ever, nor to stop a channel by a slip. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/** The milliseconds of a `Retry-After` header, from a second to an hour: seconds, or a date. Undefined when it is neither. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ms));
}

/** What a class with `@OutboxPublisher()` implements, and the publishers that come with this package are. */
export interface EventPublisher {
  /**
   * Resolves once all of these events, which are of one channel and in order, are where they should be. Called again
   * with the same events after a crash, so whoever receives them should drop what comes twice by its number.
   *
   * @throws RetryAfterError to say when to try again, NonRetryablePublishError when that would not help; after
   *   anything else it is tried again with backoff.
   */
  publish(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> | void;
}
