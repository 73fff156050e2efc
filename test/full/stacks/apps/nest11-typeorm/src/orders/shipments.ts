import { Injectable } from '@nestjs/common';
import { OnOutboxMessage, type OutboxEvent } from 'nest-durable';
import type { EntityManager } from 'typeorm';
import { Order } from './order.entity';

@Injectable()
export class Shipments {
  /** Once per event: the position in the channel moves in this transaction. */
  @OnOutboxMessage('orders:*', { consumer: 'shipments' })
  async count(event: OutboxEvent<{ parcel: string }>, tx: EntityManager): Promise<void> {
    await tx.increment(Order, { id: event.channel.slice('orders:'.length) }, 'shipments', 1);
  }
}
