import { macrotask } from '../time/within.js';
import { sleep } from '../time/sleep.js';

/**
 * What cuts a piece of work short. Most work is never cut short and never looks, so its `AbortSignal` is only made on
 * demand. Of several reasons the first is told.
 */
export class Cancellation {
  private controller: AbortController | undefined;
  private reason: Error | undefined;
  private ended: Error | undefined;
  private reject: ((reason: Error) => void) | undefined;
  /** The work was asked to end, by nobody's fault. */
  asked = false;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.reason) this.controller.abort(this.reason);
    return this.controller.signal;
  }

  /** Aborts the signal; what the work comes to counts all the same. */
  ask(reason: Error): void {
    this.asked = true;
    this.abort(reason);
  }

  /** Aborts the signal, and nobody waits for the work any more. */
  end(reason: Error): void {
    this.ended ??= reason;
    this.reject?.(this.ended);
    this.abort(reason);
  }

  /** Settles as `work` does, or rejects with the reason of {@link end}, whichever is first. */
  outlive<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.reject = reject;
      const outcome = work();
      // Listened to directly: what resolves with a promise does so some turns later.
      if (outcome instanceof Promise) (outcome as Promise<T>).then(resolve, reject);
      else resolve(outcome);
      if (this.ended) reject(this.ended);
    });
  }

  /** The same, ended with what `late` makes after `ms`. Work that does not heed its signal goes on unheard. */
  async outliveWithin<T>(ms: number, work: () => T | PromiseLike<T>, late: () => Error): Promise<T> {
    const done = new AbortController();
    void this.endAfter(ms, late, done.signal);
    try {
      return await this.outlive(work);
    } finally {
      // With a reason, because making up the usual one costs more than all the rest.
      done.abort('done');
    }
  }

  private async endAfter(ms: number, late: () => Error, done: AbortSignal): Promise<void> {
    await sleep(ms, done);
    // Where the event loop stood still, the work may have ended in time without anybody having read it.
    await macrotask();
    if (!done.aborted) this.end(late());
  }

  private abort(reason: Error): void {
    this.reason ??= reason;
    this.controller?.abort(this.reason);
  }
}
