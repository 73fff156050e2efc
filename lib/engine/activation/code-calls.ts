/** A promise for the code of a run, which knows whether anybody has awaited it. */
class Call<T> extends Promise<T> {
  /** Of promises that are derived from it: ordinary ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  onAwaited: (() => void) | undefined;

  // `await`, Promise.all and the like call it, since this is not the class Promise itself.
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.onAwaited?.();
    this.onAwaited = undefined;
    return super.then(onFulfilled, onRejected);
  }

  /** Node does not end the process if it is rejected and nobody awaits it. */
  spare(): void {
    super.then(undefined, () => {});
  }
}

/** The calls of `ctx` that the code of an activation has made and nobody has awaited. */
export class CodeCalls {
  /** Whether `run` has returned or thrown. */
  codeHasEnded = false;
  private readonly unawaited = new Map<Call<unknown>, () => string>();

  constructor(
    /** Called when one of them fails, or one that was awaited by code which nobody awaits. */
    private readonly onFailure: (call: string, error: unknown) => void,
  ) {}

  /** Returns the outcome for the code. */
  watch<T>(name: () => string, outcome: Promise<T>): Promise<T> {
    const call: Call<T> = new Call((resolve, reject) => {
      outcome.then(resolve, (error: Error) => {
        const tell = () => this.onFailure(name(), error);
        noteReceived(error, tell);
        if (call.onAwaited) {
          call.spare();
          tell();
        }
        reject(error);
      });
    });
    this.unawaited.set(call, name);
    call.onAwaited = () => this.unawaited.delete(call);
    return call;
  }

  /** The names of calls that nobody has awaited, in the order of the calls. */
  get open(): string[] {
    return [...this.unawaited.values()].map((name) => name());
  }
}

/** The errors that code has received from calls, and who is told if nothing of the app handles one. */
const received = new WeakMap<Error, () => void>();
let isListening = false;

/**
 * Code of the app that nobody awaits can pass the error on. Node then ends the process, unless the app decides otherwise:
 * that is left as it is, but the error itself does not say which run it comes from.
 */
function noteReceived(error: Error, tell: () => void): void {
  received.set(error, tell);
  if (!isListening) process.on('uncaughtExceptionMonitor', (uncaught) => received.get(uncaught)?.());
  isListening = true;
}

/** A rejection that its receiver may ignore: it has been reported elsewhere. */
export function reported(error: Error): Promise<never> {
  const rejected = Promise.reject(error);
  rejected.catch(() => undefined);
  return rejected;
}
