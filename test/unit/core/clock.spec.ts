import { SynchronizedClock } from '../../../lib/core/time.js';

describe('a clock that follows another machine', () => {
  it('is the fallback until it has heard from it', () => {
    expect(new SynchronizedClock({ now: () => 42 }).now()).toBe(42);
  });

  it('T17: goes by the other clock, however wrong its own is', () => {
    const clock = new SynchronizedClock({ now: () => 42 });
    const before = performance.now();
    clock.set(5_000_000);
    const first = clock.now();
    expect(first).toBeGreaterThanOrEqual(5_000_000);
    expect(first).toBeLessThanOrEqual(5_000_000 + Math.ceil(performance.now() - before));
    expect(clock.now()).toBeGreaterThanOrEqual(first);
  });
});
