import { type DriverConnection, OpenTransaction } from '../../../lib/sql/connections.js';
import { postgres } from '../../../lib/sql/dialects.js';
import { STATEMENT_MS } from '../../../lib/sql/pools.js';

/** On a server whose COMMIT ends so. */
function transaction(onCommit: () => Promise<void> = () => Promise.resolve()) {
  const connection: DriverConnection = {
    command: (text) => (text === 'COMMIT' ? onCommit() : Promise.resolve()),
    execute: () => Promise.resolve({ rows: [], affected: 0 }),
  };
  return new OpenTransaction(connection, postgres, STATEMENT_MS);
}

describe('what waits for the commit of a transaction of ours', () => {
  let heard: number;
  beforeEach(() => (heard = 0));

  const ended = async (tx: OpenTransaction) => {
    tx.afterCommit(() => heard++);
    await tx.begin();
    await tx.commit().catch(() => tx.rollback());
    expect(heard).toBe(0);
    tx.tell();
    tx.tell();
    return heard;
  };

  it('is called once it is told, once', async () => expect(await ended(transaction())).toBe(1));

  it('is not where the reply to the COMMIT was lost: a hint may carry an answer that was rolled back', async () => {
    const lost = () => Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' }));
    expect(await ended(transaction(lost))).toBe(0);
  });

  it('is not where the server refused the COMMIT', async () => {
    const refused = () => Promise.reject(Object.assign(new Error('refused'), { code: '40001' }));
    expect(await ended(transaction(refused))).toBe(0);
  });

  it('is not after a rollback', async () => {
    const tx = transaction();
    tx.afterCommit(() => heard++);
    await tx.begin();
    await tx.rollback();
    tx.tell();
    expect(heard).toBe(0);
  });
});
