/** What may cut a call short. */
export class Interruption {
  private readonly controller = new AbortController();
  /** It was asked to end, by nobody's fault. */
  asked = false;
  private reject: ((reason: Error) => void) | undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Aborts the signal; what the call comes to counts all the same. Only the first reason is told. */
  ask(reason: Error): void {
    this.asked = true;
    this.controller.abort(reason);
  }

  /** Aborts the signal, and nobody waits for the call any more. */
  end(reason: Error): void {
    this.controller.abort(reason);
    this.reject?.(reason);
  }

  /** Settles as `work` does, or rejects with the reason of {@link end}, whichever is first. */
  outlive<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.reject = reject;
      Promise.resolve(work()).then(resolve, reject);
    });
  }
}
