import { TransactionLostError } from '../../../lib/core/errors.js';
import { toDatabaseError } from '../../../lib/sql/database-errors.js';
import { lossOf } from '../../../lib/sql/connections.js';
import { postgres } from '../../../lib/sql/dialects.js';
import type { SqlConnection } from '../../../lib/sql/executor.js';

const alive: SqlConnection = { dialect: postgres, run: () => Promise.resolve({ rows: [], affected: 0 }) };
const failure = (fields: object) => Object.assign(new Error('it failed'), fields);

describe('what code of the app has thrown in a transaction', () => {
  describe.each([{ code: '55P03' }, { errno: 1205 }, { errno: 3572 }])('after a lock it did not get, %p', (fields) => {
    it.each([
      ['as it was thrown', failure(fields)],
      ['wrapped by an ORM', failure({ driverError: failure(fields) })],
      ['wrapped by us', toDatabaseError(failure(fields))],
    ])('is a loss %s', async (_, thrown) => {
      expect(await lossOf(thrown, alive)).toBeInstanceOf(TransactionLostError);
    });

    it.each([failure(fields), toDatabaseError(failure(fields))])(
      'is the own failure of the code where it is the cause of another error',
      async (cause) => expect(await lossOf(new Error('the seat is taken', { cause }), alive)).toBeUndefined(),
    );
  });

  it('is a loss where a deadlock is the cause of another error', async () => {
    const thrown = new Error('cannot book', { cause: failure({ code: '40P01' }) });
    expect(await lossOf(thrown, alive)).toBeInstanceOf(TransactionLostError);
  });
});
