import { randomUUID } from 'node:crypto';
import { type EventLimits, checkedEvent } from './events/checked-event.js';
import type { OutboxWriter } from './events/outbox-writer.js';
import type { NewOutboxEvent } from './outbox-event.js';

export interface PublishOptions {
  /**
   * The app's own open transaction, as its ORM hands it over: TypeORM's `EntityManager` or `QueryRunner`, MikroORM's
   * `EntityManager`. Default: the one that surrounds the caller, where the ORM knows it (MikroORM), or one of its own.
   */
  transaction?: unknown;
}

/**
 * Events of the app, published per channel in the order in which their transactions commit.
 *
 * ```ts
 * await dataSource.transaction(async (tx) => {
 *   await tx.update(Order, id, { status: 'paid' });
 *   await outbox.publish({ channel: `order:${id}`, name: 'paid', data: { by } }, { transaction: tx });
 * });
 * ```
 */
export class Outbox {
  constructor(
    private readonly writer: OutboxWriter,
    private readonly limits: EventLimits,
  ) {}

  /**
   * Writes one event or several with the commit of a transaction; what rolls back never was. Answers their mutation
   * ids, in the same order. Events that one transaction publishes to one channel keep their order, and come behind what
   * it inserted into the table by itself.
   *
   * @throws InvalidArgumentError for an event that cannot be stored; then none was written.
   * @throws InvalidTransactionError when `transaction` is no open transaction of the app's ORM.
   */
  async publish(
    events: NewOutboxEvent | readonly NewOutboxEvent[],
    { transaction }: PublishOptions = {},
  ): Promise<string[]> {
    const listed: readonly NewOutboxEvent[] = Array.isArray(events) ? events : [events as NewOutboxEvent];
    const written = listed.map((event) => checkedEvent(event, this.limits, randomUUID));
    await this.writer.write(written, transaction);
    return written.map(({ mutationId }) => mutationId);
  }

  /**
   * Publishes that a change which a client has shown already was refused. In a transaction of its own, since that of the
   * change is rolled back. Pass the `mutationId` of the change. Answers it.
   *
   * @throws InvalidArgumentError for an event that cannot be stored.
   */
  async reject(event: NewOutboxEvent): Promise<string> {
    const written = { ...checkedEvent(event, this.limits, randomUUID), rejected: true };
    await this.writer.writeAlone([written]);
    return written.mutationId;
  }
}
