import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError } from '../../errors.js';
import type { DeliveryContext } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import { type EventPublisher, refusal, retryAfterMs, unreached } from './event-publisher.js';
import { type Clock, systemClock } from '../../time/clock.js';
import { type Duration, toMs } from '../../time/duration.js';

/** The headers that a receiver verifies. */
export const TIMESTAMP_HEADER = 'x-durable-timestamp';
export const SIGNATURE_HEADER = 'x-durable-signature';

/** A signature is `v1=<HMAC-SHA256 of "timestamp.body" in hex>`, for each secret one, separated by commas. */
const VERSION = 'v1';

const hmac = (secret: string, timestamp: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

export const signatureOf = (secrets: readonly string[], timestamp: string, body: string): string =>
  secrets.map((secret) => `${VERSION}=${hmac(secret, timestamp, body)}`).join(',');

/** What a server has of a header. */
type HeaderValue = string | readonly string[] | undefined;

export interface SignedRequest {
  /** Known to sender and receiver. Several while one takes the place of another: either will do. */
  secret: string | readonly string[];
  /** Of the header `x-durable-timestamp`: epoch seconds. */
  timestamp: HeaderValue;
  /** Of the header `x-durable-signature`. */
  signature: HeaderValue;
  /** As it came, not parsed: `rawBody` of a request, once the app is made with `{ rawBody: true }`. */
  body: string | Uint8Array | undefined;
  /** How old a request may be, and how far ahead the sender's clock. Default `'5m'`. */
  tolerance?: Duration;
  clock?: Clock;
}

/**
 * Whether a request comes from somebody who has the secret, and not from long ago. For the receiving side of
 * `webhookPublisher`. Within the tolerance it may come again, as it does when its acknowledgement was lost: drop events
 * by their `sequenceId`, which is signed.
 *
 * @example
 * const { 'x-durable-timestamp': timestamp, 'x-durable-signature': signature } = req.headers;
 * if (!verifyWebhook({ secret, timestamp, signature, body: req.rawBody })) throw new UnauthorizedException();
 *
 * @throws InvalidArgumentError for a secret that is empty, which anybody would have, and for a body that is parsed or
 *   missing.
 */
export function verifyWebhook({ secret, timestamp, signature, body, ...options }: SignedRequest): boolean {
  const { tolerance = '5m', clock = systemClock } = options;
  const secrets = usableSecrets(secret);
  const content = usableBody(body);
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  const age = Math.abs(clock.now() - Number(timestamp) * 1_000);
  if (!(age <= toMs(tolerance, 'tolerance'))) return false;
  const expected = secrets.map((one) => Buffer.from(`${VERSION}=${hmac(one, timestamp, content)}`));
  const given = signature.split(',').map((part) => Buffer.from(part.trim()));
  return given.some((one) => expected.some((right) => one.length === right.length && timingSafeEqual(one, right)));
}

function usableBody(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return body as string | Uint8Array;
  const expected = 'the bytes as they came: rawBody of the request, in an app that was made with { rawBody: true }';
  throw new InvalidArgumentError('body', typeof body, expected);
}

/** @throws InvalidArgumentError unless each is a text that is not empty, and there is one. */
export function usableSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && secrets.every((text) => typeof text === 'string' && text.length > 0)) return secrets;
  // Not the value itself: errors are written into logs.
  throw new InvalidArgumentError('secret', typeof secret, 'a text that is not empty, or several of them');
}

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
