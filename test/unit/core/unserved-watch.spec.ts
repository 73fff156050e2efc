import { UnservedWatch } from '../../../lib/core/leasing.js';
import { ManualClock } from '../../../lib/core/time.js';

describe('the watch over what nobody serves', () => {
  let clock: ManualClock;
  let found: string[] | undefined;
  let served: string[];
  let told: string[];
  let looks: number[];
  let watch: UnservedWatch<string>;
  beforeEach(() => {
    clock = new ManualClock();
    found = ['a', 'b'];
    served = [];
    told = [];
    looks = [];
    watch = new UnservedWatch({
      find: async (olderThanMs) => {
        looks.push(olderThanMs);
        return found && { items: found, isServed: (one) => served.includes(one) };
      },
      keyOf: (one) => one,
      tell: (one) => told.push(one),
      clock,
    });
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await watch.look();
  };

  it('looks once in 15 s at the most, from 15 s after it began, for what has waited for 30 s', async () => {
    await watch.look();
    await pass(13_999);
    expect(looks).toEqual([]);
    await pass(1_001);
    await watch.look();
    expect([looks, told]).toEqual([[30_000], ['a', 'b']]);
  });

  it('tells of the same again after ten minutes, if it lasts', async () => {
    await pass(15_000);
    await pass(585_000);
    await pass(13_999);
    expect(told).toEqual(['a', 'b']);
    await pass(1_001);
    expect(told).toEqual(['a', 'b', 'a', 'b']);
  });

  it('tells once of what not every look finds', async () => {
    await pass(15_000);
    for (let n = 0; n < 5; n++) {
      found = [];
      await pass(15_000);
      found = ['a', 'b'];
      await pass(15_000);
    }
    expect(told).toEqual(['a', 'b']);
  });

  it('tells again of what was served in between', async () => {
    await pass(15_000);
    [found, served] = [['b'], ['a']];
    await pass(15_000);
    [found, served] = [['a', 'b'], []];
    await pass(15_000);
    await pass(15_000);
    expect(told).toEqual(['a', 'b', 'a']);
  });

  it('tells of nothing, and forgets nothing, while another process looks', async () => {
    await pass(15_000);
    found = undefined;
    await pass(15_000);
    found = ['a', 'b'];
    await pass(15_000);
    expect(told).toEqual(['a', 'b']);
  });
});
