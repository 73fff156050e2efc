import { UnservedWatch } from '../../../lib/leasing/unserved-watch.js';
import { ManualClock } from '../../../lib/time/clock.js';

describe('the watch over what nobody serves', () => {
  it('looks once a minute at the most, from a minute after it began, and tells of all it finds', async () => {
    const clock = new ManualClock();
    const told: string[] = [];
    const looks: number[] = [];
    const find = async (olderThanMs: number) => (looks.push(olderThanMs), ['a', 'b']);
    const watch = new UnservedWatch({ find, tell: (found) => told.push(found), patienceMs: 300_000, clock });
    await watch.look();
    clock.advance(59_999);
    await watch.look();
    expect(looks).toEqual([]);
    clock.advance(1);
    await watch.look();
    await watch.look();
    expect([looks, told]).toEqual([[300_000], ['a', 'b']]);
    clock.advance(60_000);
    await watch.look();
    expect(looks).toHaveLength(2);
  });
});
