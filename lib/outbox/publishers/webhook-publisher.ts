import { InvalidArgumentError } from '../../errors.js';
import { type Clock, systemClock } from '../../time/clock.js';
import type { DeliveryContext } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { EventPublisher } from './event-publisher.js';
import { refusal, retryAfterMs, unreached } from './refusals.js';
import { SIGNATURE_HEADER, signatureOf, TIMESTAMP_HEADER, usableSecrets } from './webhook-signature.js';

export interface WebhookOptions {
  /** Where events are posted to: `https:`, or `http:` inside a network of your own. */
  url: string | URL;
  /** Known to sender and receiver. Several while one takes the place of another: each signs. */
  secret: string | readonly string[];
  /** Sent along, as `authorization`; none in place of those that a webhook has of its own. */
  headers?: Readonly<Record<string, string>>;
  /** Whose time is signed. Default: the system's. */
  clock?: Clock;
}

/**
 * Posts events as JSON, `{ "events": [ … ] }`, in one request per batch. `x-durable-signature` is an HMAC-SHA256 over
 * timestamp and body, which `verifyWebhook` checks; `idempotency-key` is the same for every try of the same events.
 *
 * A status of 2xx acknowledges. After 429 and 503 it is tried again when `Retry-After` says; 401, 408, 425, redirects and
 * 5xx are tried again with backoff; any other 4xx goes to the poison policy at once.
 *
 * @example
 * \@OutboxPublisher({ name: 'partner', batchSize: 20 })
 * export class Partner implements EventPublisher {
 *   private readonly webhook = webhookPublisher({ url: 'https://partner.example/events', secret: SECRET });
 *   publish = this.webhook.publish;
 * }
 *
 * @throws InvalidArgumentError at once for a URL, a secret or headers that cannot be used.
 */
export function webhookPublisher({ url, secret, headers, clock = systemClock }: WebhookOptions): EventPublisher {
  const target = usableUrl(url);
  const secrets = usableSecrets(secret);
  const own = usableHeaders(headers);
  return {
    publish: async (events: readonly OutboxEvent[], { signal, idempotencyKey }: DeliveryContext): Promise<void> => {
      const timestamp = String(Math.floor(clock.now() / 1_000));
      const body = JSON.stringify({ events });
      const sent = new Headers(own);
      sent.set('content-type', 'application/json');
      sent.set('idempotency-key', keyOf(events, idempotencyKey));
      sent.set(TIMESTAMP_HEADER, timestamp);
      sent.set(SIGNATURE_HEADER, signatureOf(secrets, timestamp, body));
      const response = await post(target, { headers: sent, body, signal });
      if (response.ok) return;
      const wait = retryAfterMs(response.headers.get('retry-after'), clock.now());
      throw refusal(response.status, `${target.origin} answered with status ${response.status}`, wait);
    },
  };
}

async function post(target: URL, request: { headers: Headers; body: string; signal: AbortSignal }): Promise<Response> {
  try {
    // Elsewhere is not where events are meant to go.
    const response = await fetch(target, { method: 'POST', redirect: 'manual', ...request });
    // Unread it would keep the connection busy; broken off it says no less.
    await response.body?.cancel().catch(() => undefined);
    return response;
  } catch (error) {
    request.signal.throwIfAborted();
    const { cause = error } = error as { cause?: unknown };
    const { code, message } = cause as { code?: string; message?: string };
    throw unreached(target.origin, code ?? message, error);
  }
}

/**
 * A batch may have grown until it is tried again, and must not be taken for the smaller one that came before. Only
 * printable ASCII, as headers have to be.
 */
function keyOf(events: readonly OutboxEvent[], idempotencyKey: string): string {
  const [last] = events.slice(-1);
  return encodeURI(events.length > 1 ? `${idempotencyKey}..${last?.sequenceId}` : idempotencyKey);
}

function usableUrl(url: string | URL): URL {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password) return parsed;
  // Not a password that stands in it: errors are written into logs.
  const shown = String(url).replace(/\/\/.*@/, '//…@');
  throw new InvalidArgumentError('url', shown, 'an http or https URL, without a user and password');
}

function usableHeaders(headers: Readonly<Record<string, string>> = {}): Headers {
  try {
    return new Headers(headers);
  } catch {
    const expected = 'headers that can be sent: names of letters and hyphens, values of Latin text in one line';
    throw new InvalidArgumentError('headers', Object.keys(headers).join(', '), expected);
  }
}
