import { Semaphore, Turns } from '../../../lib/core/loops.js';
import { macrotask } from '../../../lib/core/time.js';
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

describe('turns', () => {
  it('are taken one after the other for the same key, also after one that failed, and at once for others', async () => {
    const turns = new Turns();
    const goes = gate();
    const begun: string[] = [];
    const take = (key: string, name: string, work: () => Promise<unknown> = async () => name) =>
      turns.take(key, () => (begun.push(name), work()));
    const first = take('a', 'first', () => goes.opened.then(() => Promise.reject(new Error('no'))));
    const second = take('a', 'second');
    expect(await take('b', 'other')).toBe('other');
    expect(begun).toEqual(['first', 'other']);
    goes.open();
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe('second');
    expect(await take('a', 'third')).toBe('third');
    await expect(take('b', 'no', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await macrotask();
    expect(turns.size).toBe(0);
  });
});
