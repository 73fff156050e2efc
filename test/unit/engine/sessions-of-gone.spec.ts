import { ManualClock } from '../../../lib/core/time.js';
import { type NodeLoad, SessionsOfGone, SILENT_MS } from '../../../lib/engine/nodes.js';
import { memoryStorage } from '../../support/engine-storage.js';

const LEASE_MS = 5_000;
const IDLE = { steps: 0, residents: 0, eventLoopP99Ms: 0, pool: null, errors: 0, notifications: 'polling' } as const;
const node = (id: string, ...sessions: NonNullable<NodeLoad['sessions']>) => ({
  id,
  namespace: '',
  roles: 'engine',
  load: (): NodeLoad => ({ ...IDLE, sessions }),
});
const A1 = { session: 1, port: 4_001 };
const A2 = { session: 2, port: 4_002 };

describe('the sessions of processes that others wait for', () => {
  const setUp = () => {
    const clock = new ManualClock();
    const watch = new ManualClock();
    const { roster } = memoryStorage(clock);
    const ended: unknown[] = [];
    const end = async (gone: unknown) => ended.push(gone) > 0;
    const gone = new SessionsOfGone(roster, end, watch);
    const pass = (ms: number) => {
      clock.advance(ms);
      watch.advance(ms);
    };
    /** What is ended at looks that are 5 s apart. */
    const looks = async (count: number, ...holders: { session: number; port: number }[]) => {
      const all: unknown[] = [];
      for (let n = 0; n < count; n++) {
        await gone.endAmong(holders, (holder, nodeId) => all.push({ ...holder, nodeId }));
        pass(5_000);
      }
      return all;
    };
    return { clock, watch, roster, ended, gone, pass, looks };
  };

  it('are ended once their process has been silent for long enough, and was watched', async () => {
    const { roster, ended, looks } = setUp();
    await roster.beat(node('a', [1, 4_001], [2, 4_002]), LEASE_MS);
    expect(await looks(5, A1, A2)).toEqual([]);
    expect(await looks(1, A1, A2)).toEqual([
      { ...A1, nodeId: 'a' },
      { ...A2, nodeId: 'a' },
    ]);
    const all = [
      [1, 4_001],
      [2, 4_002],
    ];
    expect(ended).toEqual([
      { ...A1, all },
      { ...A2, all },
    ]);
  });

  it('are not within its lease, and not before they were watched for half of it', async () => {
    const { roster, pass, looks } = setUp();
    await roster.beat(node('a', [1, 4_001]), 60_000);
    pass(40_000);
    expect(await looks(6, A1)).toEqual([]);
    expect(await looks(1, A1)).toHaveLength(1);
  });

  it('are not where the clock of the database has jumped', async () => {
    const { clock, roster, looks, ended } = setUp();
    await roster.beat(node('a', [1, 4_001]), LEASE_MS);
    clock.advance(2 * SILENT_MS.since);
    expect(await looks(1, A1)).toEqual([]);
    for (let n = 0; n < 4; n++) {
      await roster.beat(node('a', [1, 4_001]), LEASE_MS);
      expect(await looks(1, A1)).toEqual([]);
    }
    expect(ended).toEqual([]);
  });

  it('are not by one that stood still itself', async () => {
    const { clock, watch, roster, looks } = setUp();
    await roster.beat(node('a', [1, 4_001]), LEASE_MS);
    expect(await looks(1, A1)).toEqual([]);
    clock.advance(60_000);
    watch.advance(60_000);
    expect(await looks(1, A1)).toEqual([]);
  });

  it('are not where nobody knows them, or their port is another one: a proxy may be between', async () => {
    const { roster, looks } = setUp();
    await roster.beat(node('a', [1, 4_001]), LEASE_MS);
    expect(await looks(10, { session: 9, port: 4_001 }, { session: 1, port: 4_002 })).toEqual([]);
  });

  it('are not where another one of that process is heard of', async () => {
    const { roster, looks } = setUp();
    await roster.beat(node('a', [1, 4_001]), LEASE_MS);
    for (let n = 0; n < 10; n++) {
      await roster.beat(node('b', [1, 4_001]), LEASE_MS);
      expect(await looks(1, A1)).toEqual([]);
    }
  });

  it('are not where it has signed off: it finishes what it began; nor long after it has died', async () => {
    const { roster, looks, pass } = setUp();
    await roster.beat(node('a', [1, 4_001]), LEASE_MS);
    await roster.beat(node('b', [2, 4_002]), LEASE_MS);
    await roster.leave('a');
    pass(1_000_000);
    expect(await looks(10, A1, A2)).toEqual([]);
  });
});
