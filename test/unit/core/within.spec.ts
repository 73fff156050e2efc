import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { within } from '../../../lib/core/time.js';

const late = () => new RangeError('late');

describe('within', () => {
  it('answers what comes in time, and fails with what failed', async () => {
    await expect(within(10_000, Promise.resolve('answer'), late)).resolves.toBe('answer');
    await expect(within(10_000, Promise.reject(new SyntaxError('no')), late)).rejects.toThrow(SyntaxError);
  });

  it('fails when nothing comes, and ignores what comes afterwards', async () => {
    let reject!: (error: Error) => void;
    const answer = new Promise<never>((_, no) => (reject = no));
    await expect(within(5, answer, late)).rejects.toThrow(RangeError);
    reject(new Error('too late'));
    await pause(1);
  });

  it('takes an answer that came while the event loop stood still', async () => {
    const { port1: near, port2: far } = new MessageChannel();
    const answer = within(1, once(near, 'message'), late);
    far.postMessage('answer');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    await expect(answer).resolves.toEqual(['answer']);
    near.close();
  });
});
