import type { Clock } from '@sinonjs/fake-timers';
import { getEventListeners } from 'node:events';
import { real, sleep } from '../../../lib/core/time.js';
import { fakeTime } from '../../support/fake-time.js';

const DAY_MS = 86_400_000;

describe('sleep', () => {
  let clock: Clock;
  /** The timers of long sleeps. Those of files before this one, which may still be at work, are shorter. */
  const timers = new Set<unknown>();
  beforeEach(() => {
    clock = fakeTime();
    timers.clear();
    const { setTimeout, clearTimeout } = real;
    const noted = (work: () => void, ms: number) => {
      const timer = setTimeout(work, ms);
      if (ms >= DAY_MS) timers.add(timer);
      return timer;
    };
    const removed = (timer: NodeJS.Timeout) => {
      timers.delete(timer);
      clearTimeout(timer);
    };
    Object.assign(real, { setTimeout: noted, clearTimeout: removed });
  });
  afterEach(() => clock.uninstall());

  const watch = (sleeping: Promise<void>) => {
    const state = { over: false };
    void sleeping.then(() => (state.over = true));
    return state;
  };

  it('resolves after its time and not before', async () => {
    const state = watch(sleep(100));
    await clock.tickAsync(99);
    expect(state.over).toBe(false);
    await clock.tickAsync(1);
    expect(state.over).toBe(true);
  });

  it('E3: is as long as it is told, also beyond 24.8 days', async () => {
    const state = watch(sleep(60 * DAY_MS));
    await clock.tickAsync(60 * DAY_MS - 1);
    expect(state.over).toBe(false);
    await clock.tickAsync(1);
    expect(state.over).toBe(true);
  });

  it('ends at once when its signal aborts, and leaves no timer', async () => {
    const abort = new AbortController();
    const sleeping = sleep(60 * DAY_MS, abort.signal);
    abort.abort();
    await sleeping;
    expect(timers.size).toBe(0);
  });

  it('costs a signal one listener however many sleep under it, and none once all have woken', async () => {
    const abort = new AbortController();
    const listeners = () => getEventListeners(abort.signal, 'abort').length;
    const many = (ms: number) => Array.from({ length: 100 }, () => sleep(ms, abort.signal));
    const first = Promise.all([...many(10), ...many(20)]);
    expect(listeners()).toBe(1);
    await clock.tickAsync(10);
    expect(listeners()).toBe(1);
    await clock.tickAsync(10);
    await first;
    expect(listeners()).toBe(0);
    const last = Promise.all(many(DAY_MS));
    expect(timers.size).toBe(100);
    abort.abort();
    await last;
    expect([listeners(), timers.size]).toEqual([0, 0]);
  });

  it('does not begin when the signal is aborted already', async () => {
    await sleep(DAY_MS, AbortSignal.abort());
    expect(timers.size).toBe(0);
  });
});
