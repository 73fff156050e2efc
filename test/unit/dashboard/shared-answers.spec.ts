import { SharedAnswers } from '../../../lib/dashboard/dashboard.module.js';
import { gate } from '../../support/gate.js';

/** Answers with how often it was asked, once `opened`. */
const counting = (opened: () => Promise<void> = () => Promise.resolve()) => {
  let asked = 0;
  return async () => {
    const n = ++asked;
    await opened();
    return n;
  };
};

/** Answers like {@link counting}, and each takes so long. */
const clocked = (now = 0) => {
  const clock = { now };
  const taking = (ms: number) => counting(async () => void (clock.now += ms));
  return { clock, taking, shared: new SharedAnswers(() => clock.now) };
};

/** How old an answer who looks again and again takes. */
const AGAIN_MS = 60_000;

describe('answers that are shared', () => {
  it('are those of a question that is under way, and of the last second', async () => {
    const { clock, shared } = clocked();
    const { opened, open } = gate();
    const ask = counting(() => opened);
    const both = [shared.answer('runs', ['a'], ask), shared.answer('runs', ['a'], ask)];
    // The second counts from the answer.
    clock.now = 5_000;
    open();
    expect(await Promise.all(both)).toEqual([1, 1]);
    clock.now += 1_000;
    expect(await shared.answer('runs', ['a'], ask)).toBe(1);
    clock.now += 1;
    expect(await shared.answer('runs', ['a'], ask)).toBe(2);
  });

  it('are never those of somebody else for who wants a new one', async () => {
    const shared = new SharedAnswers();
    const { opened, open } = gate();
    const ask = counting(() => opened);
    const both = [shared.answer('runs', [], ask), shared.answer('runs', [], ask, 0)];
    open();
    expect(await Promise.all(both)).toEqual([1, 2]);
    expect(await shared.answer('runs', [], ask, 0)).toBe(3);
  });

  it('are kept fifty times as long as they took, for each that is asked again and again', async () => {
    const { clock, shared, taking } = clocked();
    const [quick, slow] = [taking(1), taking(100)];
    const looks = (kind: string, ask: () => Promise<number>) => shared.answer(kind, [], ask, AGAIN_MS);
    await shared.answer('runs', ['of who looks once'], quick);
    expect(await looks('nodes', quick)).toBe(2);
    expect(shared.restMs('nodes', [])).toBe(1_000);
    expect(await looks('overview', slow)).toBe(1);
    expect(shared.restMs('overview', [])).toBe(100 * 50 * 2);
    clock.now += 10_000;
    expect(await looks('overview', slow)).toBe(1);
    expect(shared.restMs('nobody', [])).toBe(0);
    clock.now += 1;
    // That of the nodes is old, and counts still: they are asked for again in a moment.
    expect(await looks('overview', slow)).toBe(2);
    expect(shared.restMs('overview', [])).toBe(100 * 50 * 2);
    expect(await looks('outbox', taking(10_000))).toBe(1);
    expect(shared.restMs('outbox', [])).toBe(30_000);
  });

  it('are kept as long when somebody asks in between who looks once', async () => {
    const { clock, shared, taking } = clocked();
    const slow = taking(100);
    await shared.answer('overview', [], slow, AGAIN_MS);
    clock.now += 2_000;
    expect(await shared.answer('overview', [], slow)).toBe(2);
    clock.now += 4_000;
    expect(await shared.answer('overview', [], slow, AGAIN_MS)).toBe(2);
    expect(await shared.answer('overview', [], slow, 3_000)).toBe(3);
  });

  it('are kept when the database does not give another one', async () => {
    const { clock, shared, taking } = clocked();
    const slow = taking(100);
    await shared.answer('overview', [], slow, AGAIN_MS);
    clock.now += 2_000;
    await expect(shared.answer('overview', [], () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await shared.answer('overview', [], slow, AGAIN_MS)).toBe(1);
    shared.forget();
    expect(await shared.answer('overview', [], slow, AGAIN_MS)).toBe(2);
  });

  it('are held for the last 500 questions', async () => {
    const { shared, taking } = clocked();
    const ask = taking(0);
    for (let n = 0; n < 501; n++) await shared.answer('runs', [n], ask);
    expect(await shared.answer('runs', [500], ask)).toBe(501);
    expect(await shared.answer('runs', [1], ask)).toBe(2);
    expect(await shared.answer('runs', [0], ask)).toBe(502);
  });

  it('are not those of another question, or of somebody who sees something else', async () => {
    const shared = new SharedAnswers();
    const ask = counting();
    const keys = [['a'], ['b'], [{ a: 1 }], [{ a: 2 }], ['a', ['ada']], ['a', ['bob']]];
    for (const [n, key] of keys.entries()) expect(await shared.answer('runs', key, ask)).toBe(n + 1);
    expect(await shared.answer('queues', ['a'], ask)).toBe(keys.length + 1);
  });

  it('are not older than the last change, even if they are under way', async () => {
    const shared = new SharedAnswers();
    const { opened, open } = gate();
    const ask = counting(() => opened);
    const before = shared.answer('runs', [], ask);
    shared.forget();
    const after = shared.answer('runs', [], ask);
    open();
    expect(await Promise.all([before, after])).toEqual([1, 2]);
    expect(await shared.answer('runs', [], ask)).toBe(2);
    shared.forget();
    expect(await shared.answer('runs', [], ask)).toBe(3);
  });

  it('are no errors, but for those who wait for the same', async () => {
    const shared = new SharedAnswers();
    const failing = () => Promise.reject(new Error('away'));
    const both = [shared.answer('runs', [], failing), shared.answer('runs', [], failing)];
    for (const one of both) await expect(one).rejects.toThrow('away');
    expect(await shared.answer('runs', [], counting())).toBe(1);
  });

  it('are refused with 429 when the last one of the kind was slow, and four are under way', async () => {
    let now = 0;
    const shared = new SharedAnswers(() => now);
    const slow = async () => void (now += 1_001);
    await shared.answer('runs', ['slow'], slow);
    const { opened, open } = gate();
    const waiting = [1, 2, 3, 4].map((n) => shared.answer('runs', [n], () => opened));
    const more = (key: unknown) => shared.answer('runs', [key], counting());
    await expect(more(5)).rejects.toMatchObject({ status: 429 });
    await expect(shared.answer('queues', [5], counting())).resolves.toBe(1);
    // Whoever asks the same only waits.
    waiting.push(shared.answer('runs', [4], () => opened));
    open();
    await Promise.all(waiting);
    await expect(more(5)).resolves.toBe(1);
  });
});
