import { type NodeLoad, SessionsOfGone } from '../../../lib/engine/nodes.js';
import { memoryStorage } from '../../support/engine-storage.js';

const LEASE_MS = 30;
const IDLE = { steps: 0, residents: 0, eventLoopP99Ms: 0, pool: null, errors: 0, notifications: 'polling' } as const;
const node = (id: string, ...sessions: NonNullable<NodeLoad['sessions']>) => ({
  id,
  namespace: '',
  roles: 'engine',
  load: (): NodeLoad => ({ ...IDLE, sessions }),
});

describe('the sessions of processes', () => {
  const ended: number[] = [];
  const { roster } = memoryStorage();
  const gone = new SessionsOfGone(roster, async ({ session }) => ended.push(session) > 0);
  beforeEach(() => void ended.splice(0));

  it('are ended when they stand in the way and their process has ended, or has not renewed its lease', async () => {
    await roster.beat(node('a', [1, 4_001], [2, 4_002]), 60_000);
    await roster.leave('a');
    await roster.beat(node('b', [3, 4_003]), LEASE_MS);
    expect(await gone.release(2, 4_002)).toBe('a');
    expect(await gone.release(3, 4_003)).toBe('b');
    expect(ended).toEqual([2, 3]);
  });

  it('are not, where nobody knows them, or their port is another one: a proxy may be between', async () => {
    expect(await gone.release(9, 4_001)).toBeUndefined();
    expect(await gone.release(1, 4_002)).toBeUndefined();
    expect(ended).toEqual([]);
  });

  it('are not, where their process renews its lease meanwhile', async () => {
    await roster.beat(node('c', [5, 4_005]), LEASE_MS);
    const released = gone.release(5, 4_005);
    await roster.beat(node('c', [5, 4_005]), 60_000);
    expect(await released).toBeUndefined();
    expect(ended).toEqual([]);
  });
});
