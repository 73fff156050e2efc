import { checkBackoff } from '../../../lib/core/options.js';
import { backoffMs } from '../../../lib/core/time.js';

it('doubles from one second to five minutes by default', () => {
  expect([1, 2, 3, 9, 10, 5_000].map((attempt) => backoffMs(attempt))).toEqual([
    1_000, 2_000, 4_000, 256_000, 300_000, 300_000,
  ]);
});

it('takes its options', () => {
  const options = { delay: '10ms', factor: 10, maxDelay: 5_000 } as const;
  expect([1, 2, 3, 4].map((attempt) => backoffMs(attempt, options))).toEqual([10, 100, 1_000, 5_000]);
  expect(backoffMs(7, { delay: 20, factor: 1 })).toBe(20);
});

it('never waits where there is no delay, however many attempts', () => {
  expect(backoffMs(5_000, { delay: 0 })).toBe(0);
});

it('spreads its waits over the whole range with full jitter', () => {
  const waits = Array.from({ length: 500 }, () => backoffMs(1, { jitter: 'full' }));
  expect(Math.min(...waits)).toBeLessThan(150);
  expect(Math.max(...waits)).toBeGreaterThan(850);
  expect(waits.every((ms) => ms >= 0 && ms <= 1_000)).toBe(true);
});

it('makes a part of the wait random', () => {
  const waits = Array.from({ length: 500 }, () => backoffMs(2, { jitter: 0.25 }));
  expect(Math.min(...waits)).toBeLessThan(1_550);
  expect(Math.max(...waits)).toBeGreaterThan(1_950);
  expect(waits.every((ms) => ms >= 1_500 && ms <= 2_000)).toBe(true);
  expect(backoffMs(2, { jitter: 0 })).toBe(2_000);
});

it.each([0, -1, 1.5, Number.NaN])('refuses the attempt %d', (attempt) => {
  expect(() => backoffMs(attempt)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }) as Error);
});

it.each([1.01, -0.1, Number.NaN, 'some'])('refuses the jitter %s', (jitter) => {
  expect(() => backoffMs(1, { jitter: jitter as number })).toThrow(/^backoff.jitter is .+ from 0 to 1$/);
  expect(() => checkBackoff({ jitter: jitter as number }, 'backoff')).toThrow(/backoff.jitter.*from 0 to 1/);
});

it.each([0.5, 0, -1, Number.NaN])('refuses the factor %d', (factor) => {
  expect(() => backoffMs(1, { factor })).toThrow(/^backoff.factor is .+: pass a number of at least 1$/);
});

it('takes a duration for the delay, and a delay above the longest wait for that wait', () => {
  expect([1, 2].map((attempt) => backoffMs(attempt, '50ms'))).toEqual([50, 100]);
  expect([1, 2].map((attempt) => backoffMs(attempt, { delay: '10m' }))).toEqual([600_000, 600_000]);
  expect(backoffMs(1, { delay: '10m', maxDelay: '1m' })).toBe(60_000);
});
