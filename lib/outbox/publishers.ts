import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError, NonRetryablePublishError } from '../core/errors.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import { idempotencyKeyOf } from '../core/protocol.js';
import { RetryAfterError } from '../core/run-errors.js';
import { asError } from '../core/thrown.js';
import { type Clock, type Duration, systemClock, toMs } from '../core/time.js';
import type { DeliveryContext, Destination } from './destinations.js';
import { isRunChannel, type OutboxEvent } from './events.js';

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
function refusal(status: number, what: string, retryAfterMs?: number): Error {
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
function unreached(who: string, reason: unknown, cause: unknown): Error {
  const text = `${who} could not be reached: ${String(reason)}`;
  return AWAY.test(text) ? new RetryAfterError(AWAY_MS, text, { cause }) : new Error(text, { cause });
}

/** Limits for `Retry-After`: no immediate retries in a loop, and no channel stopped for long by a mistake. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/** The `Retry-After` header (seconds or a date) in ms, from a second to an hour; undefined if it is invalid. */
function retryAfterMs(header: string | null, now: number): number | undefined {
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

/** The headers that a receiver verifies. */
export const TIMESTAMP_HEADER = 'x-durable-timestamp';
export const SIGNATURE_HEADER = 'x-durable-signature';

/** A signature is `v1=<HMAC-SHA256 of "timestamp.body" in hex>`: one per secret, separated by commas. */
const SIGNATURE_VERSION = 'v1';

const hmac = (secret: string, timestamp: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

const signatureOf = (secrets: readonly string[], timestamp: string, body: string): string =>
  secrets.map((secret) => `${SIGNATURE_VERSION}=${hmac(secret, timestamp, body)}`).join(',');

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
  const expected = secrets.map((one) => Buffer.from(`${SIGNATURE_VERSION}=${hmac(one, timestamp, content)}`));
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

const WEBHOOK_OPTIONS = { url: true, secret: true, headers: true, clock: true } satisfies KnownOptions<WebhookOptions>;

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
  const { url, secret, headers, clock = systemClock } = checkedOptions(options, WEBHOOK_OPTIONS, 'webhookPublisher');
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

/** Includes the last number of a batch: a batch may have grown before it is retried, and then needs another key. */
function keyOf(events: readonly OutboxEvent[], idempotencyKey: string): string {
  const [last] = events.slice(-1);
  return idempotencyKeyOf(events.length > 1 ? `${idempotencyKey}..${last?.sequenceId}` : idempotencyKey);
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

const ABLY_OPTIONS = { clock: true } satisfies KnownOptions<AblyOptions>;

/** The version of the REST interface. */
const ABLY_VERSION = 3;

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
  const { clock = systemClock } = checkedOptions(options, ABLY_OPTIONS, 'ablyPublisher');
  return {
    publish: async (events: readonly OutboxEvent[], { signal }: DeliveryContext): Promise<void> => {
      for (const event of events) {
        signal.throwIfAborted();
        const path = `/channels/${encodeURIComponent(event.channel)}/messages`;
        const answer = await unlessAborted(client.request('post', path, ABLY_VERSION, {}, messageOf(event)), signal);
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
      answer.then(resolve, (thrown: unknown) => reject(unsent(asError(thrown))));
    });
  } finally {
    ended.abort();
  }
}

/** The event is not at fault: the network failed, or the library could not get a token. */
const unsent = (error: Error): Error => unreached('Ably', error.message, error);

function refused({ statusCode, errorMessage, headers }: AblyAnswer, now: number): Error {
  const header = (headers as Record<string, unknown> | undefined)?.['retry-after'];
  const asked = retryAfterMs(typeof header === 'string' ? header : null, now);
  const wait = asked ?? (statusCode === 429 ? RATE_WINDOW_MS : undefined);
  return refusal(statusCode, `Ably answered with status ${statusCode}: ${errorMessage ?? 'no reason'}`, wait);
}

/** The used part of `ClientProxy` of `@nestjs/microservices`, so that it stays an optional peer. */
export interface EventEmittingClient {
  emit(pattern: unknown, data: unknown): EmittedEvent;
}

/** The used part of an `Observable`. */
export interface EmittedEvent {
  subscribe(observer: { complete: () => void; error: (error: unknown) => void }): { unsubscribe(): void };
}

export interface ClientProxyOptions {
  /** The pattern to emit. Default: the event's name. */
  pattern?: (event: OutboxEvent) => unknown;
  /**
   * The payload to emit. Default: the whole event with its headers; receivers need its number to drop duplicates. May
   * be a record of the transport, for example of `NatsRecordBuilder` or `RmqRecordBuilder`, to set its headers.
   */
  payload?: (event: OutboxEvent) => unknown;
}

const PROXY_OPTIONS = { pattern: true, payload: true } satisfies KnownOptions<ClientProxyOptions>;

/**
 * Emits events with a client of `@nestjs/microservices`, one at a time: the next once the transport has accepted the
 * previous one. Delivery is only as reliable as the acknowledgement of the transport.
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
  const { pattern = ({ name }: OutboxEvent) => name, payload = (event: OutboxEvent) => event } = checkedOptions(
    options,
    PROXY_OPTIONS,
    'clientProxyPublisher',
  );
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

/** Clients refuse to emit null and undefined. */
function present(what: string, value: unknown, { sequenceId, name }: OutboxEvent): unknown {
  if (value !== undefined && value !== null) return value;
  const text = `The event ${sequenceId} has no ${what} to emit: look at the option "${what}" for events named "${name}"`;
  throw new NonRetryablePublishError(text);
}

/** Resolves once what `emit` returns has completed; rejects when it fails or `signal` aborts. */
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
