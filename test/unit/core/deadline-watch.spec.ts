import { watchDeadlines } from '../../../lib/core/leasing.js';

describe('watching deadlines', () => {
  it('tells of each that passes, by a clock of any grain, until it is called off', async () => {
    const over = new AbortController();
    const deadlines = [performance.now() + 5.4, performance.now() + 12.7];
    const passed: number[] = [];
    const left = () => Math.min(...deadlines) - performance.now();
    const expire = () => {
      while (deadlines.length > 0 && deadlines[0]! <= performance.now()) passed.push(deadlines.shift()!);
      if (deadlines.length === 0) over.abort();
    };
    await watchDeadlines(left, expire, over.signal);
    expect(passed).toHaveLength(2);
  });

  it('says nothing where it is called off before', async () => {
    const over = new AbortController();
    const told: string[] = [];
    const watching = watchDeadlines(
      () => 60_000,
      () => told.push('expired'),
      over.signal,
    );
    over.abort();
    await watching;
    expect(told).toEqual([]);
  });
});
