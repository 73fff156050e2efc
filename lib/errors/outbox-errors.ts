import { DurableError } from './durable-error.js';

/**
 * Thrown by a publisher: a retry would not help. The poison policy of its channel applies at once.
 *
 * @example throw new NonRetryablePublishError('The receiver knows no such topic');
 */
export class NonRetryablePublishError extends DurableError {
  readonly code = 'NON_RETRYABLE_PUBLISH';
}

/** A destination took longer for a call than `publishTimeout`. Retried like any failure. */
export class PublishTimeoutError extends DurableError {
  readonly code = 'PUBLISH_TIMEOUT';

  constructor(
    readonly destination: string,
    readonly timeoutMs: number,
  ) {
    super(
      `"${destination}" took longer than ${timeoutMs} ms to publish: make it stop when its signal aborts, or raise publishTimeout`,
    );
  }
}

/** Another program publishes this outbox: a connector that registered in the nodes table or locked rows. */
export class OutboxOccupiedError extends DurableError {
  readonly code = 'OUTBOX_OCCUPIED';

  constructor(readonly nodeId: string) {
    super(
      `The outbox is published by "${nodeId}", which does not belong to nest-durable: stop it and wait until its row in the table of nodes has expired. Two publishers at once would break the order of events`,
    );
  }
}
