import { ManualClock } from '../../../lib/core/time.js';
import { type PoolCounts, type PoolWait, PoolWaits } from '../../../lib/sql/pools.js';

describe('waits for a connection of the pool', () => {
  let clock: ManualClock;
  let counts: PoolCounts | undefined;
  let waits: PoolWaits;
  let told: PoolWait[];
  beforeEach(() => {
    clock = new ManualClock();
    counts = { most: 1, used: 1, busy: 0, pending: 2 };
    waits = new PoolWaits({ counts: () => counts, setting: 'pool.max' }, clock);
    told = [];
    waits.onWait((wait) => told.push(wait));
  });

  /** A wait of 5 s. */
  const tell = (): PoolWait => {
    const end = waits.begin();
    clock.advance(5_000);
    end();
    return told.at(-1)!;
  };

  it('are told of after 5 s, with the size that would do, and again while they last', () => {
    const first = waits.begin();
    clock.advance(2_000);
    const second = waits.begin();
    clock.advance(2_999);
    expect(told).toEqual([]);
    clock.advance(1);
    const wait = { why: 'held', most: 1, setting: 'pool.max' };
    expect(told).toEqual([{ ...wait, waitedMs: 5_000, waiting: 2, enough: 6 }]);
    first();
    counts = { ...counts!, pending: 1 };
    clock.advance(5_000);
    expect(told.slice(1)).toEqual([{ ...wait, waitedMs: 8_000, waiting: 1, enough: 6 }]);
    second();
    clock.advance(60_000);
    expect(told).toHaveLength(2);
  });

  it('are not told of if each ends in time, however many there are', () => {
    for (let i = 0; i < 20; i++) {
      const end = waits.begin();
      clock.advance(1_000);
      end();
    }
    expect(told).toEqual([]);
  });

  it('are told of when they have lasted 5 s, whenever they began', () => {
    const first = waits.begin();
    clock.advance(100);
    first();
    clock.advance(4_800);
    waits.begin();
    clock.advance(4_999);
    expect(told).toEqual([]);
    clock.advance(1);
    expect(told).toMatchObject([{ waitedMs: 5_000 }]);
  });

  it('are told of at once when the pool gives up, and once in 5 s', () => {
    const timeouts = [
      new Error('timeout exceeded when trying to connect'),
      new Error('Knex: Timeout acquiring a connection. The pool is probably full.'),
      new Error('Queue limit reached.'),
      new Error('No connections available.'),
      Object.assign(new Error('pool timeout'), { code: 'ER_GET_CONNECTION_TIMEOUT' }),
      new Error('of the ORM', { cause: new Error('timeout exceeded when trying to connect') }),
    ];
    for (const error of timeouts) {
      const end = waits.begin();
      clock.advance(2_000);
      end(error);
      waits.begin()(error);
      clock.advance(5_000);
    }
    expect(told.map(({ waitedMs }) => waitedMs)).toEqual(timeouts.map(() => 2_000));
    const lost = waits.begin();
    lost(new Error('Connection terminated unexpectedly'));
    expect(told).toHaveLength(timeouts.length);
  });

  it('have a reason: connections are held, all run statements, or none comes', () => {
    counts = { most: 10, used: 10, busy: 9, pending: 1 };
    expect(tell()).toMatchObject({ why: 'held', most: 10, enough: 24 });
    counts = { most: 10, used: 10, busy: 10, pending: 3 };
    expect(tell()).toEqual({ why: 'busy', most: 10, waitedMs: 5_000, waiting: 1, setting: 'pool.max' });
    counts = { most: 10, used: 9, busy: 0, pending: 3 };
    expect(tell()).toMatchObject({ why: 'opening', most: 10 });
    counts = { most: undefined, used: 9, busy: 0, pending: 3 };
    expect(tell()).toMatchObject({ why: 'opening' });
    counts = undefined;
    expect(Object.keys(tell()).sort()).toEqual(['setting', 'waitedMs', 'waiting']);
    expect(told.filter(({ enough }) => enough !== undefined)).toHaveLength(1);
  });

  it('count what the app waits for, too, up to a size that a server accepts', () => {
    counts = { most: 10, used: 10, busy: 4, pending: 6 };
    // Ten transactions, and the five requests of the app, of which each may need two; and the loops.
    expect(tell()).toMatchObject({ why: 'held', waiting: 1, enough: 34 });
    counts = { most: 10, used: 10, busy: 4, pending: 600 };
    expect(tell()).toEqual({ why: 'held', most: 10, waitedMs: 5_000, waiting: 1, setting: 'pool.max' });
  });
});
