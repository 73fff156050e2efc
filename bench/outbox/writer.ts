import { sql } from '../../lib/sql/statement.js';
import { sequence } from '../lives.js';
import { serve } from '../serve.js';
import type { Address } from '../server.js';
import { type Publications, publishOneByOne } from './publications.js';
import { openOutboxStorage, outboxOf, type OutboxStorage } from './storage.js';

let storage: OutboxStorage;

export interface Transactions {
  count: number;
  /** Events of each. */
  events: number;
}

serve({
  open: async ({ address }: { address: Address }) => {
    storage = await openOutboxStorage(address);
    await storage.executor.run(sql`CREATE TABLE IF NOT EXISTS balances (id int PRIMARY KEY, amount int NOT NULL)`);
    await storage.executor.run(sql`INSERT INTO balances VALUES (1, 0) ON CONFLICT DO NOTHING`);
  },
  publish: (publications: Publications) => publishOneByOne(storage, outboxOf(storage), publications),
  /** One change of the app after the other. Returns the milliseconds of each. */
  transactions: ({ count, events }: Transactions) => {
    const outbox = outboxOf(storage);
    const listed = Array.from({ length: events }, (_, n) => ({
      channel: `channel:${n}`,
      name: 'changed',
      data: { n },
    }));
    return sequence(
      () =>
        storage.executor.ormTransaction(async (transaction, tx) => {
          await tx.run(sql`UPDATE balances SET amount = amount + 1 WHERE id = 1`);
          if (events > 0) await outbox.publish(listed, { transaction });
        }),
      count,
    );
  },
  stop: () => storage.close(),
});
