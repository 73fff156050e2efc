import { DatabaseError } from '../../../lib/core/errors.js';
import { mayPass, untilBack } from '../../../lib/core/leasing.js';

const AWAY = new DatabaseError('away', true);
const AT_ONCE = { delay: 0 };

/** Fails so often. */
const flaky = (times: number, error: Error = AWAY) => {
  const tries: number[] = [];
  const work = (failures: number) => {
    tries.push(failures);
    return failures < times ? Promise.reject(error) : Promise.resolve('done');
  };
  return { tries, work };
};

describe('waiting until the database is back', () => {
  it('does the work until it succeeds, and tells it and others of each failure', async () => {
    const { tries, work } = flaky(3);
    const told: unknown[] = [];
    const onFailure = (...failure: unknown[]) => told.push(failure);
    expect(await untilBack(work, { onFailure, retry: { delay: 1, factor: 2 } })).toBe('done');
    expect(tries).toEqual([0, 1, 2, 3]);
    expect(told).toEqual([
      [AWAY, 1, 1],
      [AWAY, 2, 2],
      [AWAY, 3, 4],
    ]);
  });

  it('throws what is not the database’s at once, or what is said not to pass', async () => {
    const own = flaky(9, new Error('own'));
    await expect(untilBack(own.work, { retry: AT_ONCE })).rejects.toThrow('own');
    const refused = flaky(9, new DatabaseError('a constraint', false, { aboutData: true }));
    await expect(untilBack(refused.work, { retry: AT_ONCE, passes: mayPass })).rejects.toThrow('a constraint');
    expect([own.tries, refused.tries]).toEqual([[0], [0]]);
    const any = flaky(2, new Error('whatever'));
    expect(await untilBack(any.work, { retry: AT_ONCE, passes: () => true })).toBe('done');
  });

  it('ends with what whoever is told of a failure throws', async () => {
    const { work } = flaky(9);
    const onFailure = async (_: unknown, failures: number) => {
      if (failures === 2) throw new Error('that is enough');
    };
    await expect(untilBack(work, { onFailure, retry: AT_ONCE })).rejects.toThrow('that is enough');
  });

  it('tries once more when it is stopped while it waits, and then throws what it has waited out', async () => {
    const stopped = new AbortController();
    const { tries, work } = flaky(9);
    const onFailure = () => setImmediate(() => stopped.abort());
    const waiting = untilBack(work, { stopped: stopped.signal, onFailure, retry: { delay: 60_000 } });
    await expect(waiting).rejects.toBe(AWAY);
    expect(tries).toEqual([0, 1]);
    await expect(untilBack(work, { stopped: stopped.signal })).rejects.toBe(AWAY);
    expect(tries).toEqual([0, 1, 0]);
  });
});
