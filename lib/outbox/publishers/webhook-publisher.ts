import { InvalidArgumentError } from '../../errors.js';
import { type Clock, systemClock } from '../../time/clock.js';
import type { DeliveryContext } from '../destination.js';
import type { OutboxEvent } from '../outbox-event.js';
import type { EventPublisher } from './event-publisher.js';
import { refusal, retryAfterMs } from './refusals.js';
import { SIGNATURE_HEADER, signatureOf, TIMESTAMP_HEADER } from './webhook-signature.js';

export interface WebhookOptions {
  /** Where events are posted to: `https:`, or `http:` inside a network of your own. */
  url: string | URL;
  /** Known to sender and receiver. Several while one takes the place of another: each signs. */
  secret: string | readonly string[];
  /** Sent along, as `authorization`. */
  headers?: Readonly<Record<string, string>>;
  /** Whose time is signed. Default: the system's. */
  clock?: Clock;
}

/**
 * Posts events as JSON, `{ "events": [ … ] }`, in one request per batch. `x-durable-signature` is an HMAC-SHA256 over
 * timestamp and body, which `verifyWebhook` checks; `idempotency-key` is the same for every try of the same events.
 *
 * A status of 2xx acknowledges. After 429 and 503 it is tried again when `Retry-After` says; 408, 425, redirects and
 * 5xx are tried again with backoff; any other 4xx goes to the poison policy at once.
 *
 * @example
 * \@OutboxPublisher({ name: 'partner', batchSize: 20 })
 * export class Partner implements EventPublisher {
 *   private readonly webhook = webhookPublisher({ url: 'https://partner.example/events', secret: SECRET });
 *   publish = this.webhook.publish;
 * }
 *
 * @throws InvalidArgumentError at once for a URL or a secret that cannot be used.
 */
export function webhookPublisher({ url, secret, headers, clock = systemClock }: WebhookOptions): EventPublisher {
  const target = usableUrl(url);
  const secrets = usableSecrets(secret);
  return {
    publish: async (events: readonly OutboxEvent[], { signal, idempotencyKey }: DeliveryContext): Promise<void> => {
      const timestamp = String(Math.floor(clock.now() / 1_000));
      const body = JSON.stringify({ events });
      const response = await fetch(target, {
        method: 'POST',
        body,
        signal,
        // Elsewhere is not where events are meant to go.
        redirect: 'manual',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'idempotency-key': keyOf(events, idempotencyKey),
          [TIMESTAMP_HEADER]: timestamp,
          [SIGNATURE_HEADER]: signatureOf(secrets, timestamp, body),
        },
      });
      // Unread it would keep the connection busy.
      await response.body?.cancel();
      if (response.ok) return;
      const wait = retryAfterMs(response.headers.get('retry-after'), clock.now());
      throw refusal(response.status, `${target.origin} answered with status ${response.status}`, wait);
    },
  };
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
  throw new InvalidArgumentError('url', String(url), 'an http or https URL, without a user and password');
}

function usableSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && secrets.every((text) => typeof text === 'string' && text.length > 0)) return secrets;
  // Not the value itself: errors are written into logs.
  throw new InvalidArgumentError('secret', typeof secret, 'a text that is not empty, or several of them');
}
