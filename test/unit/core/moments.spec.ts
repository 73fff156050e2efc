import { ManualClock, Moments } from '../../../lib/core/time.js';

describe('the moments of a run', () => {
  it('are those of the clock, and do not go back with it', () => {
    const clock = new ManualClock(1_000);
    const moments = new Moments(clock);
    expect(moments.now()).toBe(1_000);
    clock.advance(5);
    expect(moments.now()).toBe(1_005);
    clock.advance(-3);
    expect(moments.now()).toBe(1_005);
    clock.advance(10);
    expect(moments.now()).toBe(1_012);
  });

  it('follow what others have recorded by a clock that is ahead', () => {
    const clock = new ManualClock(1_000);
    const moments = new Moments(clock);
    for (const at of [null, 990, 1_000]) moments.follow(at);
    expect(moments.now()).toBe(1_000);
    moments.follow(1_014);
    expect(moments.now()).toBe(1_015);
    moments.follow(1_007);
    expect(moments.now()).toBe(1_015);
    clock.advance(20);
    expect(moments.now()).toBe(1_020);
  });

  it('do not follow a clock that is wrong', () => {
    const moments = new Moments(new ManualClock(1_000));
    moments.follow(3_600_000);
    expect(moments.now()).toBe(1_000);
  });
});
