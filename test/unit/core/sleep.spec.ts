import type { Clock } from '@sinonjs/fake-timers';
import { getEventListeners } from 'node:events';
import { sleep } from '../../../lib/core/time.js';
import { fakeTime } from '../../support/fake-time.js';

const DAY_MS = 86_400_000;

describe('sleep', () => {
  let clock: Clock;
  /** Of files before this one. */
  let others: number;
  beforeEach(() => {
    clock = fakeTime();
    others = clock.countTimers();
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
    expect(clock.countTimers()).toBe(others);
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
    abort.abort();
    await last;
    expect([listeners(), clock.countTimers()]).toEqual([0, others]);
  });

  it('does not begin when the signal is aborted already', async () => {
    await sleep(1_000, AbortSignal.abort());
    expect(clock.countTimers()).toBe(others);
  });
});
