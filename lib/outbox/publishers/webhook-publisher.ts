import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { DeliveryContext } from '../model/destination.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import { type EventPublisher, refusal, retryAfterMs, unreached } from './event-publisher.js';
import { type Clock, systemClock } from '../../time/clock.js';
import { type Duration, toMs } from '../../time/duration.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

/** The headers that a receiver verifies. */
export const TIMESTAMP_HEADER = 'x-durable-timestamp';
export const SIGNATURE_HEADER = 'x-durable-signature';

/** A signature is `v1=<HMAC-SHA256 of "timestamp.body" in hex>`: one per secret, separated by commas. */
const VERSION = 'v1';

const hmac = (secret: string, timestamp: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

const signatureOf = (secrets: readonly string[], timestamp: string, body: string): string =>
  secrets.map((secret) => `${VERSION}=${hmac(secret, timestamp, body)}`).join(',');

/** The type of a header in a server's request. */
type HeaderValue = string | readonly string[] | undefined;

export interface SignedRequest {
  /** Known to sender and receiver. During a rotation pass several: any of them is accepted. */
  secret: string | readonly string[];
  /** The header `x-durable-timestamp`: epoch seconds. */
  timestamp: HeaderValue;
  /** The header `x-durable-signature`. */
  signature: HeaderValue;
  /** The unparsed body: `rawBody` of a request, if the app is created with `{ rawBody: true }`. */
  body: string | Uint8Array | undefined;
  /** The maximum age of a request, and how far the sender's clock may be ahead. Default `'5m'`. */
  tolerance?: Duration;
  clock?: Clock;
}

/**
 * Whether a request was signed with the secret and is recent. For the receivers of `webhookPublisher`. The same request
 * may arrive again within the tolerance, for example when its acknowledgement was lost: drop duplicate events by their
 * `sequenceId`, which is signed.
 *
 * @example
 * const { 'x-durable-timestamp': timestamp, 'x-durable-signature': signature } = req.headers;
 * if (!verifyWebhook({ secret, timestamp, signature, body: req.rawBody })) throw new UnauthorizedException();
 *
 * @throws InvalidArgumentError for an empty secret, and for a body that is parsed or missing.
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
  const expected = 'the unparsed bytes: rawBody of the request, in an app that was created with { rawBody: true }';
  throw new InvalidArgumentError('body', typeof body, expected);
}

/** @throws InvalidArgumentError unless there is at least one secret and none is empty. */
function usableSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && secrets.every((text) => typeof text === 'string' && text.length > 0)) return secrets;
  // Not the value itself: errors are logged.
  throw new InvalidArgumentError('secret', typeof secret, 'a string that is not empty, or a list of such strings');
}

export interface WebhookOptions {
  /** Where events are posted to: `https:`, or `http:` inside your own network. */
  url: string | URL;
  /** Known to sender and receiver. During a rotation pass several: the request is signed with each. */
  secret: string | readonly string[];
  /** Additional headers, for example `authorization`; they cannot replace the headers that the publisher sets. */
  headers?: Readonly<Record<string, string>>;
  /** The clock of the signed timestamp. Default: the system clock. */
  clock?: Clock;
}

const OPTIONS = { url: true, secret: true, headers: true, clock: true } satisfies KnownOptions<WebhookOptions>;

/**
 * Posts events as JSON, `{ "events": [ … ] }`, in one request per batch. `x-durable-signature` is an HMAC-SHA256 over
 * timestamp and body, which `verifyWebhook` checks; `idempotency-key` is the same for every try of the same events.
 *
 * A 2xx status acknowledges. After 429 and 503 it is retried after `Retry-After`; 401, 408, 425, redirects and 5xx are
 * retried with backoff; for any other 4xx the poison policy applies at once.
 *
 * @example
 * \@OutboxPublisher({ name: 'partner', batchSize: 20 })
 * export class Partner implements EventPublisher {
 *   private readonly webhook = webhookPublisher({ url: 'https://partner.example/events', secret: SECRET });
 *   publish = this.webhook.publish;
 * }
 *
 * @throws InvalidArgumentError synchronously for an invalid URL, secret or headers.
 */
export function webhookPublisher(options: WebhookOptions): EventPublisher {
  const { url, secret, headers, clock = systemClock } = checkedOptions(options, OPTIONS, 'webhookPublisher');
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
    // Redirects are not followed: events must go to the configured URL only.
    const response = await fetch(target, { method: 'POST', redirect: 'manual', ...request });
    // An unread body would keep the connection busy; the status alone counts.
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
 * Includes the last number of a batch: a batch may have grown before it is retried, and then needs another key. Only
 * printable ASCII, as headers require.
 */
function keyOf(events: readonly OutboxEvent[], idempotencyKey: string): string {
  const [last] = events.slice(-1);
  return encodeURI(events.length > 1 ? `${idempotencyKey}..${last?.sequenceId}` : idempotencyKey);
}

function usableUrl(url: string | URL): URL {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password) return parsed;
  // Passwords are removed: errors are logged.
  const shown = String(url).replace(/\/\/.*@/, '//…@');
  throw new InvalidArgumentError('url', shown, 'an http or https URL, without a user and password');
}

function usableHeaders(headers: Readonly<Record<string, string>> = {}): Headers {
  try {
    return new Headers(headers);
  } catch {
    const expected = 'valid headers: names of letters and hyphens, values of one line in Latin-1';
    throw new InvalidArgumentError('headers', Object.keys(headers).join(', '), expected);
  }
}
