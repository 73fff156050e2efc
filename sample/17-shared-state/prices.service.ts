import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DurablePubSub, DurableStore } from 'nest-durable';
import { DataSource, type EntityManager } from 'typeorm';
import { Price } from './price.entity.js';

@Injectable()
export class PricesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly cache = new Map<string, number>();
  /** How many messages have come: what was read before the last one may be out of date. */
  private heard = 0;
  private unsubscribe?: () => void;

  constructor(
    private readonly database: DataSource,
    private readonly store: DurableStore,
    private readonly pubsub: DurablePubSub,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.pubsub.subscribe('prices', (id) => {
      this.heard++;
      // Without an id, some may have been missed: nothing in the cache is certain any more.
      if (id === undefined) this.cache.clear();
      else this.cache.delete(id);
    });
  }

  onApplicationShutdown(): void {
    this.unsubscribe?.();
  }

  async priceOf(id: string): Promise<number> {
    const known = this.cache.get(id);
    if (known !== undefined) return known;
    const { heard } = this;
    const { euros } = await this.database.getRepository(Price).findOneByOrFail({ id });
    if (heard === this.heard) this.cache.set(id, euros);
    return euros;
  }

  /** Every process hears of it once it is committed. */
  async change(id: string, euros: number): Promise<void> {
    await this.database.transaction((transaction) => this.write(id, euros, transaction));
  }

  private async write(id: string, euros: number, transaction: EntityManager): Promise<void> {
    await transaction.upsert(Price, { id, euros }, ['id']);
    await this.pubsub.publish('prices', id, { transaction });
  }

  /** By the first process that asks; if it fails, by the next one: then nobody has the key. */
  async importDay(day: string, prices: Record<string, number>): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if (!(await this.store.setIfNotExists(`import:${day}`, 'done', { ttl: '7d', transaction }))) return false;
      for (const [id, euros] of Object.entries(prices)) await this.write(id, euros, transaction);
      return true;
    });
  }

  /** Ten for each customer and minute, whichever process is asked. */
  async mayAsk(customer: string, now: Date): Promise<boolean> {
    const minute = now.toISOString().slice(0, 16);
    return (await this.store.increment(`asked:${customer}:${minute}`, 1, { ttl: '2m' })) <= 10;
  }
}
