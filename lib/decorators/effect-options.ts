import type { BackoffOptions } from '../time/backoff.js';
import type { Duration } from '../time/duration.js';

/** What `@Effect` may say besides the name. */
export interface EffectOptions {
  /** How often a call is tried before it is abandoned, the first time included. Default 8. */
  attempts?: number;
  /** How long one try may take; then its signal aborts, and it has failed. Default `'20s'`. */
  timeout?: Duration;
  /**
   * For how long a call stays with a process that says nothing, as one that died; renewed while the call lasts, three
   * times as often. Default `'5m'`.
   */
  leaseDuration?: Duration;
  /** The wait after each failed try. Default: 30 s, doubling, at most an hour, without jitter. */
  backoff?: BackoffOptions;
}
