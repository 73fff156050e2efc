import { Semaphore } from '../../../lib/core/loops.js';
import { gate } from '../../support/gate.js';

describe('a semaphore', () => {
  it('lets so many go on at once, and the others in the order in which they came', async () => {
    const semaphore = new Semaphore(2);
    const begun: number[] = [];
    const gates = [gate(), gate(), gate(), gate()];
    const all = gates.map(({ opened }, n) => semaphore.run(() => (begun.push(n), opened)));
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    gates[1]!.open();
    await all[1];
    expect(begun).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    await Promise.all(all);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(await semaphore.run(async () => 'free')).toBe('free');
  });

  it('goes on behind work that fails, whose error it hands on', async () => {
    const semaphore = new Semaphore(1);
    const failed = semaphore.run(() => Promise.reject(new Error('no')));
    const next = semaphore.run(async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});
