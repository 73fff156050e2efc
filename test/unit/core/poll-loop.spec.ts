import type { Clock } from '@sinonjs/fake-timers';
import { PollLoop, type PollLoopOptions } from '../../../lib/core/loops.js';
import { until } from '../../support/until.js';
import { fakeTime } from '../../support/fake-time.js';

const NEVER_MS = 1_000_000;
const open: PollLoop[] = [];

/** A loop whose ticks are counted; without a `wake` it naps as good as for ever. */
function loopOf(tick: (n: number) => Promise<'busy' | 'active' | 'idle'>, options: Partial<PollLoopOptions> = {}) {
  const seen = { ticks: 0, errors: [] as unknown[] };
  const count = () => tick(++seen.ticks);
  const onError = (error: unknown) => void seen.errors.push(error);
  const loop = new PollLoop(count, { minMs: NEVER_MS, maxMs: NEVER_MS, onError, ...options });
  open.push(loop);
  return { loop, seen };
}

const idle = () => Promise.resolve('idle' as const);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const settle = async () => {
  for (let i = 0; i < 20; i++) await turn();
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((loop) => loop.stop()));
});

describe('a poll loop', () => {
  it('goes on at once while busy and naps when idle', async () => {
    const { loop, seen } = loopOf(async (n) => (n < 5 ? 'busy' : 'idle'));
    loop.start();
    await until('the idle tick', () => seen.ticks === 5);
    await settle();
    expect(seen.ticks).toBe(5);
  });

  it('is woken from its nap', async () => {
    const { loop, seen } = loopOf(idle);
    loop.start();
    await until('the first tick', () => seen.ticks === 1);
    loop.wake();
    await until('another tick', () => seen.ticks === 2);
  });

  it('keeps a wake that comes while a tick is working', async () => {
    let finish = () => {};
    const { loop, seen } = loopOf(async (n) => {
      if (n === 1) await new Promise<void>((resolve) => (finish = resolve));
      return 'idle';
    });
    loop.start();
    await until('the first tick', () => seen.ticks === 1);
    loop.wake();
    finish();
    await until('the tick it asked for', () => seen.ticks === 2);
  });

  describe('by a clock that is turned', () => {
    let clock: Clock;
    beforeEach(() => void (clock = fakeTime()));
    afterEach(() => clock.uninstall());

    const NAPS = { minMs: 100, maxMs: () => 1_000 };
    const TEN_SHORT = Array<number>(10).fill(100);

    async function napsOf(
      states: ('busy' | 'active' | 'idle')[],
      passMs: number,
      naps: Omit<PollLoopOptions, 'onError'> = NAPS,
    ) {
      const at: number[] = [];
      const tick = async () => {
        at.push(Date.now());
        return states[at.length - 1] ?? 'idle';
      };
      const loop = new PollLoop(tick, { ...naps, onError: () => undefined });
      loop.start();
      await clock.tickAsync(passMs);
      const stopping = loop.stop();
      await clock.tickAsync(0);
      await stopping;
      return at.slice(1).map((time, i) => time - Number(at[i]));
    }

    it('stays wide awake for a second, then naps longer and longer, up to its longest', async () => {
      expect(await napsOf([], 4_500)).toEqual([...TEN_SHORT, 200, 400, 800, 1_000, 1_000]);
    });

    it('is wide awake again after work, also work that leaves no more to do', async () => {
      const states = [...Array<'idle'>(12).fill('idle'), 'active'] as const;
      expect((await napsOf([...states], 3_000)).slice(10)).toEqual([200, 400, ...TEN_SHORT, 200]);
    });

    it('takes the longest naps from the beginning where it is not told of shorter ones', async () => {
      expect(await napsOf(['active'], 3_000, { maxMs: 1_000 })).toEqual([1_000, 1_000, 1_000]);
    });

    it('takes short naps only while nobody says when there is work, and never longer ones than its longest', async () => {
      const hears = { maxMs: 400, live: () => true };
      expect(await napsOf([], 800, hears)).toEqual([400, 400]);
      expect((await napsOf([], 1_000, { ...hears, live: () => false })).slice(0, 3)).toEqual([20, 20, 20]);
      expect((await napsOf([], 20, { maxMs: 5, live: () => false })).slice(0, 2)).toEqual([5, 5]);
    });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('lost'))],
    [
      'throws',
      () => {
        throw new Error('lost');
      },
    ],
  ])('tells of a tick that %s, naps, and goes on', async (_, fail) => {
    const { loop, seen } = loopOf((n) => (n === 1 ? fail() : idle()), { maxMs: 5 });
    loop.start();
    await until('the tick after it', () => seen.ticks >= 2);
    expect(seen.errors).toEqual([new Error('lost')]);
  });

  it('outlives a listener that throws', async () => {
    const onError = () => {
      throw new Error('nobody listens');
    };
    const { loop, seen } = loopOf(() => Promise.reject(new Error('lost')), { maxMs: 2, onError });
    loop.start();
    await until('more ticks', () => seen.ticks > 2);
    await loop.stop();
  });

  it('lets the rest of the process run however busy it is', async () => {
    const { loop, seen } = loopOf(() => Promise.resolve('busy'));
    loop.start();
    await until('many ticks', () => seen.ticks > 100);
    await loop.stop();
  });

  it('waits for the tick in progress when stopped, and then ticks no more', async () => {
    let finish = () => {};
    const { loop, seen } = loopOf(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return 'busy';
    });
    loop.start();
    await until('the first tick', () => seen.ticks === 1);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await settle();
    expect(stopped).toBe(false);
    finish();
    await stopping;
    loop.wake();
    await settle();
    expect(seen.ticks).toBe(1);
  });

  it('runs once however often it is started, and again after a stop', async () => {
    const { loop, seen } = loopOf(idle);
    loop.start();
    loop.start();
    await settle();
    expect(seen.ticks).toBe(1);
    await Promise.all([loop.stop(), loop.stop()]);
    loop.start();
    await until('its tick', () => seen.ticks === 2);
  });
});

describe('the pulse of a loop', () => {
  it('says whether it runs, ticks, naps, and fails', async () => {
    let end = (): void => {};
    const { loop } = loopOf((n) =>
      n === 1 ? new Promise((resolve) => (end = () => resolve('idle'))) : Promise.reject(new Error('no')),
    );
    expect(loop.pulse).toMatchObject({ running: false, failed: false, tickingMs: undefined });
    const startedAt = performance.now();
    loop.start();
    expect(loop.pulse).toMatchObject({ running: true, tickingMs: expect.any(Number) as number });
    end();
    await until('it naps', () => loop.pulse.tickingMs === undefined);
    expect(loop.pulse).toMatchObject({ running: true, failed: false, napMs: NEVER_MS });
    expect(loop.pulse.agoMs).toBeLessThanOrEqual(performance.now() - startedAt);
    loop.wake();
    await until('it has failed', () => loop.pulse.failed);
    await loop.stop();
    expect(loop.pulse).toMatchObject({ running: false, failed: true });
  });
});
