import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError } from '../../errors.js';
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
