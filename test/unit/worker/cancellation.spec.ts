import { Cancellation } from '../../../lib/worker/cancellation.js';

const REASON = new Error('enough');
const never = () => new Promise<never>(() => {});

describe('Cancellation', () => {
  it('lets work end as it does', async () => {
    await expect(new Cancellation().outlive(async () => 7)).resolves.toBe(7);
    await expect(new Cancellation().outlive(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('ends the wait for work with the first reason', async () => {
    const cancellation = new Cancellation();
    const outcome = cancellation.outlive(never);
    cancellation.cancel(REASON);
    cancellation.cancel(new Error('too late'));
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
    cancellation.cancel(REASON);
    await expect(heeding).rejects.toBe(REASON);
    await expect(cancellation.outlive(never)).rejects.toBe(REASON);
  });

  it('aborts the signal, whether it was asked for before or after', () => {
    const before = new Cancellation();
    const { signal } = before;
    expect(signal.aborted).toBe(false);
    before.cancel(REASON);
    expect(signal.reason).toBe(REASON);
    expect(before.signal).toBe(signal);

    const after = new Cancellation();
    after.cancel(REASON);
    expect(after.signal.aborted).toBe(true);
    expect(after.signal.reason).toBe(REASON);
  });
});
