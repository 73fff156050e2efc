import { DatabaseError } from '../../../lib/core/errors.js';
import { retryTransaction } from '../../../lib/sql/executor.js';

const deadlock = () => new DatabaseError('deadlock', true, { cause: { code: '40P01' } });
const lost = () => new DatabaseError('lost', true, { cause: { code: 'ECONNRESET' } });

/** Fails as often as there are errors. */
function failing(errors: Error[]): { attempt: () => Promise<string>; readonly tries: number } {
  let tries = 0;
  return {
    attempt: async () => {
      const error = errors[tries++];
      if (error) throw error;
      return 'done';
    },
    get tries() {
      return tries;
    },
  };
}

describe('a transaction', () => {
  it('runs again as a victim', async () => {
    const work = failing([deadlock(), deadlock(), deadlock()]);
    await expect(retryTransaction(work.attempt)).resolves.toBe('done');
    expect(work.tries).toBe(4);
  });

  it('gives up after so many tries', async () => {
    const work = failing(Array.from({ length: 99 }, deadlock));
    await expect(retryTransaction(work.attempt, { attempts: 3 })).rejects.toThrow('deadlock');
    expect(work.tries).toBe(3);
  });

  it('gives up after so long', async () => {
    let now = 0;
    const work = failing(Array.from({ length: 99 }, deadlock));
    const clock = { now: () => (now += 400) };
    await expect(retryTransaction(work.attempt, { giveUpAfterMs: 1_000, clock })).rejects.toThrow('deadlock');
    expect(work.tries).toBe(3);
  });

  it.each([lost(), new DatabaseError('no', false), new Error('mine')])(
    'does not run again after: %p',
    async (error) => {
      const work = failing([error]);
      await expect(retryTransaction(work.attempt)).rejects.toBe(error);
      expect(work.tries).toBe(1);
    },
  );
});
