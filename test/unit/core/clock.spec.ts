import { SynchronizedClock } from '../../../lib/core/time.js';

describe('a clock that follows another machine', () => {
  it('is the fallback until it has heard from it', () => {
    expect(new SynchronizedClock({ now: () => 42 }).now()).toBe(42);
  });

  it('T17: goes by the other clock, however wrong its own is', () => {
    const clock = new SynchronizedClock({ now: () => 42 });
    clock.set(5_000_000);
    const first = clock.now();
    expect(first).toBeGreaterThanOrEqual(5_000_000);
    expect(first).toBeLessThan(5_060_000);
    expect(clock.now()).toBeGreaterThanOrEqual(first);
  });
});
