import fc from 'fast-check';
import { type Grants, limiterOf, passing } from '../../../lib/engine/limits.js';

describe('a limiter', () => {
  it('lets never more than its rate begin in any window, whoever comes when, and is never closed for long', () => {
    const arrivals = fc.array(fc.record({ wait: fc.nat(400), count: fc.nat(6) }), { minLength: 1, maxLength: 80 });
    const rates = fc.record({ max: fc.integer({ min: 1, max: 7 }), durationMs: fc.integer({ min: 1, max: 2_000 }) });
    fc.assert(
      fc.property(arrivals, rates, (times, rate) => {
        let now = 1_000;
        let grants: Grants = [];
        const begun: number[] = [];
        for (const { wait, count } of times) {
          now += wait;
          const line = Array.from({ length: count }, (_, n) => ({ holder: `${n}`, limits: { rate } }));
          const passed = passing({ granted: 0, grants }, line, now);
          grants = passed.grants;
          begun.push(...passed.pass.map(() => now));
          if (passed.reason === null) continue;
          expect(passed.opensAt).toBeGreaterThan(now);
          const later = passing({ granted: 0, grants }, line.slice(0, 1), passed.opensAt!);
          expect(later.pass.length).toBe(1);
        }
        for (const from of begun)
          expect(begun.filter((at) => at >= from && at < from + rate.durationMs).length).toBeLessThanOrEqual(rate.max);
        expect(grants.length).toBeLessThanOrEqual(102);
      }),
    );
  });

  it('remembers no more than a hundred times, however many begin', () => {
    let grants: Grants = [];
    const rate = { max: 100_000, durationMs: 60_000 };
    for (let now = 0; now < 120_000; now += 7)
      ({ grants } = passing({ granted: 0, grants }, [{ holder: 'a', limits: { rate } }], now));
    expect(grants.length).toBeLessThanOrEqual(102);
  });

  it('keeps those behind one that may not pass behind it', () => {
    const line = [
      { holder: 'a', limits: { concurrency: 1 } },
      { holder: 'b', limits: { concurrency: 5 } },
    ];
    const { pass, reason } = passing({ granted: 1, grants: [] }, line, 0);
    expect([pass, reason]).toEqual([[], 'concurrency_limit']);
  });

  it('is another for another namespace, kind, name or key', () => {
    const limiters = [
      limiterOf('', 'workflow', 'a', ''),
      limiterOf('n', 'workflow', 'a', ''),
      limiterOf('', 'step', 'a', ''),
      limiterOf('', 'workflow', 'b', ''),
      limiterOf('', 'workflow', 'a', 'k'),
    ];
    expect(new Set(limiters).size).toBe(5);
    expect(limiters.every((limiter) => limiter.length <= 64)).toBe(true);
  });
});
