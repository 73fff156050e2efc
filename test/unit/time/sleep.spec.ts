import { getEventListeners } from 'node:events';
import { jest } from '@jest/globals';
import { sleep } from '../../../lib/core/time.js';

const DAY_MS = 86_400_000;

describe('sleep', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const watch = (sleeping: Promise<void>) => {
    const state = { over: false };
    void sleeping.then(() => (state.over = true));
    return state;
  };

  it('resolves after its time and not before', async () => {
    const state = watch(sleep(100));
    await jest.advanceTimersByTimeAsync(99);
    expect(state.over).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(state.over).toBe(true);
  });

  it('E3: is as long as it is told, also beyond 24.8 days', async () => {
    const state = watch(sleep(60 * DAY_MS));
    await jest.advanceTimersByTimeAsync(60 * DAY_MS - 1);
    expect(state.over).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(state.over).toBe(true);
  });

  it('ends at once when its signal aborts, and leaves no timer', async () => {
    const abort = new AbortController();
    const sleeping = sleep(60 * DAY_MS, abort.signal);
    abort.abort();
    await sleeping;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('costs a signal one listener however many sleep under it, and none once all have woken', async () => {
    const abort = new AbortController();
    const listeners = () => getEventListeners(abort.signal, 'abort').length;
    const many = (ms: number) => Array.from({ length: 100 }, () => sleep(ms, abort.signal));
    const first = Promise.all([...many(10), ...many(20)]);
    expect(listeners()).toBe(1);
    await jest.advanceTimersByTimeAsync(10);
    expect(listeners()).toBe(1);
    await jest.advanceTimersByTimeAsync(10);
    await first;
    expect(listeners()).toBe(0);
    const last = Promise.all(many(DAY_MS));
    abort.abort();
    await last;
    expect([listeners(), jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('does not begin when the signal is aborted already', async () => {
    await sleep(1_000, AbortSignal.abort());
    expect(jest.getTimerCount()).toBe(0);
  });
});
