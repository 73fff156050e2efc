import type { Clock } from '@sinonjs/fake-timers';
import { Timers } from '../../../lib/core/time.js';
import { fakeTime } from '../../support/fake-time.js';

const DAY_MS = 86_400_000;

function turned() {
  const clock = { time: 1_000_000, now: () => clock.time };
  const timers = new Timers(clock);
  const fired: number[] = [];
  const at = (ms: number) => timers.at(clock.time + ms, () => fired.push(ms));
  const turn = (ms: number) => {
    clock.time += ms;
    timers.fire();
  };
  return { clock, timers, fired, at, turn };
}

describe('timers on a clock that is turned', () => {
  it('fire what is due, earliest first, whatever the order they were set in', () => {
    const { timers, fired, at, turn } = turned();
    const waits = Array.from({ length: 200 }, (_, i) => (i * 7919) % 200);
    waits.forEach(at);
    turn(99);
    expect(fired).toEqual(Array.from({ length: 100 }, (_, i) => i));
    turn(100);
    expect(fired).toEqual(Array.from({ length: 200 }, (_, i) => i));
    timers.stop();
  });

  it('do not fire what was called off', () => {
    const { timers, fired, at, turn } = turned();
    const callOff = at(5);
    at(10);
    callOff();
    turn(20);
    expect(fired).toEqual([10]);
    timers.stop();
  });

  it('keep nothing of long waits that were called off', () => {
    const { timers, fired, at, turn } = turned();
    at(10);
    at(DAY_MS);
    for (let i = 0; i < 100_000; i++) at(3_650 * DAY_MS)();
    expect((timers as unknown as { heap: unknown[] }).heap.length).toBeLessThan(200);
    const late = at(5);
    turn(DAY_MS);
    late();
    expect(fired).toEqual([5, 10, DAY_MS]);
    timers.stop();
  });

  it('may set others while they fire', () => {
    const { timers, fired, at, clock, turn } = turned();
    timers.at(clock.time + 5, () => at(0));
    turn(5);
    expect(fired).toEqual([0]);
    timers.stop();
  });
});

describe('timers on the real clock', () => {
  let clock: Clock;
  beforeEach(() => void (clock = fakeTime()));
  afterEach(() => clock.uninstall());

  it('E3: hold a wait of ten years and never fire early', async () => {
    const timers = new Timers({ now: () => Date.now() });
    const start = Date.now();
    let firedAt = 0;
    timers.at(start + 3_650 * DAY_MS, () => (firedAt = Date.now()));
    await clock.tickAsync(60_000);
    expect(firedAt).toBe(0);
    clock.setSystemTime(start + 3_650 * DAY_MS - 10_000);
    await clock.tickAsync(60_000);
    expect(firedAt).toBeGreaterThanOrEqual(start + 3_650 * DAY_MS);
  });

  it('that are stopped fire no more', async () => {
    const timers = new Timers({ now: () => Date.now() });
    const fired: string[] = [];
    timers.at(Date.now() + 10, () => fired.push('too late'));
    timers.stop();
    await clock.tickAsync(60_000);
    expect(fired).toEqual([]);
  });

  it('an earlier one set later is not kept waiting', async () => {
    const timers = new Timers({ now: () => Date.now() });
    const fired: string[] = [];
    timers.at(Date.now() + 50_000, () => fired.push('late'));
    timers.at(Date.now() + 10, () => fired.push('early'));
    await clock.tickAsync(20);
    expect(fired).toEqual(['early']);
    timers.stop();
  });
});
