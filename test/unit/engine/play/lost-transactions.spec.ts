import { DatabaseError, TransactionLostError } from '../../../../lib/core/errors.js';
import { ManualClock } from '../../../../lib/core/time.js';
import { engineParts, type EngineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

const MOST = { conflict: 10, loss: 30 };

describe('a transaction that the database ends each time', () => {
  let clock: ManualClock;
  let parts: EngineParts;
  let begun: number;
  let thrown: Error;

  beforeEach(async () => {
    clock = new ManualClock();
    begun = 0;
    const begin = async (): Promise<never> => {
      begun++;
      throw thrown;
    };
    const storage = memoryStorage(clock);
    const { transactions } = storage;
    parts = engineParts(
      { ...storage, transactions: { join: (tx) => transactions.join(tx), ambient: () => undefined, begin } },
      { clock },
    );
    parts.define('order', (ctx) => ctx.transaction('book', () => null, { retry: false }));
    await parts.start();
  });
  afterEach(() => parts.stop());

  const turnUntil = (what: string, condition: () => boolean | Promise<boolean>) =>
    until(what, async () => {
      if (await condition()) return true;
      clock.advance(30_000);
      return false;
    });

  it.each(['conflict', 'loss'] as const)(
    'by something that the code itself does counts as an attempt in the end: a %s',
    async (kind) => {
      thrown = new TransactionLostError(new DatabaseError('It was ended', true), kind === 'conflict');
      const { id } = await parts.client.start('order');
      const isOver = async () => (await parts.client.getStatus(id)).status === 'failed';
      await turnUntil('the run has failed', isOver);
      expect(begun).toBe(MOST[kind] + 1);
      await expect(parts.client.result(id)).rejects.toMatchObject({ code: 'TRANSACTION_LOST' });
      const { history } = await parts.client.getStatus(id, { history: true });
      expect(history).toMatchObject([{ name: 'book', failures: 1 }]);
    },
  );

  it('before any of the code ran is tried again for as long as it takes', async () => {
    thrown = new DatabaseError('connect ECONNREFUSED', true);
    const { id } = await parts.client.start('order');
    await turnUntil('more tries than the code would get', () => begun > 3 * MOST.loss);
    expect((await parts.client.getStatus(id, { history: true })).status).toBe('running');
  });
});
