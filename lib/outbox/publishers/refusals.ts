import { NonRetryablePublishError, RetryAfterError } from '../../errors.js';

/** Too early, too slow, too many: the same request may well succeed later. */
const LATER = new Set([408, 425, 429]);

/** What a publisher throws when its receiver answered with a status that means failure. */
export function refusal(status: number, what: string, retryAfterMs?: number): Error {
  if ((status === 429 || status === 503) && retryAfterMs !== undefined) return new RetryAfterError(retryAfterMs, what);
  if (status >= 400 && status < 500 && !LATER.has(status)) return new NonRetryablePublishError(what);
  return new Error(what);
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
