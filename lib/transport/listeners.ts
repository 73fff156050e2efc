/** A set of listeners. One that throws does not affect the others. */
export class Listeners<Args extends unknown[]> {
  private readonly listeners = new Set<(...args: Args) => void>();

  /** Returns a function that removes the listener. */
  add(listener: (...args: Args) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  tell(...args: Args): void {
    for (const listener of this.listeners) {
      try {
        listener(...args);
      } catch {
        // Ignored: notifications are optional.
      }
    }
  }
}
