import { InvalidTransactionError } from '../../../lib/core/errors.js';
import { CommitListeners } from '../../../lib/core/transaction.js';
import { postgres } from '../../../lib/sql/dialects.js';
import { sqlTransaction } from '../../../lib/sql/executor.js';

describe('a transaction that a port was given', () => {
  const connection = { dialect: postgres, run: () => Promise.resolve({ rows: [], affected: 0 }) };

  it('is taken as it is where it is one of a database', () => {
    const tx = { ...connection, afterCommit: () => undefined };
    expect(sqlTransaction(tx)).toBe(tx);
  });

  it.each([
    ['in memory', new CommitListeners()],
    ['that nobody can be told of', connection as unknown as CommitListeners],
  ])('is refused when it is one %s', (_, tx) => {
    expect(() => sqlTransaction(tx)).toThrow(InvalidTransactionError);
  });
});
