import { Cancellation } from '../../../lib/core/leasing.js';

const REASON = new Error('enough');
const LATE = new Error('too late');
const never = () => new Promise<never>(() => {});

describe('a cancellation', () => {
  it('begins no work after its end', async () => {
    const control = new Cancellation();
    control.end(new Error('the lease is lost'));
    let begun = false;
    await expect(control.outlive(() => (begun = true))).rejects.toThrow('the lease is lost');
    expect(begun).toBe(false);
  });

  it('lets work end as it does', async () => {
    await expect(new Cancellation().outlive(async () => 7)).resolves.toBe(7);
    await expect(new Cancellation().outlive(() => 7)).resolves.toBe(7);
    await expect(new Cancellation().outlive(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
    const throws = () => {
      throw new Error('at once');
    };
    await expect(new Cancellation().outlive(throws)).rejects.toThrow('at once');
  });

  it('ends the wait for work with the first reason', async () => {
    const cancellation = new Cancellation();
    const outcome = cancellation.outlive(never);
    cancellation.end(REASON);
    cancellation.end(new Error('another'));
    await expect(outcome).rejects.toBe(REASON);
  });

  it('ends the wait for work that begins afterwards, and for work that heeds the signal, with the reason', async () => {
    const cancellation = new Cancellation();
    const heeding = cancellation.outlive(
      () =>
        new Promise((_, reject) => {
          cancellation.signal.addEventListener('abort', () => reject(new Error('heeded')));
        }),
    );
    cancellation.end(REASON);
    await expect(heeding).rejects.toBe(REASON);
    await expect(cancellation.outlive(never)).rejects.toBe(REASON);
  });

  it('aborts the signal, whether it was asked for before or after', () => {
    const before = new Cancellation();
    const { signal } = before;
    expect(signal.aborted).toBe(false);
    before.end(REASON);
    expect(signal.reason).toBe(REASON);
    expect(before.signal).toBe(signal);

    const after = new Cancellation();
    after.end(REASON);
    expect(after.signal.aborted).toBe(true);
    expect(after.signal.reason).toBe(REASON);
  });

  it('that asks work to end aborts the signal, and waits for what the work comes to', async () => {
    const cancellation = new Cancellation();
    const heeding = cancellation.outlive(
      () => new Promise((resolve) => cancellation.signal.addEventListener('abort', () => resolve('ended'))),
    );
    expect(cancellation.asked).toBe(false);
    cancellation.ask(REASON);
    expect([await heeding, cancellation.asked, cancellation.signal.reason]).toEqual(['ended', true, REASON]);
  });

  it('that ends what it has asked to end before tells the signal the first reason', async () => {
    const cancellation = new Cancellation();
    const outcome = cancellation.outlive(never);
    cancellation.ask(REASON);
    cancellation.end(LATE);
    await expect(outcome).rejects.toBe(LATE);
    expect(cancellation.signal.reason).toBe(REASON);
  });

  it('ends work that takes too long, and no other', async () => {
    const slow = new Cancellation();
    await expect(slow.outliveWithin(5, never, () => LATE)).rejects.toBe(LATE);
    expect([slow.signal.reason, slow.asked]).toEqual([LATE, false]);

    const quick = new Cancellation();
    await expect(
      quick.outliveWithin(
        60_000,
        () => 7,
        () => LATE,
      ),
    ).resolves.toBe(7);
    const ended = new Cancellation();
    const outcome = ended.outliveWithin(60_000, never, () => LATE);
    ended.end(REASON);
    await expect(outcome).rejects.toBe(REASON);
  });

  it('lets work count that was done in time while the event loop stood still', async () => {
    const cancellation = new Cancellation();
    const done = new Promise((resolve) => setImmediate(() => resolve('in time')));
    const outcome = cancellation.outliveWithin(
      1,
      () => done,
      () => LATE,
    );
    for (const until = performance.now() + 5; performance.now() < until;);
    expect(await outcome).toBe('in time');
    expect(cancellation.signal.aborted).toBe(false);
  });
});
