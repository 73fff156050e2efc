/** What ends an attempt early. Most attempts are never ended and never look, so their `AbortSignal` is only made on demand. */
export class Cancellation {
  private controller: AbortController | undefined;
  private cancelled: { reason: Error } | undefined;
  private listener: ((reason: Error) => void) | undefined;

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.cancelled) this.controller.abort(this.cancelled.reason);
    }
    return this.controller.signal;
  }

  /** Only the first reason counts. */
  cancel(reason: Error): void {
    if (this.cancelled) return;
    this.cancelled = { reason };
    this.listener?.(reason);
    this.controller?.abort(reason);
  }

  /** Settles as `work` does, or rejects with the reason once this is cancelled, whichever is first. */
  outlive<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.listener = reject;
      const answer = work();
      // Listened to directly: what resolves with a promise does so some turns later.
      if (answer instanceof Promise) (answer as Promise<T>).then(resolve, reject);
      else resolve(answer);
      if (this.cancelled) reject(this.cancelled.reason);
    });
  }
}
