import type { OnPoison } from '../outbox/model/poison-policy.js';

/** What `@OutboxPublisher` may say. */
export interface OutboxPublisherOptions {
  /**
   * What the database knows its positions by; must outlive renames of the class. 1 to 191 characters. Default: the name
   * of the class.
   */
  name?: string;
  /** The most events of one channel for one call. Default 50. */
  batchSize?: number;
  /** What becomes of an event that it does not take. Default: as the module's option `outbox.onPoison` says. */
  onPoison?: OnPoison;
  /** How often an event is tried before that. Default: as the module's option `outbox.attempts` says. */
  attempts?: number;
}

/** What `@OnOutboxMessage` may say. */
export interface OnOutboxMessageOptions {
  /**
   * What the database knows its positions by; must outlive renames. Methods of the same consumer share a transaction
   * and succeed or fail together. 1 to 191 characters. Default `Class.method`.
   */
  consumer?: string;
}
