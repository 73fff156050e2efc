/** An `AbortController` that is made once somebody looks at its signal, since most work never does. */
export class LazyAbort {
  private controller: AbortController | undefined;
  private reason: Error | undefined;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.reason) this.controller.abort(this.reason);
    return this.controller.signal;
  }

  abort(reason: Error): void {
    this.reason ??= reason;
    this.controller?.abort(this.reason);
  }
}
