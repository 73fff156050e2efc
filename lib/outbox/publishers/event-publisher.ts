import { NonRetryablePublishError } from '../../errors/outbox-errors.js';
import { RetryAfterError } from '../../errors/step-errors.js';
import type { DeliveryContext, Destination } from '../model/destination.js';
import { isRunChannel, type OutboxEvent } from '../model/outbox-event.js';

/** Adapts a publisher to the relay. */
export class PublisherDestination implements Destination {
  constructor(
    private readonly publisher: EventPublisher,
    readonly name: string,
    readonly batchSize: number,
    readonly poison: NonNullable<Destination['poison']> = {},
  ) {}

  async deliver(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> {
    const [first] = events;
    // All events are of one channel.
    if (first && !isRunChannel(first.channel)) await this.publisher.publish(events, context);
  }
}

/**
 * Not authenticated, timed out, too early, rate-limited: the events are not at fault, so the same request may succeed
 * later.
 */
const LATER = new Set([401, 408, 425, 429]);

/** The error for a failure status of the receiver. */
export function refusal(status: number, what: string, retryAfterMs?: number): Error {
  if ((status === 429 || status === 503) && retryAfterMs !== undefined) return new RetryAfterError(retryAfterMs, what);
  if (status >= 400 && status < 500 && !LATER.has(status)) return new NonRetryablePublishError(what);
  return new Error(what);
}

/** The connection was not established, so the receiver saw nothing of the event. */
const AWAY = /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)\b/;
const AWAY_MS = 10_000;

/**
 * The error when no response arrived. If the receiver is unreachable, attempts are not counted, otherwise an outage
 * would set healthy events aside. If the receiver breaks the connection, the event may be the cause.
 */
export function unreached(who: string, reason: unknown, cause: unknown): Error {
  const text = `${who} could not be reached: ${String(reason)}`;
  return AWAY.test(text) ? new RetryAfterError(AWAY_MS, text, { cause }) : new Error(text, { cause });
}

/** Limits for `Retry-After`: no immediate retries in a loop, and no channel stopped for long by a mistake. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/** The `Retry-After` header (seconds or a date) in ms, from a second to an hour; undefined if it is invalid. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ms));
}

/** Implemented by classes with `@OutboxPublisher()` and by the publishers of this package. */
export interface EventPublisher {
  /**
   * Resolves once all of these events are delivered. They are of one channel, in order. After a crash it is called
   * again with the same events, so receivers should drop duplicates by their number.
   *
   * @throws RetryAfterError to set the time of the next try; NonRetryablePublishError when another try would not help;
   *   after any other error it is retried with backoff.
   */
  publish(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> | void;
}
