import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from '../../time/clock.js';
import { type Duration, toMs } from '../../time/duration.js';

/** The headers that a receiver verifies. */
export const TIMESTAMP_HEADER = 'x-durable-timestamp';
export const SIGNATURE_HEADER = 'x-durable-signature';

/** A signature is `v1=<HMAC-SHA256 of "timestamp.body" in hex>`, for each secret one, separated by commas. */
const VERSION = 'v1';

const hmac = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

export const signatureOf = (secrets: readonly string[], timestamp: string, body: string): string =>
  secrets.map((secret) => `${VERSION}=${hmac(secret, timestamp, body)}`).join(',');

export interface SignedRequest {
  secret: string;
  /** Of the header `x-durable-timestamp`: epoch seconds. */
  timestamp: string;
  /** Of the header `x-durable-signature`. */
  signature: string;
  /** As it came, not parsed. */
  body: string;
  /** How old a request may be, and how far ahead the sender's clock. Default `'5m'`. */
  tolerance?: Duration;
  clock?: Clock;
}

/**
 * Whether a request comes from somebody who has the secret, and not from long ago. For the receiving side of
 * `webhookPublisher`.
 *
 * @example
 * verifyWebhook({ secret, timestamp: req.headers['x-durable-timestamp'], signature: req.headers['x-durable-signature'], body })
 */
export function verifyWebhook({ secret, timestamp, signature, body, ...options }: SignedRequest): boolean {
  const { tolerance = '5m', clock = systemClock } = options;
  const age = Math.abs(clock.now() - Number(timestamp) * 1_000);
  if (!(age <= toMs(tolerance, 'tolerance'))) return false;
  const expected = Buffer.from(hmac(secret, timestamp, body));
  return signature.split(',').some((part) => {
    const [version, given = ''] = part.trim().split('=');
    const actual = Buffer.from(given);
    return version === VERSION && actual.length === expected.length && timingSafeEqual(actual, expected);
  });
}
