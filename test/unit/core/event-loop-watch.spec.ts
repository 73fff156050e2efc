import { EventLoopWatch } from '../../../lib/core/loops.js';
import { until } from '../../support/until.js';

/** Does not let the event loop go on. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the watch over the event loop', () => {
  const watch = new EventLoopWatch();
  afterEach(() => watch.stop());

  it('knows of nothing before it was started', () => {
    block(300);
    expect(watch.longestWithin(60_000)).toBe(0);
  });

  it('measures a block that still lasts, and remembers the longest that has ended', async () => {
    watch.start();
    watch.start();
    block(700);
    expect(watch.longestWithin(60_000)).toBeGreaterThan(400);
    await until('it has looked', () => watch.longestWithin(0) < 400);
    const longest = watch.longestWithin(60_000);
    expect(longest).toBeGreaterThan(400);
    block(300);
    await until('it has looked again', () => watch.longestWithin(0) < 40);
    expect(watch.longestWithin(60_000)).toBeGreaterThanOrEqual(longest);
  });

  it('forgets blocks that ended before the time that is asked for', async () => {
    watch.start();
    block(700);
    await until('the block is over for long', () => watch.longestWithin(100) < 400);
    expect(watch.longestWithin(60_000)).toBeGreaterThan(400);
  });
});
