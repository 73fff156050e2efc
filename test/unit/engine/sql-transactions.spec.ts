import { SqlTransactions } from '../../../lib/engine/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { thrownBy } from '../../support/thrown-by.js';

/** As an ORM that throws what became of its ROLLBACK. */
const executor = {
  ormTransaction: (work: (handle: unknown, tx: unknown) => Promise<unknown>) =>
    work({}, {}).catch(() => {
      throw new Error('The ROLLBACK was refused');
    }),
} as unknown as SqlExecutor;

describe('a transaction whose ROLLBACK fails too', () => {
  it.each([new Error('The card was declined'), undefined])('tells what its work has thrown: %s', async (thrown) => {
    expect(await thrownBy(new SqlTransactions(executor).begin(() => Promise.reject(thrown as Error)))).toBe(thrown);
  });
});
