import { within } from '../time/sleep.js';

/**
 * Cancels a piece of work. Most work is never cancelled and never reads the signal, so its `AbortSignal` is created on
 * demand. The first of several reasons is used.
 */
export class Cancellation {
  private controller: AbortController | undefined;
  private reason: Error | undefined;
  private ended: Error | undefined;
  private reject: ((reason: Error) => void) | undefined;
  /** The work was asked to stop; this is not a failure. */
  asked = false;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.reason) this.controller.abort(this.reason);
    return this.controller.signal;
  }

  /** Aborts the signal; the result of the work still counts. */
  ask(reason: Error): void {
    this.asked = true;
    this.abort(reason);
  }

  /** Aborts the signal and stops waiting for the work. */
  end(reason: Error): void {
    this.ended ??= reason;
    this.reject?.(this.ended);
    this.abort(reason);
  }

  /** Settles as `work` does, or rejects with the reason of {@link end}, whichever is first. After that no work begins. */
  outlive<T>(work: () => T | PromiseLike<T>): Promise<T> {
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      this.reject = reject;
      const outcome = work();
      // Awaited directly: resolving with a promise takes some more turns.
      if (outcome instanceof Promise) (outcome as Promise<T>).then(resolve, reject);
      else resolve(outcome);
      if (this.ended) reject(this.ended);
    });
  }

  /** Like `outlive`, but ends with `late()` after `ms`. Work that ignores its signal continues without effect. */
  outliveWithin<T>(ms: number, work: () => T | PromiseLike<T>, late: () => Error): Promise<T> {
    return within(ms, this.outlive(work), () => {
      const error = late();
      this.end(error);
      return error;
    });
  }

  private abort(reason: Error): void {
    this.reason ??= reason;
    this.controller?.abort(this.reason);
  }
}
